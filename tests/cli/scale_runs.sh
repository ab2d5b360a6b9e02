#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle scale --run`: makes the runs in rounds, and leaves out runs that fail or take too long. After an interrupt it
# ends, with a report of the finished runs.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

# Threads by OMP_NUM_THREADS and RANKS, each with its part of the work; `fail N`: does that if there are N threads.
cat >program.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static long steps;
static void *work(void *unused)
{
	volatile double sum = 0;
	for (long i = 0; i < steps; i++)
		sum += (double)i;
	return unused;
}
static int number(const char *name)
{
	const char *text = getenv(name);
	return text ? atoi(text) : 1;
}
int main(int argc, char **argv)
{
	int threads = number("OMP_NUM_THREADS") * number("RANKS");
	pthread_t of[64];
	printf("%d threads\n", threads);
	fflush(stdout);
	if (argc > 2 && atoi(argv[2]) == threads) {
		if (strcmp(argv[1], "abort") == 0)
			abort();
		if (strcmp(argv[1], "hang") == 0)
			sleep(1000);
		return 3;
	}
	steps = 20000000 / threads;
	for (int i = 1; i < threads; i++)
		pthread_create(&of[i], NULL, work, NULL);
	work(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(of[i], NULL);
	return 0;
}
END
cc -g -O1 -o program program.c -lpthread || exit 1
export OMP_NUM_THREADS=1

expect() { # status, command...
	wanted=$1
	shift
	"$@" >out 2>err
	got=$?
	[ $got -eq "$wanted" ] || { echo "$*: exit status $got, wanted $wanted"; cat out err; failed=1; }
}
has() { grep -qE -- "$2" "$1" || { echo "no line like $2 in:"; cat "$1"; failed=1; }; }

expect 0 "$heddle" scale -o threads --run "-t 1,2" --repeat 2 -- ./program
has out '^program, 4 runs at 2 scales, strong scaling'
has err '^heddle: scale: run 1 of at most 4, -t 1: [0-9.e-]+ s$'
has err '^heddle: scale: run 3 of at most 4, -t 2: '
[ "$(head -1 threads/t2-1.txt)" = "2 threads" ] || { echo "OMP_NUM_THREADS was not 2"; failed=1; }
"$heddle" info threads/t2-2 >/dev/null || { echo "no measurement threads/t2-2"; failed=1; }

# ranks by a launcher, in all combinations. `env` is one of the measured processes, too.
expect 0 "$heddle" scale -o ranks --run "-n 1,2 -t 1,2" --repeat 1 --launcher 'env RANKS=%n' -- ./program
for ranks in 1 2; do
	for threads in 1 2; do
		[ "$(head -1 ranks/n$ranks-t$threads-1.txt)" = "$((ranks * threads)) threads" ] ||
			{ echo "other threads than $ranks x $threads"; failed=1; }
	done
done

# runs that fail or hang are left out, and not repeated
expect 1 "$heddle" scale -o failing --run "-t 1,2,3" --repeat 2 -- ./program status 2
has err '-t 2: ended with status 3: left out, and not repeated; what it printed is in failing/t2-1.txt$'
has out '^program, 4 runs at 2 scales'
expect 1 "$heddle" scale -o aborting --run "-t 1,2" --repeat 2 -- ./program abort 2
has err '-t 2: ended by signal 6: left out'
expect 1 "$heddle" scale -o hanging --run "-t 2,1" --repeat 1 --seconds 4 -- ./program hang 2
has err '-t 2: out of time: left out'
has out '^program, 1 run at 1 scale'
expect 1 "$heddle" scale -o none --run "-t 2" -- ./program status 2
has err 'no run is complete: nothing to compare$'

# An interrupt ends the current run, and the finished runs are shown. A shell starts background jobs with SIGINT
# ignored, so python sends it.
cat >interrupt.py <<'END'
import os, signal, subprocess, sys, time
out = open("out", "w")
err = open("err", "w")
heddle = subprocess.Popen([sys.argv[1], "scale", "-o", "stopped", "--run", "-t 1,2,3", "--", "./program", "hang", "2"],
                          stdout=out, stderr=err)
printed = "stopped/t2-1.txt"
while not (os.path.exists(printed) and "2 threads" in open(printed).read()):
    assert heddle.poll() is None
    time.sleep(0.05)
heddle.send_signal(signal.SIGINT)
sys.exit(0 if heddle.wait() == -signal.SIGINT else 1)
END
python3 interrupt.py "$heddle" || { echo "the command did not end as expected after an interrupt"; cat out err; failed=1; }
has out '^program, 1 run at 1 scale'
has err '-t 2: interrupted$'
[ ! -e stopped/t3-1.txt ] || { echo "a run began after the interrupt"; failed=1; }

expect 2 "$heddle" scale --run "-t 1,1" -- ./program
expect 2 "$heddle" scale --run "-t one" -- ./program
expect 2 "$heddle" scale --run "-t 1,2"
expect 2 "$heddle" scale --run "-n 1,2" -- ./program
has err '^heddle: scale: -n has no effect on ./program .no UPC or MPI program'
expect 2 "$heddle" scale --run "-t 1" --size n=1 -- ./program
expect 2 "$heddle" scale --seconds 5 threads/t1-1
expect 2 "$heddle" scale --run "-n 1" --launcher "a 'b" -- ./program
expect 127 "$heddle" scale --run "-t 1" -- ./nothing
expect 6 "$heddle" scale -o threads --run "-t 1" -- ./program
exit $failed
