#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle browse --follow` with a program that is still running: the selected and the expanded nodes stay, although
# their numbers change.
. "${HEDDLE_SOURCE:?the source directory}/tests/browse/lib.sh" || exit 1

# flush N MILLISECONDS [EARLIER]: one function, and with EARLIER another one that is found before it.
flush() {
	{
		cat <<END
process program $work/own
argument ./own
process host $(uname -n)
process pid $1
process start_unix_ns 1700000000000000000
process duration_ns ${2}000000
process cpu_ns ${2}000000
process ended_by ${4:-flush}
process sample_source perf task-clock
process sample_hz 1000
string main
string outer
string inner
string early
string late
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 0
END
		if [ -n "${3:-}" ]; then
			cat <<END
node 1 FUNCTION 0 0 3
node 1 FUNCTION 0 0 1
node 3 FUNCTION 0 0 2
node 3 FUNCTION 0 0 4
thread 0 0 main
value cpu-time 2 ${2}000000
value cpu-time 4 1000000
value cpu-time 5 2000000
END
		else
			cat <<END
node 1 FUNCTION 0 0 1
node 2 FUNCTION 0 0 2
thread 0 0 main
value cpu-time 1 ${2}000000
value cpu-time 3 1000000
END
		fi
	} | "$make_profile" "$work/new" && mv "$work/new" "$work/f/own.$1.heddle"
}

# Without any profile.
browse 80x24 --follow f
shows 'no profile yet'
shows 'waiting'
mkdir f
sleep 60000 & # a process that runs
victim=$!
flush $victim 100
shows 'still running'
shows '101 ms'
hides 'no profile yet'

# Expanded by hand: with 1 % of the time, it would not be expanded.
keys / inner Enter
shows '└─ inner'
shows '4/4'
flush $victim 900 early
shows '903 ms'
shows '─ early'
shows '├─ late' # a sibling of early, below the node that was expanded
shows '6/6'     # inner now follows late
keys z
shows 'zoomed into inner'
flush $victim 950 early
shows '953 ms'
shows 'zoomed into inner'
keys Escape 2
shows '[2 functions]'
keys / late Enter
shows 'late'

# The program ends: first it is killed, then its profile is complete.
kill -KILL "$victim"
wait "$victim" 2> /dev/null
hides 'still running'
flush $victim 1000 early exit
shows '1.00 s'
keys q
ended 0

# A real program that flushes.
compiler=${CC:-gcc}
cat > busy.c <<'END'
#include <unistd.h>
static volatile double sink;
__attribute__((noinline)) static void burn(void) { for (int i = 0; i < 1000000; i++) sink += i; }
int main(void) { while (access("stop", F_OK) != 0) burn(); return 0; }
END
"$compiler" -g -O1 -o busy busy.c || { fail "busy.c does not compile"; finish; }
"$heddle" run --flush-seconds 1 -o g -- ./busy > /dev/null 2>&1 &
browse 80x24 --follow g
shows 'still running'
shows 'burn'
: > stop
wait
hides 'still running'
keys q
ended 0
finish
