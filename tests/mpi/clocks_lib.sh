# shellcheck shell=bash disable=SC2154 # mpi, heddle, work are of tests/mpi/lib.sh
# SPDX-License-Identifier: BSD-3-Clause
# For tests of ranks whose clocks differ. A script sources this file instead of tests/mpi/lib.sh, and defines
# on_machines NAME SKEW RANKS COMMAND..., which is like run_as, with skew.so and $SKEW_RANKS, which it sets, ranks on
# each machine. Then `try NAME SKEW RANKS` measures tests/mpi/clocks.c, compiled as ./clocks, checks its trace, and sets
# $rounds.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0
need python3
clocks=$HEDDLE_SOURCE/tests/upc/clocks
# shellcheck source=tests/upc/clocks/checks.sh
. "$clocks/checks.sh"
compile skew.so ../upc/clocks/skew.c -shared -fPIC

info() { "$heddle" info "$1.heddle.d" > "$1.info" 2> "$1.messages" || { cat "$1.messages"; false; }; }

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
	on_machines "$name" "$2" "$3" "$heddle" run --trace -o "$name.heddle.d" -- ./clocks 150
	expect "$name: ends well" ended "$name" "exit 0"
	expect "$name: the program's result" grep -q '^clocks: [0-9]* rounds: right$' "$name.out"
	expect "$name: nothing else is left" test -z "$(find "$name.heddle.d" -name '.clock*')"
	info "$name"
	sed -n '/^traces/,/^$/p' "$name.info"
	expect "$name: offsets are within their bounds" python3 "$clocks/offsets.py" check "$2" "$name.heddle.d"/*-trace
	expect "$name: measured offsets" grep -q " $(($3 - SKEW_RANKS)) processes have measured offsets, " "$name.info"
	expect "$name: the trace and the profile agree" "$heddle" info --check-trace "$name.heddle.d"
	rounds=$(sed -n 's/^clocks: \([0-9]*\) rounds.*/\1/p' "$name.out")
	expect "$name: all messages between machines are checked" test "$(count "$name" messages)" = $((2 * SKEW_RANKS * rounds))
	expect "$name: collectives are checked" test "$(count "$name" collectives)" -gt 0
	expect "$name: causes come before effects" test "$(beyond "$name")" = 0
	causal "$name"

	cp -r "$name.heddle.d" "$name.stripped.heddle.d"
	python3 "$clocks/offsets.py" strip "$name.stripped.heddle.d"/*-trace
	info "$name.stripped"
	expect "$name: as many messages without offsets" test "$(count "$name.stripped" messages)" = $((2 * SKEW_RANKS * rounds))
	expect "$name: effects before causes without offsets" test "$(beyond "$name.stripped")" = 2
	causal "$name.stripped"
}
