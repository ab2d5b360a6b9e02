#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `heddle report` shows from traces: the timeline, late threads, the critical path, and parts of the run. The
# program's threads are late in turn, so they are equal in the profile.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
make_trace=$HEDDLE_BUILD/tests/make_trace

mkdir turns
cat >profile <<'END'
process program /opt/cg/turns
argument ./turns
process host node7
process pid 100
process start_unix_ns 1700000000000000000
process duration_ns 168000000
process ended_by exit
event 1 openmp 1 ompt_callback_parallel omp parallel
event 2 openmp 4 ompt_callback_sync_region omp barrier
phase solve
phase print
string /home/you/turns.c
module 1 1 - /nowhere/turns
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1000
source 1 1 2 40
source 2 2 2 50
node 1 PHASE 0 0 0
node 1 PHASE 0 0 1
source 5 1 2 40
thread 0 0 main
value wall-time 2 80000000
value wall-time 3 60000000
value wall-time 4 5000000
value visits 2 8
value visits 3 8
thread 1 1 openmp worker
value wall-time 2 60000000
value wall-time 3 60000000
value visits 3 8
END
refuses_times() { # word, options...
	word=$1
	shift
	"$heddle" report turns "$@" >out 2>err
	[ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^heddle: report: .*$word" err ||
		{ echo "$*:"; cat err; failed=1; }
}
# Two phases: the first begins at 4 ms, the second at 100 ms. Times of records are relative to the record before.
awk 'function at(when) { passed = when - now; now = when; return passed }
	BEGIN {
		print "nodes 7"
		for (t = 0; t < 2; t++) {
			now = 0
			printf "thread %d\n", t
			if (t == 0)
				printf "mark 0 thread-begin\nbegin %d 4\n", at(4000000)
			for (i = 0; i < 8; i++) {
				if (t == 0 && i == 4)
					printf "end %d\nbegin %d 5\n", at(84000000), at(84500000)
				start = 5000000 + i * 20000000
				if (t == 0)
					printf "visit %d 2\nattribute parallel 9\n", start - now
				printf "open %d 2\nattribute parallel 9\nattribute team-size 2\n", at(start + 1000 * t)
				printf "begin %d 3\n", at(start + (i % 2 == t ? 15000000 : 5000000))
				printf "end %d\nend 0\n", at(start + 15001000)
			}
			if (t == 0)
				printf "end %d\nmark %d thread-end\n", at(166000000), at(168000000)
		}
	}' >records
"$make_profile" turns/a.heddle <profile && "$make_trace" turns/a.heddle-trace <records || exit 1

check traced_timeline "$heddle" report turns --timeline
# A library's thread sleeps beside a rank and a worker: its own line shows that, but sums of all threads do not include
# it.
mkdir helped
{
	sed -n '1,/^event 1/p' profile
	printf 'module 1 1 - /nowhere/turns\nnode 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\nnode 0 STATE 7 0 0\nnode 1 REGION 1 1 1050\n'
	printf 'thread 0 0 main\nvalue wall-time 1 9000000\nthread 1 1 openmp worker\nvalue wall-time 2 1000000\n'
	printf 'thread 2 -1 thread\nvalue wall-time 2 10000000\n'
} | "$make_profile" helped/a.heddle || exit 1
{
	echo 'nodes 4'
	for thread in 0:3 1:2 2:2; do
		printf 'thread %s\nmark 0 thread-begin\nbegin 0 %s\nend 10000000\nmark 0 thread-end\n' "${thread%:*}" "${thread#*:}"
	done
} | "$make_trace" helped/a.heddle-trace || exit 1
mkdir bare && cp turns/a.heddle bare && printf 'nodes 4\nthread 0\n' | "$make_trace" bare/a.heddle-trace || exit 1
"$heddle" report bare --critical | grep -qx 'critical path: the trace has no events' ||
	{ echo "the critical path of no events"; failed=1; }
check traced_timeline_helper "$heddle" report helped --timeline
check traced_timeline_part "$heddle" report turns --timeline --from 40ms --to 60ms
check traced_late "$heddle" report turns --late
check traced_late_part "$heddle" report turns --late --to 60ms
check traced_critical "$heddle" report turns --critical
check traced_critical_flat "$heddle" report turns --critical --flat
check traced_critical_threads "$heddle" report turns --critical --threads
check traced_all "$heddle" report turns --threads --timeline --late
check traced_part "$heddle" report turns --from 40ms --to 60ms --metric wall-time
check traced_part_threads "$heddle" report turns --from 40000us --to 6e4us --threads --metric wall-time
check traced_phase "$heddle" report turns --phase print --metric wall-time
check traced_phase_second "$heddle" report turns --phase 'print#1' --critical

# Ends of a part between two records, one of which is a visit: the time between them is divided.
"$heddle" report turns --from 61ms --to 64ms --threads --metric wall-time >got
grep -q '^100.0 .* 3.00 ms ' got || { echo "a part between two records"; cat got; failed=1; }

# Names of phases with control characters, with characters of several bytes, and with characters of two columns or none,
# between which they are cut.
named() { # directory, name
	mkdir "$1"
	sed "s/^phase solve\$/phase $2/" profile | "$make_profile" "$1/a.heddle" && cp turns/a.heddle-trace "$1" &&
		"$heddle" report "$1" --timeline | grep '^phase ' >got || failed=1
}
end_of_phase() { # the column in which the other phase begins
	python3 -c 'import sys, unicodedata
line = open("got", encoding="utf-8").read().split("|print")[0]
print(sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) == "W" else 1 for c in line))'
}
named bytes solve
wanted=$(end_of_phase)
named colors "$(printf 'gr\303\266\303\237e\033[31m')"
grep -qF '|größe?[31m__' got || { echo "a phase with an escape sequence"; cat -v got; failed=1; }
[ "$(end_of_phase)" = "$wanted" ] || { echo "bytes count as columns"; cat -v got; failed=1; }
repeat() { # text
	for _ in 1 2 3 4 5 6 7 8 9 10; do printf '%s%s%s%s%s%s%s' "$1" "$1" "$1" "$1" "$1" "$1" "$1"; done
}
named wide "$(repeat "$(printf '\350\250\210')")"
[ "$(end_of_phase)" = "$wanted" ] && grep -q '…' got || { echo "wide characters of a phase"; cat got; failed=1; }
named combined "$(repeat "$(printf 'e\314\201')")"
[ "$(end_of_phase)" = "$wanted" ] && grep -q '…' got || { echo "combining characters of a phase"; cat got; failed=1; }

