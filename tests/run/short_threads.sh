#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads that live for about a period or less: the CPU time of their paths is theirs, and their first period has its
# share. Those that live while measurement is off are not in it. On a virtual machine, the time that the host takes away
# may count as CPU time, also while a thread begins or ends, which Heddle does with system calls: so the truth is between
# what the threads took up to the end of their function and what they took in all.
. "${BASH_SOURCE%/*}/lib.sh"

compile short_threads short_threads.c -I "$HEDDLE_SOURCE/include"
truth() { awk -v f="$2" '$1 ~ f { sum += $2 } END { printf "%.0f\n", sum }' "$work/$1.out"; }
percent() { awk -v part="$1" -v all="$2" 'BEGIN { printf "%.2f\n", 100 * part / all }'; }

# threads NAME COUNT BEGIN MIDDLE END [stop]
threads() {
	local name=$1
	shift
	measured "$name" "$work/short_threads" "$@"
	expect "$name: runs" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
}
time_of() { path_sum "$1" '(^|;)burn_in_thread(;|$)'; }
# is_whole NAME: from 98 % of the one to 106 % of the other
is_whole() { between "$(($(truth "$1" lived) * 98 / 100))" "$(time_of "$1")" "$(($(truth "$1" threads) * 106 / 100))"; }
is_nothing() { between 0 "$(percent "$(time_of "$1")" "$(truth "$1" lived)")" 3; }

# About half of them are sampled, at a time that is random.
hz=100
threads half 60 0 5 0
expect "half a period: the CPU time is the threads'" is_whole half

threads three 60 5 20 5
expect "three periods: the CPU time is the threads'" is_whole three
for part in begin middle end; do
	all=$(path_sum three '(^|;)burn_(begin|middle|end)(;|$)')
	share=$(percent "$(path_sum three "(^|;)burn_$part(;|$)")" "$all")
	expected=$(percent "$(truth three burn_$part)" "$(truth three burn)")
	echo "  burn_$part: truth $expected %, measured $share %"
	expect "three periods: the share of burn_$part" \
		between "$(awk -v x="$expected" 'BEGIN { print x - 8 }')" "$share" "$(awk -v x="$expected" 'BEGIN { print x + 8 }')"
done

# Most end before their first sample, which is what finds the others paused.
threads stopped 60 0 5 0 stop
expect "while measurement is stopped: nothing, in percent" is_nothing stopped
HEDDLE_START_PAUSED=1 threads never 60 0 5 0
expect "never started: nothing, in percent" is_nothing never
finish
