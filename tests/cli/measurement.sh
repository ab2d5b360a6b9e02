# SPDX-License-Identifier: BSD-3-Clause
# For the tests of report, export and info: a measurement made by hand, and comparing with expected text. With
# HEDDLE_REGENERATE=1 in the environment the expected files are written instead.
heddle=$HEDDLE_BUILD/bin/heddle make_profile=$HEDDLE_BUILD/tests/make_profile
expected=$HEDDLE_SOURCE/tests/cli/expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
export TZ=UTC LC_ALL=C.UTF-8
unset NO_COLOR

# Two processes of one program; process 101 spends its time elsewhere, and has a note.
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
process openmp_runtime LLVM OMP version: 5.0.20140926
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

# One line on standard error with a word in it, nothing on standard output, and the exit status.
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