# The head of a part has the CPU time of the part, and no samples of the rest.
. "$HEDDLE_SOURCE/tests/cli/parted_measurement.sh"
"$heddle" report parted --to 500ms >got
line='1 process · 2 threads · 1.00 ms CPU · 1 sample at 1000 Hz of CPU time (perf task-clock)'
grep -qxF "$line" got || { echo "the head of a part"; cat got; failed=1; }
no_sample='note: this part of the run has no samples: code that worked in it is counted as [off cpu]'
! grep -qxF "$no_sample" got || { echo "a part with a sample has none"; cat got; failed=1; }
"$heddle" report parted --from 1us --to 2us >got
grep -qxF "$no_sample" got || { echo "a part without samples"; cat got; failed=1; }

# Time off the processor has no record: it is the rest of a sampled thread's time, in parts, too.
mkdir slept
cat >profile.slept <<'END'
process program /opt/cg/slept
process pid 100
process duration_ns 1000000000
process ended_by exit
process sample_source perf task-clock
event 1 openmp 4 ompt_callback_sync_region omp barrier
module 1 1 - /nowhere/slept
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1000
node 1 REGION 1 1 1100
node 0 STATE 7 0 0
thread 0 0 main
value wall-time 1 100000000
value wall-time 2 200000000
value wall-time 3 700000000
END
"$make_profile" slept/a.heddle <profile.slept && "$make_trace" slept/a.heddle-trace <<'END' || exit 1
nodes 4
thread 0
mark 0 thread-begin
sample 100000000 1 1 1000000 100000000
begin 400000000 2
end 200000000
mark 400000000 thread-end
rest 0 3 wall-time 700000000
END
time_of_main() { # options...: elapsed time, then shares of work, barrier and off-CPU time
	"$heddle" report slept --threads --metric wall-time "$@" | awk '/ main 0 / { print $4, $5 "," $6, $7, $8 }'
}
expects_time() { # what, options...
	wanted=$1
	shift
	got=$(time_of_main "$@")
	[ "$got" = "$wanted" ] || { echo "time of a thread, $*: $got, not $wanted"; failed=1; }
}
expects_time '1.00 s,10.0 20.0 70.0'
expects_time '1.00 s,10.0 20.0 70.0' --from 0s
expects_time '250 ms,- 40.0 60.0' --from 250ms --to 500ms
sed '/sample_source/d' profile.slept | "$make_profile" slept/a.heddle || exit 1
expects_time '100 ms,- 100.0 ' --from 250ms --to 500ms

