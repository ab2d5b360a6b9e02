#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# report --callers: inverted call paths and callees of one function, with the total of --flat. Recursion counts once. A
# part of a name is accepted if it is a part of only one; otherwise there is one line of error.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

"$heddle" report m --callers 0x1300 --recursion --no-color | sed '1,/^$/d' | sed '/^total/,$!d' >got
cat >wanted <<'END'
total % % of it   cpu-time  callers
   70.0   100.0     3.50 s  cg+0x1300
   70.0   100.0     3.50 s  `- omp parallel @cg+0x1150
   70.0   100.0     3.50 s     `- cg+0x1100
   70.0   100.0     3.50 s        `- cg

total % % of it   cpu-time  callees
   70.0   100.0     3.50 s  cg+0x1300
   10.0    14.3     500 ms  `- cg+0x1300
END
sed 's/\xe2\x94\x94\xe2\x94\x80/`-/' got >ascii
compare_files() {
	diff "$1" "$2" || failed=1
}
compare_files wanted ascii
# Levels of recursion are folded, as in the tree.
"$heddle" report m --callers 0x1300 --no-color | sed '1,/^$/d' | sed '/^total/,$!d; s/\xe2\x94\x94\xe2\x94\x80/`-/' >ascii
sed '$d' wanted >folded
compare_files folded ascii
total=$("$heddle" report m --flat --min 0 --no-color | awk '/cg\+0x1300/ { print $2 }')
grep -q "^ *$total " got || { echo "--flat has $total"; failed=1; }

"$heddle" report m --callers 0x1 >out 2>err
status=$?
if [ $status -ne 3 ] || ! grep -q "several names contain '0x1': .*; give the whole name" err; then
	echo "several names: status $status"; cat err; failed=1
fi
"$heddle" report m --callers nobody >out 2>err
status=$?
if [ $status -ne 3 ] || [ "$(wc -l <err)" -ne 1 ] || ! grep -q "no function or region name contains 'nobody'" err; then
	echo "no name: status $status"; cat err; failed=1
fi
exit $failed
