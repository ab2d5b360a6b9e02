#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle diff`: tables, several runs, exit status, and what it refuses.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/compared_measurements.sh"

check diff_one "$heddle" diff b1 a1
check diff_several "$heddle" diff b1 b2 b3 -- a1 a2 a3 --min 0
check diff_flat "$heddle" diff --flat b1 b2 b3 -- a1 a2 a3
check diff_visits "$heddle" diff b1 b2 -- a1 a2 --metric visits

# Merged files have the same differences.
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
run_of slow cg 50 16000000000 1000000000 ''
status 8 "$heddle" diff b1 slow --fail-above 150%
status 0 "$heddle" diff b1 slow --fail-above 170
status 8 "$heddle" diff a1 a2 a3 -- b1 b2 b3 --fail-above 20
status 0 "$heddle" diff a1 a3 -- a2 a1 --fail-above 0 # more, but not significantly
grep -q 'not significant' out || { echo "the report does not say 'not significant'"; failed=1; }

check diff_markdown "$heddle" diff --format markdown b1 b2 b3 -- a1 a2 a3
check diff_markdown_one "$heddle" diff --format markdown b1 a1
check diff_junit "$heddle" diff --format junit --fail-above 20 a1 a2 a3 -- b1 b2 b3
check diff_junit_passes "$heddle" diff --format junit --fail-above 20 b1 -- a1
refuses 2 'is unknown' "$heddle" diff --format xml b1 a1
# Names with characters that a table or a document interprets.
fresh='a|b<c>&*d"' run_of m1 'c|g<&"' 50 4000000000 1000000000 900000000
"$heddle" diff --format markdown b1 m1 | grep -qF '| a\|b\<c\>\&\*d" | 0 ns | 900 ms | new |' || { echo "no escaped name"; failed=1; }
for format in 'a1 a2 a3 -- b1 b2 b3' 'b1 m1' 'm1 a1'; do
	# shellcheck disable=SC2086 # several words
	"$heddle" diff --format junit --fail-above 0 $format |
		python3 -c 'import sys, xml.etree.ElementTree as tree; assert tree.parse(sys.stdin).getroot().tag == "testsuites"' ||
		{ echo "^ no XML: $format"; failed=1; }
done
refuses 2 'two sides' "$heddle" diff b1
refuses 2 'two sides' "$heddle" diff b1 b2 b3
refuses 2 'two sides' "$heddle" diff b1 --
refuses 2 'two sides' "$heddle" diff -- b1
refuses 2 'two sides' "$heddle" diff b1 -- b2 -- a1
refuses 2 'two sides' "$heddle" diff b1 -- a1 --
refuses 3 'does not exist' "$heddle" diff b1 nowhere
refuses 2 "--metric: 'nonsense' is unknown" "$heddle" diff b1 a1 --metric nonsense
refuses 7 'no values' "$heddle" diff b1 a1 --metric wall-time
for share in -1 x nan inf 1e400 5%%; do
	refuses 2 "--fail-above" "$heddle" diff b1 a1 --fail-above "$share"
done
refuses 2 'unknown' "$heddle" diff b1 -- a1 --sort

# A run counts only once on its side; it may be on both sides.
started=5000000000 run_of first cg 50 4000000000 1000000000 ''
started=6000000000 run_of second cg 50 4000000000 1000000000 ''
cp -r first copy
refuses 2 'are the same run' "$heddle" diff first copy -- b1 b2
refuses 2 'are the same run' "$heddle" diff b1 b2 -- copy second first
"$heddle" diff b1 first -- copy second | grep -qx 'note: first and copy are the same run' ||
	{ echo "no note about a run on both sides"; failed=1; }
status 0 "$heddle" diff first copy
status 0 "$heddle" diff first second -- copy second
exit $failed
