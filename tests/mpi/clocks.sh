#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks on machines whose clocks are seconds apart and drift by 100 ppm: their traces come into one order. The offsets
# are as far from the truth as is said at most, no message and no barrier says otherwise, and without the offsets they
# would. Ranks that are not measured are not waited for.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0
need python3
clocks=$HEDDLE_SOURCE/tests/upc/clocks
compile skew.so ../upc/clocks/skew.c -shared -fPIC

# on_machines NAME SKEW RANKS COMMAND...: two ranks on each; the launcher does not say that these are one.
on_machines() {
	local name=$1 count=$3
	export SKEW=$2 SKEW_RANKS=2
	shift 3
	run_as "$name" -- "mpirun.$mpi" -n "$count" env -u MPI_LOCALNRANKS -u OMPI_COMM_WORLD_LOCAL_SIZE LD_PRELOAD="$work/skew.so" "$@"
}

info() { "$heddle" info "$1.heddle.d" > "$1.info" 2> "$1.messages" || { cat "$1.messages"; false; }; }

# count NAME WHAT: how many were checked
count() { sed -n "s/.* \([0-9,]*\) $2: .*/\1/p" "$1.info" | tr -d ,; }
beyond() { sed -n "s/.*: [0-9,]* violated within the clocks' error bound, \([0-9,]*\) beyond it, .*/\1/p" "$1.info" | grep -cv '^0$'; }

# causal NAME: after correction, no message is received before it is sent
causal() {
	"$heddle" report --causal --late "$1.heddle.d" > "$1.causal" 2> "$1.messages" || { fail "$1: --causal"; cat "$1.messages"; }
	grep '^clocks: ' "$1.causal"
	expect "$1: no effect comes before its cause after correction" \
		grep -Eq '^clocks: (no event moved|.* effects came before their causes, 0 do now$)' "$1.causal"
}

# try NAME SKEW RANKS
try() {
	local name=$1
	on_machines "$name" "$2" "$3" "$heddle" run --trace -o "$name.heddle.d" -- ./clocks 500
	expect "$name: ends well" ended "$name" "exit 0"
	expect "$name: is right" grep -q '^clocks: [0-9]* rounds: right$' "$name.out"
	expect "$name: nothing else is left" test -z "$(find "$name.heddle.d" -name '.clock*')"
	info "$name"
	sed -n '/^traces/,/^$/p' "$name.info"
	expect "$name: offsets are within their bounds" python3 "$clocks/offsets.py" check "$2" "$name.heddle.d"/*-trace
	expect "$name: measured offsets" grep -q " $(($3 - 2)) processes have measured offsets, " "$name.info"
	expect "$name: the profile is that of the trace" "$heddle" info --check-trace "$name.heddle.d"
	rounds=$(sed -n 's/^clocks: \([0-9]*\) rounds.*/\1/p' "$name.out")
	expect "$name: all messages between machines are checked" test "$(count "$name" messages)" = $((4 * rounds))
	expect "$name: collectives are checked" test "$(count "$name" collectives)" -gt 0
	expect "$name: causes come before effects" test "$(beyond "$name")" = 0
	causal "$name"

	cp -r "$name.heddle.d" "$name.stripped.heddle.d"
	python3 "$clocks/offsets.py" strip "$name.stripped.heddle.d"/*-trace
	info "$name.stripped"
	expect "$name: as many messages without offsets" test "$(count "$name.stripped" messages)" = $((4 * rounds))
	expect "$name: effects before causes without offsets" test "$(beyond "$name.stripped")" = 2
	causal "$name.stripped"
}

machines() {
	compile_mpi clocks clocks.c
	try "$mpi-ahead" "0:0 5:100" 4
	try "$mpi-behind" "0:0 -4:-100 3:100" 6

	# Rank 2, which would measure, is measured alone.
	cat > some.sh <<-'END'
		[ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = 2 ] || exec "$@"
		exec "$0.heddle" run --trace -o "$0.heddle.d" -- "$@"
	END
	ln -sf "$heddle" some.sh.heddle
	rm -rf some.sh.heddle.d
	on_machines "$mpi-some" "0:0 5:100" 4 bash ./some.sh ./clocks 100
	expect "$mpi: others are not waited for" ended "$mpi-some" "exit 0"

	run_options=(--trace)
	ranks "$mpi-one" 2 ./clocks 100
	info "$mpi-one"
	expect "$mpi: nothing is measured on one machine" grep -q 'clock .*counter of one machine$' "$mpi-one.info"
}
for_each_mpi machines
finish
