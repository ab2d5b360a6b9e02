#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs that close descriptors they never opened, have few descriptors, or no standard output.
. "${BASH_SOURCE%/*}/lib.sh"

compile files files.c
for way in close_all close_in_threads few lowest; do
	same_behaviour "$way" "$work/files" "$way"
done
folded few --metric cpu-time
expect "few: its threads were sampled" has_path few '(^|;)burn_here(;|$)'

# Sampling continues after a program has closed Heddle's descriptors, or opened its own with their numbers.
for way in one_by_one range from over; do
	same_behaviour "lose-$way" "$work/files" lose "$way"
	folded "lose-$way" --metric cpu-time
	# The times are 120 and 260 ms. A sample may be late; a thread without samples lacks its whole later part.
	expect "lose $way: samples before the descriptors are closed" has_path "lose-$way" '(^|;)burn_here(;|$)'
	expect "lose $way: samples after the descriptors are closed" has_path "lose-$way" '(^|;)burn_later(;|$)'
	expect "lose $way: all threads' time" between 3.6e8 "$(path_sum "lose-$way" .)" 1e10
done

# Events held only by descriptors end. A note says so, and the unknown time is charged to no function.
run_options=(--sample-source perf)
(ulimit -l 0 && measured lost "$work/files" lose one_by_one)
run_options=()
folded lost --metric cpu-time
if "$heddle" info "$work/lost.heddle.d" | grep -q 'perf task-clock'; then
	expect "lost: a note" grep -q 'closed descriptors of Heddle' <<< "$("$heddle" info "$work/lost.heddle.d")"
	expect "lost: the time before" has_path lost '(^|;)burn_here(;|$)'
	expect "lost: no function has the time afterwards, of 260 ms" between 0 "$(path_sum lost '(^|;)(close_one_by_one|burn_later)(;|$)')" 1.3e8
	expect "lost: the whole time" between 3.6e8 "$(path_sum lost .)" 1e10
else
	echo "not checked: events that are lost (perf is not allowed here)"
fi

bare standard.bare "$work/files" close_standard "$work/bare.txt"
measured standard "$work/files" close_standard "$work/measured.txt"
expect "without standard descriptors: same outcome" ended standard "$(outcome standard.bare)"
expect "without standard descriptors: its files are its own" cmp "$work/bare.txt" "$work/measured.txt"
expect "without standard descriptors: a profile file" test "$(profile_files standard)" = 1

# The same when Heddle prints a message: it must not write to the file that now has descriptor 2.
rm "$work/measured.txt"
bare complaint env HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=/proc/none LD_PRELOAD="$library" "$work/files" close_standard "$work/measured.txt"
expect "no place to write: same outcome" ended complaint "$(outcome standard.bare)"
expect "no place to write: its files are its own" cmp "$work/bare.txt" "$work/measured.txt"
finish
