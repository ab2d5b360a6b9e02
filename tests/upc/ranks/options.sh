#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Options of ranks, and refused starts: one line for all ranks, and no hang.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
. "$HEDDLE_SOURCE/tests/upc/ranks/lib.sh"
cd "$work" || exit 1
"$heddle" upcc -O1 -g "$HEDDLE_SOURCE/tests/upc/ranks/ranks.upc" -o ranks || { fail "does not compile"; finish; }

launcher_test() {
	launch options 3 ./ranks -shared-heap 1M -n 3
	expect "$launcher: options" all_right options 3
	launch more 2 ./ranks -n 3
	expect "$launcher: another number of threads is refused" status_is more 1
	expect "$launcher: another number of threads: one line" says_once more 'started 2 processes and -n or UPC_THREADS requests 3'
	launch heap 2 ./ranks -shared-heap 1X
	expect "$launcher: a wrong option: one line" says_once heap "not '1X'"
	launch alone 1 ./ranks -n 2
	expect "$launcher: one rank, two threads" says_once alone 'started 1 process and'
	expect "$launcher: nothing is left" none_left ranks
}
for_each_launcher launcher_test

# A program without the path of the plug-ins; it lacks the one for the network: one line, no hang.
"$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" -O1 "$HEDDLE_SOURCE/tests/upc/ranks/ranks.upc" -o bare
if command -v mpirun.mpich > /dev/null; then
	launcher=mpich
	UPC_NODE_SIZE=2 launch nodes 3 ./bare
	expect "several nodes need a network" status_is_not_0 nodes
	expect "no network: says so once" says_once nodes '2 nodes: that needs libheddle-upc-ucx.so'
fi

# Without the plug-in for PMIx: one line, no hang, and not a separate program in each rank.
if command -v mpirun.openmpi > /dev/null; then
	launcher=openmpi
	launch bare 3 ./bare
	expect "no plug-in: status 1" status_is bare 1
	expect "no plug-in: one line" says_once bare 'libheddle-upc-pmix.so'
	expect "no plug-in: no output" test ! -s bare.out
fi
finish
