#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads that live for about a period or less: the CPU time of their paths is the threads', and their first period is
# charged its share. Threads that live while measurement is off are not included. On a simulated machine with random
# first periods.
. "${BASH_SOURCE%/*}/lib.sh"

compile short_threads short_threads.c -I "$HEDDLE_SOURCE/include"
simulate
export HEDDLE_SIMULATED=first=1

# threads NAME COUNT BEGIN MIDDLE END [stop]
threads() {
	local name=$1
	shift
	measured "$name" "$work/short_threads" "$@"
	expect "$name: runs" ended "$name" "exit 0"
}
has() {
	folded "$1" --metric cpu-time
	expect "$1: $2 ns of CPU time" is_sum "$1" '(^|;)burn_in_thread(;|$)' "$2"
}

# About half of the threads are sampled, at a random time.
hz=100
threads half 60 0 5 0
has half 300000000

# With 600 threads, the share of burn_begin or burn_end, 16.7 %, has a standard deviation of 0.7 points.
threads three 600 5 20 5
has three 18000000000
for part in begin:5 middle:20 end:5; do
	expected=$((100 * ${part#*:} / 30))
	share=$(($(path_sum three "(^|;)burn_${part%:*}(;|$)") / 180000000))
	echo "  burn_${part%:*}: truth $expected %, measured $share %"
	expect "three periods: the share of burn_${part%:*}" between $((expected - 8)) "$share" $((expected + 8))
done

# Most threads end before their first sample, at which the other ones notice that measurement is paused.
threads stopped 60 0 5 0 stop
has stopped 0
expect "stopped: what was done afterwards" is_sum stopped 'burn_after' 20000000
HEDDLE_START_PAUSED=1 threads never 60 0 5 0
expect "never started: no CPU time" grep -q "'cpu-time' has no values" <("$heddle" export "$work/never.heddle.d" --metric cpu-time 2>&1)
finish
