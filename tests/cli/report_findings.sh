#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The findings of `heddle report`: waiting and its cause, the most expensive code, overhead, spinning, uneven work, more
# threads than processors, memory that is not freed. Each appears for its own measurement, and for no other one.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

# A team of two threads with a barrier (node 4), a lock (5) and an access to shared memory (7). team_thread NUMBER WORK.
process() {
	cat <<END
process program /opt/own/own
argument ./own
process host node7
process pid 300
process start_unix_ns 1700000000000000000
process duration_ns 2000000000
process cpu_ns 1000000000
process ended_by exit
process sample_source perf task-clock
process sample_hz 1000
event 1 openmp 1 ompt_callback_parallel omp parallel
event 2 openmp 4 ompt_callback_sync_region omp barrier
event 3 openmp 5 ompt_callback_mutex_acquire omp critical wait
event 4 upc 8 GASP_UPC_GET upc get
module 1 1 - /nowhere/own
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1100
node 1 REGION 1 1 1150
node 2 FRAME 0 1 1200
node 2 REGION 2 1 1160
node 2 REGION 3 1 1170
node 2 STATE 1 0 0
node 2 REGION 4 1 1180
node 2 FRAME 0 1 1300
END
}
team_thread() {
	printf 'thread %s %s %s\nthread-field wall_ns 2000000000\n' "$1" "$1" "openmp worker"
	printf 'value cpu-time 3 %s\n' "$2"
}
value() { printf 'value %s %s %s\n' "$@"; }

# tells NAME COUNT [SENTENCE]...: the report of the measurement has COUNT findings, with these among them.
tells() {
	name=$1 count=$2
	shift 2
	"$heddle" report "$name" | sed -n 's/^- //p' >out
	[ "$(wc -l <out)" -eq "$count" ] || { echo "$name: not $count sentences:"; cat out; failed=1; }
	for sentence; do
		grep -qxF -- "$sentence" out || { echo "$name: missing: $sentence"; cat out; failed=1; }
	done
}
make() { mkdir "$1" && "$make_profile" "$1/a.heddle"; }

# Only work, evenly distributed.
{ process; team_thread 0 500000000; team_thread 1 500000000; } | make even
tells even 1 '`own+0x1200` uses 100 % of the CPU time.'

{
	process
	team_thread 0 500000000
	value wall-time 4 1000000000
	team_thread 1 500000000
	value wall-time 5 1500000000
} | make waits
tells waits 3 \
	"38 % of the threads' time (1.50 s) is waiting for locks, nearly all of it at \`omp critical wait @own+0x1170\`; \`heddle run --blame\` shows what causes it." \
	"25 % of the threads' time (1.00 s) is waiting at barriers, nearly all of it at \`omp barrier @own+0x1160\`."

{
	process
	team_thread 0 500000000
	value wall-time 4 1000000000
	team_thread 1 500000000
	value barrier-blame 3 100000000
	value barrier-blame 8 900000000
	value blame 3 100000000
	value blame 8 900000000
} | make blamed
tells blamed 2 \
	"25 % of the threads' time (1.00 s) is waiting at barriers, nearly all of it at \`omp barrier @own+0x1160\`; \`own+0x1300\` causes 90 % of it."

# If two functions call the culprit, its caller is named.
{
	process
	printf '%s\n' 'node 2 FRAME 0 1 1400' 'node 9 FRAME 0 1 1300'
	team_thread 0 500000000
	value wall-time 4 1000000000
	team_thread 1 500000000
	value barrier-blame 8 100000000
	value barrier-blame 10 900000000
	value blame 8 100000000
	value blame 10 900000000
} | make called
tells called 2 \
	"25 % of the threads' time (1.00 s) is waiting at barriers, nearly all of it at \`omp barrier @own+0x1160\`; \`own+0x1300\`, called by \`own+0x1400\`, causes 100 % of it."

# Below 5 %.
{ process; team_thread 0 500000000; value wall-time 4 190000000; team_thread 1 500000000; } | make little
tells little 1

{
	process
	team_thread 0 400000000
	value cpu-time 4 200000000
	value cpu-time 6 100000000
	team_thread 1 400000000
} | make spent
tells spent 3 "9 % of the CPU time is overhead of the run-time system, nearly all of it at \`omp parallel @own+0x1150\`." \
	"18 % of the CPU time is spent while waiting (spinning or yielding), nearly all of it at \`omp barrier @own+0x1160\`." \
	'`own+0x1200` uses 73 % of the CPU time.'

