#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A profile of the events of UPC programs is the same whether the threads share memory or each is on a separate node,
# with each launcher: the same regions at the same places, with equal visits. Differences: accesses of other threads'
# memory are same-node in the first case and remote in the second, where the data of nonblocking transfers has separate
# regions.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
need_network
cd "$work" || exit 1
export OMP_NUM_THREADS=1

# measure TRANSPORT COMMAND...: with two threads
measure() {
	rm -rf "out.$1"
	if [ "$1" = memory ]; then
		timeout "$seconds" "$heddle" run --sample-hz 0 -n 2 -o out.memory -- "${@:2}" > printed 2> messages
	else
		UPC_NODE_SIZE=1 UCX_TLS=tcp,self timeout "$seconds" bash -c "$(declare -f launch); launch \"\$@\"" - "$1" 2 \
			"$heddle" run --sample-hz 0 -o "out.$1" -- "${@:2}" > printed 2> messages < /dev/null
	fi || { head -5 printed messages; false; }
}

# values TRANSPORT METRIC: prints the values of all paths that have any
values() { "$heddle" export "out.$1" --format folded --metric "$2" 2> export.err | grep -v ';\?upc nb \(sync\|get data\|put data\) @[^;]* [0-9]*$' | sort; }
some() { [ -n "$(values "$1" "$2")" ]; }
equal() { diff <(values memory "$1") <(values "$launcher" "$2"); }
none() { [ -z "$(values "$1" "$2")" ]; }
# Counts the lines that `values` leaves out.
data() { "$heddle" export "out.$launcher" --format folded --metric visits | grep -c '^main;.*upc nb sync @.*;upc nb [a-z]* data @'; }

# compare NAME: compares the measurement in shared memory with the launcher's
compare() {
	expect "$1, $launcher: regions" equal visits visits
	expect "$1, $launcher: there are regions" some "$launcher" visits
	expect "$1, $launcher: local accesses" equal local-accesses local-accesses
	expect "$1, $launcher: remote accesses" equal same-node-accesses remote-accesses
	expect "$1, $launcher: there are remote accesses" some "$launcher" remote-accesses
	expect "$1, $launcher: remote bytes" equal same-node-bytes remote-bytes
	expect "$1, $launcher: no same-node accesses" none "$launcher" same-node-accesses
	expect "$1, memory: no remote accesses" none memory remote-accesses
}

# try SOURCE ARGUMENT...
try() {
	name=$(basename "$1" .upc)
	"$heddle" upcc -O2 -g -fopenmp --inst --inst-functions --inst-local -I"$HEDDLE_SOURCE/include/heddle" "$1" -lm -o "$name" ||
		{ fail "$name does not compile"; return; }
	expect "$name: measured in shared memory" measure memory "./$name" "${@:2}"
	for launcher in "${found[@]}"; do
		expect "$name: measured by $launcher" measure "$launcher" "./$name" "${@:2}"
		compare "$name"
		[ "$name" != events ] || expect "$launcher: data of both transfers" test "$(data)" = 2
	done
}

try "$HEDDLE_SOURCE/tests/upc/programs/measured.upc"
try "$HEDDLE_SOURCE/tests/upc/library/events.upc"
try "$HEDDLE_SOURCE/examples/cg.upc" 2
try "$HEDDLE_SOURCE/examples/plate.upc" 12 10
finish
