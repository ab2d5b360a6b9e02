# SPDX-License-Identifier: BSD-3-Clause
# For tests of parts of a run, after measurement.sh: the measurement `parted` of two threads on one processor. The
# second thread begins after half of the time; before that, one sample has 1 ms of CPU time.
make_trace=$HEDDLE_BUILD/tests/make_trace
mkdir parted
"$make_profile" parted/a.heddle <<'END' || exit 1
process program /opt/cg/parted
argument ./parted
process host node7
process pid 100
process start_unix_ns 1700000000000000000
process duration_ns 1000000000
process cpu_ns 900000000
process processors 01
process ended_by exit
process sample_source perf task-clock
process sample_clock cpu
process sample_hz 1000
process samples_late 700
process samples_paused 50
sampled-by 2 450000000 perf task-clock
sampled-by 1 450000000 posix timer
module 1 1 - /nowhere/parted
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1000
thread 0 0 main
value samples 1 2
value cpu-time 1 450000000
thread 1 1 openmp worker
thread-field start_ns 500000000
value samples 1 1
value cpu-time 1 450000000
END
"$make_trace" parted/a.heddle-trace <<'END' || exit 1
nodes 2
thread 0
mark 0 thread-begin
sample 100000000 1 1 1000000 0
sample 600000000 1 1 449000000 0
mark 1000000000 thread-end
thread 1 500000000
mark 0 thread-begin
sample 100000000 1 1 450000000 0
mark 500000000 thread-end
END