{ process; team_thread 0 1500000000; team_thread 1 500000000; } | make uneven
tells uneven 2 'Work is uneven: openmp worker 0 works 50 % longer than the average of 2 threads.'

# Programs that a script runs one after the other do not share work: each has its own average.
apart() { # start in seconds, CPU time of the two threads, file
	{
		process | sed "s/start_unix_ns .*/start_unix_ns 17000000${1}000000000/"
		team_thread 0 "$2"
		team_thread 1 "$3"
	} | "$make_profile" "$4"
}
mkdir apart uneven_apart
apart 00 900000000 900000000 apart/a.heddle && apart 04 100000000 100000000 apart/b.heddle || exit 1
tells apart 1
apart 00 1500000000 500000000 uneven_apart/a.heddle && apart 04 100000000 100000000 uneven_apart/b.heddle || exit 1
tells uneven_apart 2 'Work is uneven: openmp worker 0 of process 300 works 50 % longer than the average of 2 threads of `own`.'

# Time off the processor, of threads that no runtime knows: samples on elapsed time show its place.
asleep() {
	process | sed '/^process sample_hz/a process processors 01'
	echo "process sample_clock $1"
	printf 'thread 0 -1 main\nthread-field wall_ns 2000000000\nvalue cpu-time 3 400000000\nvalue samples 3 400\n'
}
{ asleep cpu; } | make asleep
tells asleep 2 "80 % of the thread's time (1.60 s) is off CPU: asleep, blocked, or waiting for a processor; \`heddle run --sample-clock wall\` shows where."
{
	asleep cpu
	printf 'thread 1 -1 thread\nthread-field wall_ns 2000000000\nvalue cpu-time 3 1000000000\nvalue samples 3 1000\n'
} | make shared
tells shared 2 "65 % of the threads' time (2.60 s) is off CPU: asleep, blocked, or waiting for the 1 processor that 2 threads share; \`heddle run --sample-clock wall\` shows where."
{
	asleep cpu
	printf 'thread 1 -1 thread\nthread-field threads 1000\nthread-field wall_ns 2000000000\nvalue cpu-time 3 1000000000\nvalue samples 3 1000\n'
} | make one_by_one
tells one_by_one 2 "65 % of the threads' time (2.60 s) is off CPU: asleep, blocked, or waiting for the 1 processor that 2 threads share; \`heddle run --sample-clock wall\` shows where."
{ asleep wall; printf 'value wall-time 3 400000000\nvalue wall-time 8 1600000000\n'; } | make asleep_somewhere
tells asleep_somewhere 2 "80 % of the thread's time (1.60 s) is off CPU, most in \`own+0x1300\`: asleep, blocked, or waiting for a processor."

{
	process
	team_thread 0 500000000
	value wall-time 7 500000000
	value remote-accesses 7 1234567
	team_thread 1 500000000
} | make remote
tells remote 2 \
	"12 % of the threads' time (500 ms) is communication, nearly all of it at \`upc get @own+0x1180\`; 1,234,567 accesses to other nodes."

# Two threads on one processor, which is busy for half of the time; then on two processors.
{ process; echo 'process processors 0001'; team_thread 0 500000000; team_thread 1 500000000; } | make crowd
tells crowd 2 '2 threads share 1 processor: some of them wait while others work.'
{ process; echo 'process processors 0180'; team_thread 0 500000000; team_thread 1 500000000; } | make room
tells room 1

# Successive processes, as from a script, with threads that ended before others began. Then two simultaneous processes.
alone() { # start in seconds, file
	{
		process | sed "s/start_unix_ns .*/start_unix_ns 17000000${1}000000000/"
		echo 'process processors 01'
		team_thread 0 900000000
	} | "$make_profile" "$2"
}
mkdir script together
alone 00 script/a.heddle && alone 02 script/b.heddle && alone 04 script/c.heddle || exit 1
tells script 1 '`own+0x1200` uses 100 % of the CPU time.'
alone 00 together/a.heddle && alone 01 together/b.heddle && alone 03 together/c.heddle || exit 1
tells together 2 '2 threads share 1 processor: some of them wait while others work.'
{
	process
	echo 'process processors 01'
	team_thread 0 500000000
	printf 'thread-field end_ns 1000000000\n'
	team_thread 1 500000000
	printf 'thread-field start_ns 1000000000\nthread-field end_ns 2000000000\n'
} | make successors
tells successors 1

