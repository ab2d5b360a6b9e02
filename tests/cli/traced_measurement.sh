# SPDX-License-Identifier: BSD-3-Clause
# For tests of exported traces, after measurement.sh: a measurement `t` with a trace written by the test, of two
# processes of a UPC program; the first one also has an OpenMP worker. Ticks are ns.
make_trace=$HEDDLE_BUILD/tests/make_trace
mkdir t
traced_process() { # pid
	cat <<END
process program /opt/heat/heat
argument ./heat
process host node7
process machine x86_64
process pid $1
process start_unix_ns 1700000000000000000
process duration_ns 20000
process ended_by exit
process heddle_version 0.1.0
process sample_source perf task-clock
process sample_hz 1000
event 1 upc 8 GASP_UPC_GET upc get
event 2 upc 8 GASP_UPC_PUT upc put
event 3 upc 4 GASP_UPC_BARRIER upc barrier
event 4 openmp 1 ompt_callback_parallel omp parallel
event 5 openmp 2 ompt_callback_task_create omp task
event 6 upc 8 GASP_UPC_NB_GET_INIT upc nb get
event 7 upc 8 GASP_UPC_NB_SYNC upc nb sync
event 8 upc 5 GASP_UPC_LOCK upc lock
event 9 upc 8 GASP_UPC_UNLOCK upc unlock
role 4
phase step
string /home/you/heat.upc
string step=%d
module 1 1 - /nowhere/heat
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1100
node 1 PHASE 0 0 0
source 2 1 1 57
source 2 2 1 58
source 1 3 1 60
source 1 4 1 70
source 6 5 1 71
node 0 STATE 2 0 0
node 2 FRAME 0 1 1200
source 2 6 1 61
source 2 7 1 62
source 2 8 1 63
source 2 9 1 64
END
}
{
	traced_process 300
	printf 'thread 0 -1 main\nthread-field rank 1\nthread-field tid 300\nvalue samples 9 2\nvalue visits 2 1\n'
	printf 'thread 1 1 openmp worker\nthread-field tid 301\n'
} | "$make_profile" t/a.heddle || exit 1
{
	traced_process 400
	printf 'thread 0 -1 main\nthread-field rank 2\nthread-field tid 400\nvalue samples 9 1\n'
} | "$make_profile" t/b.heddle || exit 1
"$make_trace" t/a.heddle-trace <<'END' || exit 1
info 1000 0 0 1700000000000000000 9000
nodes 14
chunk 0 0 1000 0
stack 0 0
# A phase with a blocking get, two samples, a user event's argument, a put, a nonblocking get.
begin 100 2
argument 2 1 3 7
begin 100 3
access 3 6 1 8
sample 10 9 1 1000000 0
end 50
begin 50 4
access 4 1 1 16
access 4 2 0 24
end 50
sample 10 9 1 1000000 0
begin 100 10
access 10 6 1 1024
argument 10 0 0 1024
attribute 1 4711
end 20
add 3 4 5
begin 30 11
add 10 9 60
end 40
end 100
# A parallel region with a task, which the worker executes, with a switch back in between.
visit 0 6
attribute 6 77
open 10 6
attribute 6 77
attribute 7 2
visit 50 7
attribute 3 4096
end 850
begin 50 5
end 100
mark 10 3 0
mark 500 4 0
begin 10 12
attribute 2 99
end 40
attribute 2 99
begin 100 13
attribute 2 99
end 10
attribute 2 99
chunk 0 1 3200 0
stack 10 0
begin 100 2
chunk 0 2 3310 0
stack 0 0 2
idle 0 -8
begin 50 3
chunk 0 4 5000 0
stack 0 0 2
idle 0 -8
mark 0 6 3
end 100
mark 100 5 700
begin 100 5
# Open at the end: the profile has values beyond the records.
rest 0 5 2 3700
chunk 1 0 1100 0
stack 0 0
idle 0 8
open 800 6
attribute 6 77
attribute 7 2
open 200 7
attribute 4 4096
begin 50 5
end 50
stack 40 1
attribute 4 8192
open 10 7
attribute 4 4096
end 100
attribute 5 4096
attribute 4 8192
end 300
stack 10 0
idle 0 8
chunk 1 1 2700 0
stack 0 0
idle 0 8
mark 0 7 20
begin 10 5
end 10
rest 1 8 2 6280
END
"$make_trace" t/b.heddle-trace <<'END' || exit 1
info 1000 0 0 1700000000000000000 9000
nodes 14
chunk 0 0 900 0
stack 0 0
begin 150 2
begin 20 3
access 3 6 0 8
end 20
sample 20 9 1 1000000 0
end 30
END
