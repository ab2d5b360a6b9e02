#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Three ranks whose clocks are seconds apart and drift: their traces are put in one order. The offsets are within the
# reported error of the truth, and no barrier or lock contradicts them, as it would without the offsets.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
[ -e "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" ] || skip "the network was not built (libucx-dev)"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
need mpiexec.hydra
need python3
clocks=$HEDDLE_SOURCE/tests/upc/clocks
# shellcheck source=tests/upc/clocks/checks.sh
. "$clocks/checks.sh"
compile skew.so ../upc/clocks/skew.c -shared -fPIC
cd "$work" || exit 1
"$heddle" upcc -O1 -g --inst "$clocks/clocks.upc" -o clocks || { fail "clocks.upc does not compile"; finish; }
# UCX would use shared memory; each rank is a node.
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self

info() { "$heddle" info "$1" > "$1.info" 2> "$1.messages" || { cat "$1.messages"; false; }; }

# causal NAME: no order is violated after correction; the threads' sums are equal
causal() {
	"$heddle" report --causal --late "$1" > "$1.causal" 2> "$1.messages" || { fail "$1: --causal"; cat "$1.messages"; }
	grep '^clocks: ' "$1.causal"
	expect "$1: no effect comes before its cause after correction" \
		grep -Eq '^clocks: (no event moved|.* effects came before their causes, 0 do now$)' "$1.causal"
	"$heddle" export --causal --format chrome "$1" > "$1.json" 2> "$1.messages" || fail "$1: export --causal"
	expect "$1: the export says so" grep -q '^heddle: export: clocks: ' "$1.messages"
}

# try NAME SKEW
try() {
	local name=$1
	export SKEW=$2
	timeout "$seconds" mpiexec.hydra -n 3 env LD_PRELOAD="$work/skew.so" "$heddle" run --trace -o "$name" -- ./clocks 1500 \
		> "$name.out" 2> "$name.err" < /dev/null
	expect "$name: status $?" grep -q '^clocks: [0-9]* rounds: right$' "$name.out" || cat "$name.err"
	info "$name"
	sed -n '/^traces/,/^$/p' "$name.info"
	rounds=$(sed -n 's/^clocks: \([0-9]*\) rounds.*/\1/p' "$name.out")
	expect "$name: offsets are within their bounds" python3 "$clocks/offsets.py" check "$SKEW" "$name"/*-trace
	expect "$name: measured offsets" grep -q ' 2 processes have measured offsets, ' "$name.info"
	expect "$name: all barriers are checked" test "$(count "$name" barriers)" -ge $((3 * ${rounds:-1}))
	expect "$name: collectives that synchronize are checked" test "$(count "$name" collectives)" = "${rounds:-1}"
	expect "$name: locks are checked" test "$(count "$name" 'lock hand-overs')" -gt 0
	expect "$name: causes come before effects" test "$(beyond "$name")" = 0
	expect "$name: the trace and the profile agree" "$heddle" info --check-trace "$name"
	causal "$name"

	cp -r "$name" "$name.stripped"
	python3 "$clocks/offsets.py" strip "$name.stripped"/*-trace
	info "$name.stripped"
	expect "$name: without offsets, the systems' clocks" grep -q " 2 processes have only their systems' clocks" "$name.stripped.info"
	expect "$name: as many barriers without offsets" test "$(count "$name.stripped" barriers)" = "$(count "$name" barriers)"
	expect "$name: effects before causes without offsets" test "$(beyond "$name.stripped")" -gt 0
	causal "$name.stripped"
}

try ahead "0:0 5:100 3:-100"
try behind "0:0 -4:100 -7:-100"
finish
