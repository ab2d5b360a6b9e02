#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs that close descriptors they never opened, have few of them, or none for output.
. "${BASH_SOURCE%/*}/lib.sh"

compile files files.c
for way in close_all close_in_threads few lowest; do
	same_behaviour "$way" "$work/files" "$way"
done
folded few --metric cpu-time
expect "few: its threads were sampled" between 2e8 "$(path_sum few '(^|;)burn_here(;|$)')" 4.5e8

bare standard.bare "$work/files" close_standard "$work/bare.txt"
measured standard "$work/files" close_standard "$work/measured.txt"
expect "without standard descriptors: same outcome" ended standard "$(outcome standard.bare)"
expect "without standard descriptors: its files are its own" cmp "$work/bare.txt" "$work/measured.txt"
expect "without standard descriptors: a profile file" test "$(profile_files standard)" = 1

# The same when Heddle has something to say: not into what is descriptor 2 now.
rm "$work/measured.txt"
HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT=/proc/none LD_PRELOAD=$library \
	bare complaint "$work/files" close_standard "$work/measured.txt"
expect "no place to write: same outcome" ended complaint "$(outcome standard.bare)"
expect "no place to write: its files are its own" cmp "$work/bare.txt" "$work/measured.txt"
finish