# For processes that started one after the other, the head has the length of the part, not the time from the first start
# to the last end.
mkdir started
sed 's/^process pid 100/process pid 101/; s/^\(process start_unix_ns 170000000\)0/\11/' profile >profile.later
"$make_profile" started/a.heddle <profile && cp turns/a.heddle-trace started &&
	"$make_profile" started/b.heddle <profile.later && cp turns/a.heddle-trace started/b.heddle-trace || exit 1
head_has() { # length, options...
	length=$1
	shift
	"$heddle" report started "$@" >got
	grep -q "^turns .* $length\$" got || { echo "the head of $*"; cat got; failed=1; }
}
head_has "50.0 ms" --from 0s --to 50ms
head_has "81.5 ms" --phase print

"$heddle" report turns --late >plain
"$heddle" report turns --late --causal >got
grep -qx 'clocks: one machine, nothing to correct' got || { echo "--causal with one machine"; cat got; failed=1; }
grep -vx 'clocks: .*' got | cmp - plain || { echo "--causal changed the report"; failed=1; }
"$heddle" report slept --timeline >got
grep -q '^timeline: 1 thread, ' got || { echo "the timeline of one thread"; cat got; failed=1; }
refuses 2 'single threads and pairs' "$heddle" report turns --by thread --from 0s
refuses 2 "corrects the times of a trace" "$heddle" report turns --causal
refuses 2 "corrects the times of a trace" "$heddle" export turns --causal
refuses_times "not a time" --from 4
refuses_times "not a time" --to -4ms
refuses_times "not a time" --to nans
refuses 2 "phase cannot be combined" "$heddle" report turns --phase solve --to 4ms
refuses_times "counted from 1" --phase solve#0
refuses_times "the run, which lasts 168 ms" --from 1s
refuses_times "the run, which lasts 168 ms" --from 20ms --to 20ms
refuses 2 "on one thread at a time" "$heddle" report turns --critical --stats
refuses 7 "no thread began phase 'solve' 2 times" "$heddle" report turns --phase solve#2
refuses 7 "no thread began phase 'sol'" "$heddle" report turns --phase sol
refuses 7 "no thread began phase 'sol'" "$heddle" report turns --phase sol#1
# Phases whose names look like a selection: the whole name takes precedence.
for phase in 'step#3' 'step #0'; do
	rm -rf numbered && mkdir numbered && cp turns/a.heddle-trace numbered &&
		sed "s/^phase print\$/phase $phase/" profile | "$make_profile" numbered/a.heddle || exit 1
	for part in "$phase" "$phase#1"; do
		"$heddle" report numbered --phase "$part" >out 2>err && grep -q "phase $part, 84.5 ms to" out ||
			{ echo "--phase '$part':"; cat out err; failed=1; }
	done
done
refuses 7 "has no trace" "$heddle" report m --timeline
refuses 7 "has no trace" "$heddle" report m --from 1s

exit $failed
