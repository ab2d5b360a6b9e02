#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Time charged to functions, step by step: periods that end in time or late, time in the kernel, the kernel's tick,
# threads that switch often, do not run, or end. On a simulated machine, to the nanosecond.
. "${BASH_SOURCE%/*}/lib.sh"
simulate
compile scripted scripted.c

# steps NAME STEP...
steps() {
	local name=$1
	shift
	measured "$name" "$work/scripted" "$@"
	expect "$name: ends well" ended "$name" "exit 0"
	folded "$name" --metric cpu-time
	expect "$name: Heddle has nothing to say" test "$(heddle_lines "$name")" = 0
}

# has NAME FUNCTION=NANOSECONDS...: the CPU time of paths that end in these functions; no other path has any
has() {
	local name=$1 word sum=0
	shift
	for word; do
		expect "$name: $word ns by CPU time" is_sum "$name" "(^|;)(burn_)?${word%=*}(;simulated_[a-z_]*)*$" "${word#*=}"
		sum=$((sum + ${word#*=}))
	done
	expect "$name: the sum of all paths" is_sum "$name" . "$sum"
}
# signals NAME SOURCE COUNT
signals() {
	expect "$1: $3 signals by $2" grep -qE "$2: $3 signals?," <("$heddle" info "$work/$1.heddle.d" | grep -A 3 'sampled by')
}

# Each period is charged to one function; the rest at the end is charged to the last sample's.
steps whole a:5000 b:3000 c:2000
has whole a=5000000 b=3000000 c=2000000
signals whole 'perf task-clock' 10
steps rest a:5000 b:3600
has rest a=5000000 b=3600000

# A sample is charged its whole period; functions that begin and end between two samples are charged nothing.
steps between a:1000 b:300 c:300 a:400
has between a=2000000

# 3 ms late: by the clock, 4 ms have passed, all of which is charged to the function at that time.
steps late a:1000 late:3000 a:500 b:4500
has late a=1000000 b=5000000
expect "late: info reports late periods" grep -q ' 3 periods ended without a signal; ' <("$heddle" info "$work/late.heddle.d")

# If time in the kernel can be sampled, it is charged where the kernel was entered; otherwise to the next sample.
steps kernel a:1000 a.kernel:5000 b:1000
has kernel a=6000000 b=1000000
export HEDDLE_SIMULATED=trap=0
steps outside a:1000 a.kernel:5000 b:1000
has outside a=1000000 b=6000000

# While the thread does not run, no CPU time and no period passes.
steps away a:1500 away:50000 a:500 b:1000
has away a=2000000 b=1000000

# Sampled at the tick, of four periods: half of the time due is left to the next sample, which evens out the bias.
export HEDDLE_SIMULATED=perf=0,tick=4000000
steps tick a:4000 b:4000 a:4000
signals tick 'POSIX timer on thread CPU time' 3
has tick a=9000000 b=3000000
unset HEDDLE_SIMULATED

# 100 switches before the first sample are more than 3000 a second: from then on samples are at the tick, of 4 periods.
# Half of the time due is charged: 1.5 of 3 ms, 2.75 of 5.5, 3.375 of 6.75, 3.6875 of 7.375, and then b's; the rest is
# charged to the last sample.
steps switches switches:100 a:16000 b:8000
signals switches 'perf task-clock' 1
signals switches 'POSIX timer on thread CPU time' 6
has switches a=$((1000000 + 1500000 + 2750000 + 3375000 + 3687500)) b=11687500
# After 20 ms with few switches, perf's clock is used again.
export HEDDLE_SIMULATED=cycles=1
steps cycles switches:100 a:16000 b:8000 c:100000
signals cycles 'perf cycles' 21
signals cycles 'perf task-clock' 103
unset HEDDLE_SIMULATED

# Each thread has its own periods and its own rest. The time of a thread without samples is charged to its function.
steps threads a:1500 thread b:2500 end thread c:300 end a:1500
has threads a=3000000 b=2500000 worker=300000
finish
