# SPDX-License-Identifier: BSD-3-Clause
# For tests of report, export and info: a measurement written by the test, and comparison with expected text. With
# HEDDLE_REGENERATE=1 in the environment, the expected files are written instead.
heddle=$HEDDLE_BUILD/bin/heddle make_profile=$HEDDLE_BUILD/tests/make_profile
expected=$HEDDLE_SOURCE/tests/cli/expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
export TZ=UTC LC_ALL=C.UTF-8
unset NO_COLOR

# Two processes of one program; process 101 spends its time in other functions, and has a note.
mkdir m
process() { # pid
	cat <<END
process program /opt/cg/cg
argument ./cg
argument A
process host node7
process machine x86_64
process pid $1
process parent_pid 99
process start_unix_ns 1700000000000000000
process duration_ns 4020000000
process cpu_ns 4010000000
process ended_by exit
process heddle_version 0.1.0
process sample_source perf task-clock
process sample_clock cpu
process sample_hz 1000
process unwinder tables
process start_directory /home/you
event 3 openmp 1 ompt_callback_parallel omp parallel
event 4 openmp 4 ompt_callback_sync_region omp barrier
phase set up
module 1 1 - /nowhere/cg
module 2 3 - /nowhere/libomp.so.5
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1100
node 1 PHASE 0 0 0
node 1 REGION 3 1 1150
node 3 OUTLINED_FRAME 0 1 1200
node 4 FRAME 0 1 1300
node 3 RUNTIME_FRAME 0 2 500
node 6 STATE 3 0 0
node 3 STATE 1 0 0
node 5 FRAME 0 1 1300
END
}
{
	process 100
	cat <<END
process runtime LLVM OMP version: 5.0.20140926
thread 0 0 main
value samples 1 10
value samples 2 90
value samples 4 100
value samples 5 1800
value samples 7 5
value cpu-time 1 10000000
value cpu-time 2 90000000
value cpu-time 4 100000000
value cpu-time 5 1800000000
value cpu-time 7 5000000
value visits 3 12000
thread 1 1 openmp worker
value samples 5 1200
value samples 7 300
value samples 8 3
value samples 9 500
value cpu-time 5 1200000000
value cpu-time 7 300000000
value cpu-time 8 3000000
value cpu-time 9 500000000
heddle 2
END
} | "$make_profile" m/a.heddle || exit 1
{
	process 101
	cat <<END
process note no OpenMP context: the program uses libgomp
thread 0 -1 main
value samples 2 990
value cpu-time 2 990000000
END
} | "$make_profile" m/b.heddle || exit 1

# A UPC program's measurement: two processes with two UPC threads each, user events, memory of the malloc family.
upc_process() { # pid
	cat <<END
process program /opt/heat/heat
argument ./heat
process host node7
process machine x86_64
process pid $1
process parent_pid 99
process start_unix_ns 1700000000000000000
process duration_ns 2000000000
process cpu_ns 3900000000
process ended_by exit
process heddle_version 0.1.0
process sample_source none
process memory_measured 1
event 1 upc 8 GASP_UPC_GET get
event 2 upc 4 GASP_UPC_BARRIER barrier
event 3 upc 9 GASP_UPC_FENCE fence
event 4 upc 10 GASP_UPC_ALL_REDUCE upc_all_reduce
event 5 c 11 GASP_C_MALLOC malloc
event 6 upc 0 GASP_1030 GASP event 1030
generated
event 7 upc 8 GASP_UPC_PUT put
phase step
string /home/you/heat.upc
string step=%d residual=%g
string %n is hostile, %1\$d
string relax
string 
module 1 1 - /nowhere/heat
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1100
node 1 PHASE 0 0 0
node 2 FUNCTION 0 0 4
source 3 1 1 57
source 3 7 1 58
source 1 2 1 70
source 1 3 5 0
source 2 4 1 80
node 3 REGION 5 1 1150
node 1 REGION 5 1 1160
source 1 6 1 90
END
}
upc_thread() { # id, rank + 1, times of work and in the barrier, steps
	cat <<END
thread $1 -1 thread
thread-field rank $2
value wall-time 3 $3
value wall-time 4 200000000
value wall-time 5 100000000
value wall-time 6 $4
value wall-time 7 1000000
value wall-time 8 40000000
value visits 2 $5
value visits 3 $5
value visits 4 2000
value visits 5 1000
value visits 6 100
value visits 11 1
value bytes-got 4 16000
value bytes-put 5 8000000
value local-accesses 4 1500
value remote-accesses 4 500
value remote-bytes 4 4000
distribution 2 1 3 $5 1 $5 $(($5 * ($5 + 1) / 2))
distribution 2 2 3 $5 0.000125 12.5 $(($5 * 2)).5
distribution 6 1 4 3 -7 7 0
distribution 4 0 0 2000 8 8 16000 0 0 0 0 2000
distribution 5 0 0 1000 0 65536 8000000 5 0 0 0 300 0 0 0 0 0 0 0 0 0 0 0 0 695
END
}
mkdir upc
{
	upc_process 300
	printf 'process memory_peak 70000000\nprocess memory_peak_ns 1500000000\nprocess memory_in_use 3000\n'
	upc_thread 0 4 1500000000 100000000 100
	printf 'value allocations 9 500\nvalue bytes-allocated 9 64000000\nvalue bytes-freed 9 63998000\n'
	upc_thread 1 1 1000000000 600000000 100
	printf 'value bytes-freed 9 1000\n'
} | "$make_profile" upc/a.heddle || exit 1
{
	upc_process 301
	printf 'process memory_peak 10000000\nprocess memory_peak_ns 100000\nprocess memory_in_use 2000\n'
	upc_thread 0 2 800000000 800000000 50
	printf 'value allocations 10 2\nvalue bytes-allocated 10 2048\nvalue bytes-freed 10 48\n'
	upc_thread 1 3 900000000 700000000 50
	printf 'thread 2 -1 heddle\nvalue wall-time 0 10\n'
} | "$make_profile" upc/b.heddle || exit 1

check() { # name of the expected file, command...
	name=$1
	shift
	"$@" >got 2>&1
	echo "exit status $?" >>got
	if [ "${HEDDLE_REGENERATE:-}" = 1 ]; then
		cp got "$expected/$name.txt"
	elif ! diff -u "$expected/$name.txt" got; then
		echo "^ $name"
		failed=1
	fi
}

# Checks that there is one line on standard error with a word in it, nothing on standard output, and the exit status.
refuses() { # status, word, command...
	status=$1 word=$2
	shift 2
	"$@" >out 2>err
	got=$?
	if [ $got -ne "$status" ] || [ -s out ] || [ "$(wc -l <err)" -ne 1 ] || ! grep -q "^heddle: .*$word.*: " err; then
		echo "$*: exit status $got (expected $status), said:"
		cat err
		failed=1
	fi
}
