#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads that live for about a period or less: the CPU time of their paths is theirs, and their first period has its
# share. Those that live while measurement is off are not in it.
. "${BASH_SOURCE%/*}/lib.sh"

compile short_threads short_threads.c -I "$HEDDLE_SOURCE/include"
truth() { awk -v f="$2" 'f == "" || $1 == f { sum += $2 } END { printf "%.0f\n", sum }' "$work/$1.out"; }
percent() { awk -v part="$1" -v all="$2" 'BEGIN { printf "%.2f\n", 100 * part / all }'; }

# threads NAME COUNT BEGIN MIDDLE END [stop]
threads() {
	local name=$1
	shift
	measured "$name" "$work/short_threads" "$@"
	expect "$name: runs" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
}
time_of() { percent "$(path_sum "$1" '(^|;)burn_in_thread(;|$)')" "$(truth "$1" '')"; }

# About half of them are sampled, at a time that is random.
hz=100
threads half 60 0 5 0
expect "half a period: the CPU time is the threads', in percent" between 98 "$(time_of half)" 106

threads three 60 5 20 5
expect "three periods: the CPU time is the threads', in percent" between 98 "$(time_of three)" 106
for part in begin middle end; do
	all=$(path_sum three '(^|;)burn_(begin|middle|end)(;|$)')
	share=$(percent "$(path_sum three "(^|;)burn_$part(;|$)")" "$all")
	expected=$(percent "$(truth three burn_$part)" "$(truth three '')")
	echo "  burn_$part: truth $expected %, measured $share %"
	expect "three periods: the share of burn_$part" \
		between "$(awk -v x="$expected" 'BEGIN { print x - 8 }')" "$share" "$(awk -v x="$expected" 'BEGIN { print x + 8 }')"
done

# Most end before their first sample, which is what finds the others paused.
threads stopped 60 0 5 0 stop
expect "while measurement is stopped: nothing, in percent" between 0 "$(time_of stopped)" 3
HEDDLE_START_PAUSED=1 threads never 60 0 5 0
expect "never started: nothing, in percent" between 0 "$(time_of never)" 3
finish