{
	process
	echo 'process memory_measured 1'
	team_thread 0 500000000
	value bytes-allocated 8 4194304
	value bytes-freed 8 1048576
	team_thread 1 500000000
} | make held
tells held 2 '3.00 MiB of memory is not freed at the end, nearly all of it at `own+0x1300`.'

# In C++, operator new calls malloc: the user's function is named.
{
	process
	echo 'process memory_measured 1'
	printf 'event 5 c 11 malloc malloc\nmodule 2 2 - /usr/lib/nowhere/libstdc++.so.6\n'
	printf 'node 3 FRAME 0 2 500\nnode 9 REGION 5 2 510\n'
	team_thread 0 500000000
	value bytes-allocated 10 4194304
	value bytes-freed 10 1048576
	team_thread 1 500000000
} | make held_by_new
tells held_by_new 2 '3.00 MiB of memory is not freed at the end, nearly all of it at `own+0x1200`.'

# CPU time from a few samples may be chance: a function's share, and the difference between threads.
{ process; team_thread 0 7000000; value samples 3 7; team_thread 1 2000000; value samples 3 2; } | make few
tells few 0
{ process; team_thread 0 700000000; value samples 3 700; team_thread 1 200000000; value samples 3 200; } | make many
tells many 2 '`own+0x1200` uses 100 % of the CPU time.'

# A program switched measurement on for a part only: the missing time is not kernel time. If it never did, nothing is
# known.
{
	process
	echo 'process samples_paused 950'
	team_thread 0 50000000
	value samples 3 50
} | make part
"$heddle" report part | sed -n 2p >out
grep -q ' 50 samples at 1000 Hz of CPU time (perf task-clock; 950 more while measurement was off)$' out ||
	{ echo "part: the head does not mention that measurement was off:"; cat out; failed=1; }
{ process; echo 'process samples_paused 1000'; printf 'thread 0 0 main\nvalue cpu-time 6 4000000\n'; } | make off
tells off 0

# Samples by an event do not show where CPU time went; each has the CPU time since the one before.
by_event() { process | sed 's/^process sample_source .*/process sample_source perf page-faults@1/; s/\(sample_hz\) .*/\1 0/'; }
{
	by_event
	printf 'thread 0 0 main\nthread-field wall_ns 2000000000\nvalue cpu-time 3 900000000\nvalue samples 3 12\n'
	printf 'value cpu-time 6 900000000\nvalue samples 6 4\nvalue samples 8 24\n'
	printf 'thread 1 1 openmp worker\nthread-field wall_ns 2000000000\nvalue cpu-time 8 100000000\n'
} | make event
tells event 1 '`own+0x1300` has 60 % of the samples.'

# A name that is too long for a sentence is shortened in the middle, since its end says most.
{
	process | sed 's/^node 2 FRAME 0 1 1200/node 2 FUNCTION 0 0 0/'
	printf 'string %s::step\n' "$(printf 'solver<%0200d>' 0)"
	team_thread 0 500000000
	team_thread 1 500000000
} | make long
"$heddle" report long | grep -q '^- `solver<…>::step` uses 100 % of the CPU time\.$' ||
	{ echo "a long name:"; "$heddle" report long | grep '^- '; failed=1; }

# A finding names the user's function and the system's function that it calls, not code deep inside a library.
library() {
	process
	printf 'module 2 2 - /usr/lib/nowhere/libm.so.6\nnode 3 FRAME 0 2 500\nnode 9 FRAME 0 2 600\n'
	printf 'node 3 FRAME 0 2 700\n'
	team_thread 0 100000000
}
{ library; value cpu-time 9 100000000; value cpu-time 10 600000000; value cpu-time 11 150000000; } | make library
tells library 1 '`own+0x1200` uses 100 % of the CPU time, most of it in `libm.so.6+0x500`.'
{ library; value cpu-time 9 40000000; value cpu-time 11 40000000; } | make library_little
tells library_little 1 '`own+0x1200` uses 100 % of the CPU time.'

# Findings are shown in the default report only.
quiet() {
	! "$heddle" report waits "$@" | grep '^- ' || { echo "$*: sentences"; failed=1; }
}
quiet --flat
quiet --threads
quiet --lines
quiet --metric cpu-time
quiet --stats
"$heddle" report waits --min 5 --depth 3 | grep -q '^- ' || { echo "--min: no sentences"; failed=1; }
check report_markdown "$heddle" report --format markdown m
refuses 2 'is unknown' "$heddle" report --format junit m
exit $failed
