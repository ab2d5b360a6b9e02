#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Waiting for locks in `heddle report`: in the findings, by threads as a share of elapsed time, and its blame by path,
# function and line.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

locks_thread() { # id, OpenMP number, role, lock wait
	cat <<END
thread $1 $2 $3
thread-field wall_ns 2000000000
value samples 3 400
value samples 6 300
value cpu-time 3 400000000
value cpu-time 5 20000000
value cpu-time 6 300000000
value wall-time 3 400000000
value wall-time 5 $4
value wall-time 6 300000000
END
}
locks_process() {
	cat <<END
process program /opt/own/own
argument ./own
process host node7
process pid 300
process start_unix_ns 1700000000000000000
process duration_ns 2000000000
process cpu_ns 1440000000
process ended_by exit
process sample_source perf task-clock
process sample_clock cpu
process sample_hz 1000
event 1 openmp 1 ompt_callback_parallel omp parallel
event 2 openmp 0 ompt_callback_mutex_acquired:lock omp lock
event 3 openmp 5 ompt_callback_mutex_acquire:lock omp lock wait
module 1 1 - /nowhere/own
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1100
node 1 REGION 1 1 1150
node 2 FRAME 0 1 1200
node 2 REGION 2 1 1160
node 2 REGION 3 1 1160
node 4 FRAME 0 1 1300
node 4 STATE 14 0 0
END
}
blame() { # lock blame by node
	printf 'value %s %s\n' "lock-blame" "4 1000000" "lock-blame" "6 1400000000" "lock-blame" "7 999000000"
	printf 'value %s %s\n' "blame" "4 1000000" "blame" "6 1400000000" "blame" "7 999000000"
}
mkdir locks
{
	locks_process
	locks_thread 0 0 main 1200000000
	blame
	locks_thread 1 1 "openmp worker" 1200000000
} | "$make_profile" locks/a.heddle || exit 1
mkdir unblamed few
{
	locks_process
	locks_thread 0 0 main 1200000000
	printf 'thread 1 -1 heddle\nthread-field wall_ns 2000000000\n' # its time is not the program's
} | "$make_profile" unblamed/a.heddle || exit 1
{
	locks_process
	locks_thread 0 0 main 20000000
} | "$make_profile" few/a.heddle || exit 1

# Omits the first lines, which another test checks.
report() {
	"$heddle" report "$@" >whole || return
	tail -n +5 whole
}
check report_locks report locks
check report_locks_blame report locks --blame
check report_locks_blame_flat report locks --blame --flat
check report_locks_blame_flat_stats report locks --blame --flat --stats
check report_locks_blame_lines report locks --blame --lines
check report_locks_threads report locks --threads
"$heddle" report --flat unblamed >out && grep -q '^lock wait is 60 % of the threads. time (1.20 s); `heddle run --blame` says why$' out ||
	{ echo "without blame: lock wait is not at the top"; cat out; failed=1; }
"$heddle" report --flat few >out && ! grep '^lock wait' out || { echo "little lock wait is at the top"; failed=1; }
"$heddle" report locks --blame --flat --metric cpu-time >out && grep -q 'cpu-time  function' out ||
	{ echo "a named metric is not shown flat beside the blame"; failed=1; }
"$heddle" report unblamed --blame --lines >out && grep -q '^No blame was measured' out && ! grep -q cpu-time out ||
	{ echo "without blame there are lines of something else"; cat out; failed=1; }
exit $failed
