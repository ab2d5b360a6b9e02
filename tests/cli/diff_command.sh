#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle diff`: tables, several runs, exit status, what it refuses.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

run_of() { # directory, program, line of the first get, kernel's time, the gets' time, time of a function that is new or ""
	mkdir "$1"
	"$make_profile" "$1/a.heddle" <<END2
process program /opt/$2
process sample_source perf
event 3 upc 8 GASP_UPC_GET get
event 4 upc 4 GASP_UPC_BARRIER barrier
string cg.upc
string solve
string kernel
string fresh
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 1
source 1 3 0 $3
source 1 3 0 $(($3 + 10))
node 1 FUNCTION 0 0 2
source 4 4 0 $(($3 + 40))
node 1 FUNCTION 0 0 3
thread 0 -1 main
value cpu-time 2 $5
value cpu-time 3 2000000000
value cpu-time 4 $4
value cpu-time 5 500000000
${6:+value cpu-time 6 $6}
value visits 2 100
END2
}
run_of b1 cg 50 4000000000 1000000000 ''
run_of b2 cg 50 4100000000 1010000000 ''
run_of b3 cg 50 3900000000 990000000 ''
run_of a1 cg-new 57 2000000000 1012000000 300000000
run_of a2 cg-new 57 2100000000 985000000 310000000
run_of a3 cg-new 57 1900000000 1005000000 290000000

check diff_one "$heddle" diff b1 a1
check diff_several "$heddle" diff b1 b2 b3 -- a1 a2 a3 --min 0
check diff_flat "$heddle" diff --flat b1 b2 b3 -- a1 a2 a3
check diff_visits "$heddle" diff b1 b2 -- a1 a2 --metric visits

# Merged files serve as well.
for run in b1 b2 a1 a2; do "$heddle" merge $run -o $run.heddle || failed=1; done
"$heddle" diff b1 b2 -- a1 a2 | tail -n +3 >directories
"$heddle" diff b1.heddle b2.heddle -- a1.heddle a2.heddle | tail -n +3 | diff directories - || { echo "^ merged"; failed=1; }

status() { # wanted, command...
	wanted=$1
	shift
	"$@" >out 2>err
	got=$?
	[ $got -eq "$wanted" ] || { echo "$*: exit status $got, wanted $wanted"; cat err; failed=1; }
}
status 0 "$heddle" diff b1 a1 --fail-above 0
status 8 "$heddle" diff a1 b1 --fail-above 20
status 0 "$heddle" diff a1 b1 --fail-above 40
status 8 "$heddle" diff a1 a2 a3 -- b1 b2 b3 --fail-above 20
status 0 "$heddle" diff a1 a3 -- a2 a1 --fail-above 0 # more, and not significant
grep -q 'not significant' out || { echo "not significant is not said"; failed=1; }

refuses 2 'two sides' "$heddle" diff b1
refuses 2 'two sides' "$heddle" diff b1 b2 b3
refuses 2 'two sides' "$heddle" diff b1 --
refuses 2 'two sides' "$heddle" diff -- b1
refuses 3 'does not exist' "$heddle" diff b1 nowhere
refuses 2 "--metric: 'nonsense' is unknown" "$heddle" diff b1 a1 --metric nonsense
refuses 7 'no values' "$heddle" diff b1 a1 --metric wall-time
refuses 2 'unknown' "$heddle" diff b1 -- a1 --sort
exit $failed
