#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Sketches of a program with known accesses, on three ranks, each a separate node: exact if few elements are accessed,
# within the stated error otherwise; merged; compared with themselves; no sketches without --accesses.
set -u
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
need_network
heddle=$HEDDLE_BUILD/bin/heddle
failed=0
cd "$work" || exit 1
export UPC_NODE_SIZE=1 UCX_TLS=tcp,self
"$heddle" upcc -O2 -g --inst -o sketched "$here/sketched.upc" || exit 1

# value MEASUREMENT METRIC VARIABLE: prints the sum over all paths
value() {
	"$heddle" export --metric "$2" "$1" 2> /dev/null |
		awk -v name="upc_forall $3 " 'index($0, name) { sum += $NF } END { print sum + 0 }'
}

# expect MEASUREMENT VARIABLE METRIC LEAST MOST
expect() {
	local found
	found=$(value "$1" "$3" "$2")
	if [ "$found" -lt "$4" ] || [ "$found" -gt "$5" ]; then
		echo "FAILED: $1: $2: $3 is $found, not from $4 to $5"
		failed=1
	fi
}

# Two executions on each of three threads; three in which each thread accesses 4,000 elements; five on two threads.
expect_all() {
	expect "$1" few loop-executions 6 6
	expect "$1" few loop-gets 18000 18000
	expect "$1" few loop-puts 600 600
	expect "$1" few loop-elements 6000 6000
	expect "$1" few loop-elements-got 6000 6000
	expect "$1" few loop-elements-put 600 600
	expect "$1" few loop-lines 6 12
	expect "$1" few loop-runs 24 24
	expect "$1" few loop-regular 18500 18600
	expect "$1" few loop-near 0 0
	expect "$1" many loop-executions 3 3
	expect "$1" many loop-gets 12000 12000
	expect "$1" many loop-puts 0 0
	expect "$1" many loop-elements 10750 13250
	expect "$1" many loop-lines 36 42
	expect "$1" many loop-near 5997 5997
	expect "$1" block loop-executions 10 10
	expect "$1" block loop-gets 10 10
	expect "$1" outside loop-gets 0 0
}

launch "${found[0]}" 3 "$heddle" run --accesses --sample-hz 0 -o known -- ./sketched > output 2>&1 || { cat output; exit 1; }
expect_all known
launch "${found[0]}" 3 "$heddle" run --accesses -o sampled -- ./sketched > output 2>&1 || { cat output; exit 1; }
expect_all sampled
"$heddle" merge known -o merged.heddle > output 2>&1 || { cat output; failed=1; }
expect_all merged.heddle
launch "${found[0]}" 3 "$heddle" run --accesses --trace --sample-hz 0 -o traced -- ./sketched > output 2>&1 || failed=1
expect_all traced
"$heddle" info --check-trace traced > output 2>&1 || { echo "FAILED: the trace's values differ"; cat output; failed=1; }
launch "${found[0]}" 3 "$heddle" run --sample-hz 0 -o without -- ./sketched > output 2>&1 || failed=1
"$heddle" report --metric loop-gets without > output 2>&1
[ $? -eq 7 ] || { echo "FAILED: without --accesses there are values"; failed=1; }
grep -q 'heddle run --accesses' output || { echo "FAILED: the message does not name --accesses"; cat output; failed=1; }

# On one node, nothing is remote.
unset UPC_NODE_SIZE
"$heddle" run -n 3 --accesses --sample-hz 0 -o near -- ./sketched > output 2>&1 || failed=1
[ "$(value near loop-gets few)" -eq 0 ] || { echo "FAILED: accesses on one node are sketched"; failed=1; }
exit $failed
