#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Time in the kernel is charged where the program entered it: always with the POSIX timer, with perf's clock if it may
# observe the kernel. `heddle info` shows which is the case. Shares may be off by 4 percentage points of 900 samples,
# whose standard deviation is 1.6. At the kernel's tick there are 225 samples or fewer: 14 points are half of the error
# if time were charged at the wrong place.
. "${BASH_SOURCE%/*}/../run/lib.sh"

compile kernel_time kernel_time.c

shares() {
	measured "$1" "$work/kernel_time"
	expect "$1: runs" ended "$1" "exit 0"
	truth_whole "$1"
	truth_shares "$1" <<- 'TABLE'
		burn_outside (^|;)burn_outside(;|$)
		burn_faults (^|;)burn_faults(;|$)
		burn_calls (^|;)burn_calls(;|$)
	TABLE
}
says() { timeout "$seconds" "$heddle" info "$work/$1.heddle.d" | grep -F "$2: " | grep -qF "$3"; }

entered='is attributed to the calling code' next='is charged to the next sample'
run_options=(--sample-source posix)
tolerance=14 # 300 samples at the kernel's tick; all in the wrong place would be off by more than twice that
shares posix
tolerance=4
expect "posix: heddle info names the source and where kernel time goes" says posix 'POSIX timer on thread CPU time' "$entered"

# With another signal than SIGTRAP, perf's clock does not sample the kernel.
run_options=(--sample-source perf --sample-signal 23)
measured outside "$work/kernel_time"
truth_whole outside
if says outside 'perf task-clock' ''; then
	expect "outside: heddle info names the source and where kernel time goes" says outside 'perf task-clock' "$next"
	run_options=(--sample-source perf)
	measured inside "$work/kernel_time"
	if says inside 'perf task-clock' "$entered"; then
		shares inside
	else
		echo "not checked: perf may not observe the kernel here (perf_event_paranoid, or Linux before 5.19)"
	fi
fi
finish
