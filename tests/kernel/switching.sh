#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Threads that switch often are sampled by a timer that switches do not disturb, others at the requested rate. Shares
# and sums are right in both cases, with more threads than processors. At the kernel's tick, 8 s of CPU time are 2,000
# samples, and the standard deviation of a share of 30 % is above a percentage point: the tolerance is four standard
# deviations. Threads that sleep by timers are in step with the ticks, which interrupt them at few points of their loop:
# for them it is wider. (A source that samples waiting threads is wrong by 50 points.)
. "${BASH_SOURCE%/*}/../run/lib.sh"

# cpu_by NAME SOURCE: ms of CPU time charged by this source's samples.
cpu_by() {
	timeout "$seconds" "$heddle" info "$work/$1.heddle.d" | grep -A 3 'sampled by' | grep -oE "$2: [0-9,]+ signals, [0-9.]+ (us|ms|s)" |
		awk '{ f = $NF == "s" ? 1000 : $NF == "ms" ? 1 : .001; ms += f * $(NF - 1) } END { printf "%.0f\n", ms }'
}

# shares NAME THREADS WAY MILLISECONDS
shares() {
	measured "$1" "$work/switching" "$2" "$3" "$4"
	tolerance=5
	[ "$3" != sleeps ] || tolerance=14
	expect "$1: runs" ended "$1" "exit 0"
	truth_whole "$1"
	truth_shares "$1" <<- 'TABLE'
		burn_short (^|;)burn_short(;|$)
		burn_long (^|;)burn_long(;|$)
	TABLE
}

# by NAME SOURCE PERCENT: this source has sampled at least so much of the CPU time.
by() { between "$(($(path_sum "$1" .) * $3 / 100000000))" "$(cpu_by "$1" "$2")" 1e9; }

compile switching switching.c
perf='perf task-clock' posix='POSIX timer on thread CPU time' rare="$posix"
measured probe "$work/switching" 1 works 50
"$heddle" info "$work/probe.heddle.d" | grep -q "$perf" || skip "perf events are forbidden here"
measured cycles "$work/switching" 2 sleeps 200
if "$heddle" info "$work/cycles.heddle.d" | grep -q 'perf cycles'; then rare='perf cycles'; fi

shares works 4 works 500
expect "works: sampled at the requested rate" by works "$perf" 1 # others may preempt it often
for way in yields sleeps; do
	shares "$way" 4 "$way" 2000
	expect "$way: not by perf's clock" by "$way" "$rare" 60
done
run_options=(--sample-source posix)
shares posix 4 sleeps 2000
expect "posix: sampled by the requested source only" test "$(cpu_by posix "$perf")" = 0
run_options=(--sample-source perf)
shares perf 2 yields 500
expect "perf: sampled by the requested source only" test "$(cpu_by perf "$rare")" = 0
finish
