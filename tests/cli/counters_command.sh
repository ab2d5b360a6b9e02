#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --metric and --sample-event of `heddle run`: unknown names are refused, with the nearest names; if something is not
# available on this system, one line reports that before the program runs without it.
set -u
. "$HEDDLE_SOURCE/tests/support/messages.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
heddle=$HEDDLE_BUILD/bin/heddle
unset "${!HEDDLE_SAMPLE@}" HEDDLE_METRICS HEDDLE_LIBPAPI
bad=0
check() { # MESSAGE COMMAND...
	local message=$1
	shift
	"$@" || { echo "FAILED: $message"; cat out; bad=1; }
}

# refused OPTION VALUE WORDS: exit status 2, one line with the words; the program does not run.
refused() {
	rm -rf o
	"$heddle" run "$1" "$2" -o o -- echo ran >out 2>&1
	check "$1 $2: exit status 2" [ $? -eq 2 ]
	check "$1 $2: one line like '$3'" grep -qE "^heddle: run: $1: .*$3" out
	check "$1 $2: nothing else" [ "$(wc -l <out)" -eq 1 ]
}
refused --metric page-fault "no counter is called 'page-fault'; nearest: page-faults, "
refused --metric page-faults,branch-mises "no counter is called 'branch-mises'; nearest: branch-misses, "
refused --metric 'page-faults{zz}' 'no counter is called'
refused --sample-event page-faults 'give EVENT@PERIOD'
refused --sample-event page-faults@0 'give EVENT@PERIOD'
refused --sample-event @ 'give EVENT@PERIOD'
refused --sample-event page-fults@10 "no counter is called 'page-fults'; nearest: page-faults"
refused --sample-event context-switches@1 'inside the kernel'
refused --sample-event task-clock@1 'at least 10000'
refused --sample-event 'two{1:1+1:2}@10000' 'several events'

# runs OPTION VALUE WORDS: the program runs after a line with the words.
runs() {
	rm -rf o
	"$heddle" run "$1" "$2" -o o -- echo ran >out 2>&1
	check "$1 $2: exit status 0" [ $? -eq 0 ]
	check "$1 $2: a line like '$3', then the program runs" [ "$(grep -nE "^heddle: $3" out | head -n 1 | cut -d: -f1)" = 1 ]
	check "$1 $2: the program ran" grep -qx ran out
}
# A type of perf events that no kernel has.
runs --metric 'strange{ffff:0},page-faults' "strange is not counted: .*; nearest: task-clock"
check "the other counters are counted" grep -q '^  page-faults ' <("$heddle" info o)
check "no other messages" [ "$(messages out | wc -l)" -eq 2 ]
runs --sample-event 'strange{ffff:0}@100000' "no samples by strange.*; nearest: the timer, which samples at 1000 Hz"
check "the timer samples" grep -qE 'sampling +.*1000 Hz' <("$heddle" info o)

export HEDDLE_LIBPAPI=/nowhere/libpapi.so
runs --metric PAPI_L2_DCM "PAPI_L2_DCM is not counted: .*PAPI.*; nearest: page-faults"
"$heddle" run --metric help >out 2>&1
check "the list says why PAPI's names are missing" grep -q "^no PAPI names: " out
check "the list has the other counters" grep -q "^  page-faults  *pages" out
unset HEDDLE_LIBPAPI

"$heddle" report o --metric page-faults >out 2>&1
check "a counter that was not counted: how to get it" grep -q 'was not counted in o: measure with `heddle run --metric page-faults`' out
exit $bad
