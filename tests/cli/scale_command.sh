#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle scale`: runs at known scales, whose functions follow known laws, are grouped, compared and predicted; and what
# is refused.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

# run_of DIRECTORY THREADS SEED: solve takes 8 s, divided among all threads; each thread takes 0.2 s in setup, 0.01 p
# log p in exchange, and 0.02 sqrt p in grows. With noise of 1 %, unless SEED is 0.
run_of() {
	mkdir "$1"
	awk -v threads="$2" -v seed="$3" '
		function noisy(s) { return sprintf("%.0f", s * 1e9 * (1 + (seed > 0) * 0.01 * (2 * rand() - 1))) }
		BEGIN {
			srand(seed)
			print "process program /opt/cg\nprocess sample_source perf\nprocess sample_clock cpu"
			s[2] = 8 / threads; s[3] = 0.2
			s[4] = 0.01 * threads * log(threads) / log(2); s[5] = 0.02 * sqrt(threads)
			elapsed = noisy(s[2] + s[3] + s[4] + s[5])
			print "process duration_ns " elapsed
			print "event 1 openmp 1 ompt_callback_parallel omp parallel\nmodel 1 openmp\nmodel-field state omp"
			print "string main\nstring solve\nstring setup\nstring exchange\nstring grows"
			print "node 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0"
			for (i = 1; i <= 4; i++) print "node 1 FUNCTION 0 0 " i
			for (t = 0; t < threads; t++) {
				print "thread " t " " t " " (t ? "openmp worker" : "main")
				if (t) print "thread-field model 1"
				for (i = 2; i <= 5; i++) v[i] = noisy(s[i])
				print "thread-field wall_ns " elapsed
				for (m = 0; m < 2; m++) for (i = 2; i <= 5; i++)
					if (v[i] > 0) print "value " (m ? "wall-time" : "cpu-time") " " i " " v[i]
			}
		}' > text
	"$make_profile" "$1/a.heddle" < text || failed=1
}
for threads in 1 2 4 8 16; do
	run_of e$threads $threads 0
	for seed in 1 2 3; do run_of s$threads-$seed $threads $((threads * 10 + seed)); done
done

status() { # wanted, command...
	wanted=$1
	shift
	"$@" >out 2>err
	got=$?
	[ $got -eq "$wanted" ] || { echo "$*: exit status $got, wanted $wanted"; cat out err; failed=1; }
}
has() { grep -qE -- "$1" out || { echo "no line like $1 in:"; cat out; failed=1; }; }

check scale_table "$heddle" scale e1 e2 e4 e8 e16
status 0 "$heddle" scale s16-2 s1-1 s4-3 s2-1 s8-2 # any order
has '^cg, 5 runs at 5 scales, strong scaling, wall-time'
has '^ +1 .* 1\.00 +100\.0 .* 1$'
has '[0-9.]+/p +solve$'
has '[0-9.]+ sqrt p +grows$|[0-9.]+ (log p|p|sqrt p).* grows$'
has 'At 32 threads `exchange` would take 7[0-9] % of the time'
status 0 "$heddle" scale s*
has '^   \+- +[0-9.]+ ms +0\.00 +0\.0 +0\.0 ' # quotients of the first scale and itself are 1 by definition
has 'sqrt p +grows$' # without another term: one that is small at all scales would be noise
[ "$(grep -c '^   +- ' out)" = 5 ] || { echo "not an interval for each scale"; cat out; failed=1; }
! grep -q '^note' out || { echo "an unexpected note"; failed=1; }

# laws: faster growth than expected is an error
status 0 "$heddle" scale s* --expect solve=1/p --expect 'setup=1' --expect 'exchange=p log p'
has '^solve: expected 1/p, found 1/p$'
status 8 "$heddle" scale s* --expect setup=1/p --expect solve=1/p
grep -q '^heddle: setup: expected 1/p, found 1$' err || { cat err; failed=1; }
status 2 "$heddle" scale s* --expect nowhere=1/p
status 2 "$heddle" scale s* --expect solve=fast
status 2 "$heddle" scale s* --expect solve

# The time that one thread executes alone is constant, although the mean over threads is not.
alone() { # directory, threads
	mkdir "$1"
	{
		echo "process program /opt/cg"
		echo "process start_unix_ns ${started:-0}"
		echo "process duration_ns $((500000000 + 4000000000 / $2))"
		printf 'string %s\n' main setup solve
		printf 'node %s\n' '0 ROOT 0 0 0' '0 FUNCTION 0 0 0' '1 FUNCTION 0 0 1' '1 FUNCTION 0 0 2' '0 STATE 2 0 0'
		for thread in $(seq 0 $(($2 - 1))); do
			echo "thread $thread $thread thread"
			[ "$thread" -ne 0 ] || echo "value wall-time 2 500000000"
			echo "value wall-time 3 $((4000000000 / $2))"
			[ "$thread" -eq 0 ] || echo "value wall-time 4 500000000"
		done
	} | "$make_profile" "$1/a.heddle"
}
for threads in 1 2 4 8 16; do alone a$threads $threads; done
status 8 "$heddle" scale a1 a2 a4 a8 a16 --expect setup=1/p --expect solve=1/p
grep -q '^heddle: setup: expected 1/p, found 1$' err || { cat err; failed=1; }
has ' 500 ms +0\.0 +0\.5 +setup$'
has ' 500 ms +0\.0 +0\.5 +\[omp idle\]$' # with one thread, no thread waits for others

# Two ranks of one thread differ from one rank of two threads; laws depend on the number of all threads.
hybrid() { # ranks, threads of each
	mkdir "h$1x$2"
	for rank in $(seq 1 "$1"); do
		{
			printf '%s\n' "process program /opt/cg" "process duration_ns 1000000000"
			printf '%s\n' "event 1 openmp 1 ompt_callback_parallel omp parallel" "model 1 openmp" "model 2 mpi"
			printf '%s\n' "model-field rank rank" "model-field ranks rank" "string main" "node 0 ROOT 0 0 0"
			echo "node 0 FUNCTION 0 0 0"
			for thread in $(seq 0 $(($2 - 1))); do
				echo "thread $thread $thread thread"
				[ "$thread" -eq 0 ] || echo "thread-field model 1"
				printf 'thread-field %s\n' "wall_ns 1000000000" "rank $rank" "rank_model 2"
				echo "value wall-time 1 $((8000000000 / $1 / $2))"
			done
		} | "$make_profile" "h$1x$2/$rank.heddle"
	done
}
for ranks in 1 2; do for threads in 1 2; do hybrid $ranks $threads; done; done
status 0 "$heddle" scale h*
has '^cg, 4 runs at 3 scales'
has 'threads = ranks x threads of each$'
has ' 2 = 1 x 2$'
has ' 2 = 2 x 1$'
has ' 4 = 2 x 2$'

# With two threads, useful code executes 25 % more instructions, and takes 2 cycles for each instead of 1, at the same
# clock. Other code does not count.
counted() { # threads, instructions of each, cycles of each
	mkdir "c$1"
	{
		printf '%s\n' "process program /opt/cg" "process duration_ns 1000000000" "counter instructions"
		printf '%s\n' "counter cycles" "string main" "node 0 ROOT 0 0 0" "node 0 FUNCTION 0 0 0" "node 0 STATE 2 0 0"
		for thread in $(seq 0 $(($1 - 1))); do
			echo "thread $thread $thread thread"
			printf 'value %s\n' "wall-time 1 $(($3 / 2))" "1024 1 $2" "1024 2 77" "1025 1 $3" "1025 2 7777"
		done
	} | "$make_profile" "c$1/a.heddle"
}
counted 1 1600000000 1600000000
counted 2 1000000000 2000000000
status 0 "$heddle" scale c1 c2
has ' instr\. % +IPC +IPC % +clock % '
has ' 40\.0 +80\.0 +0\.50 +50\.0 +100\.0 '
status 0 "$heddle" scale --format json c1 c2
has '"ipc":0\.5,"instruction_scalability":0\.8,"ipc_scalability":0\.5,"clock_scalability":1,'
status 0 "$heddle" report --efficiency c2
has '^Useful code executes 0\.50 instructions per cycle\.$'
"$heddle" export --format json -o counted.json c2 || failed=1

# A phase has its own table: 1 s with one thread, 0.4 s in each of two threads; begun at two places, it is still one
# phase. Another phase is too short to be shown, except in JSON.
phased() { # directory, threads, ms in the phase at each of two places
	mkdir "$1"
	{
		printf '%s\n' "process program /opt/cg" "process duration_ns 2000000000" "phase solve" "phase tiny" "string main"
		printf 'string other\nnode %s\n' "0 ROOT 0 0 0" "0 FUNCTION 0 0 2" "1 PHASE 0 0 0" "0 FUNCTION 0 0 3" "3 PHASE 0 0 0" "1 PHASE 0 0 1"
		for thread in $(seq 0 $(($2 - 1))); do
			printf '%s\n' "thread $thread $thread thread" "thread-field wall_ns 2000000000"
			printf 'value wall-time %s\n' "1 $((2000000000 - 2000000 * $3 - 1000000))" "2 ${3}000000" "4 ${3}000000" "5 1000000"
		done
	} | "$make_profile" "$1/a.heddle"
}
phased p1 1 500
phased p2 2 200
status 0 "$heddle" scale p1 p2
has '^phase solve, by itself$'
sed -n '/^phase solve/,/^$/p' out >of_phase
grep -qE '^ +1 +1\.00 s +1\.00 +100\.0 ' of_phase && grep -qE '^ +1 +400 ms +2\.50 +125\.0 +125\.0 +100\.0 .* 2$' of_phase ||
	{ echo "another phase:"; cat of_phase; failed=1; }
! grep -q '^phase tiny, by itself' out || { echo "an unexpected phase"; failed=1; }
"$heddle" scale --format json p1 p2 | python3 -c 'import json, sys; phases = json.load(sys.stdin)["phases"]
assert [phase["name"] for phase in phases] == ["phase solve", "phase tiny"], phases
assert [point["elapsed_ns"] for point in phases[0]["scales"]] == [1e9, 4e8], phases
assert phases[0]["scales"][1]["speedup"] == 2.5, phases' || failed=1

# weak scaling, and a parameter that the user defines
status 0 "$heddle" scale --weak s*
has 'weak scaling'
status 0 "$heddle" scale --size n=100,200,400 s1-1 s2-1 s4-1
has ' n$'
status 2 "$heddle" scale --size n=100,200 s1-1 s2-1 s4-1
status 2 "$heddle" scale --size n=1,x s1-1 s2-1
status 2 "$heddle" scale --size 3 s1-1

# Notes state how reliable a prediction is.
status 0 "$heddle" scale s1-1 s2-1
has '^note: with 2 scales, a law is an untested guess: measure at 5 or more$'
status 0 "$heddle" scale s1-1 s2-1 s4-1
has '^note: with 3 scales, a law is a guess, here off by up to [0-9.]+ % at a scale left out of the fit: measure at 5 or more$'
"$heddle" scale s1-1 s2-1 s4-1 --at 100 --format json | python3 -c 'import json, sys; notes = json.load(sys.stdin)["notes"]
assert len(notes) == 2 and "a guess" in notes[0] and notes[1].startswith("100 is more than 8 times"), notes' || failed=1
"$heddle" scale s1-1 s2-1 s4-1 --html few.html >/dev/null 2>&1
[ ! -e few.html ] || grep -q '^<p class=note>note: with 3 scales, a law is a guess' few.html || { echo "no note in the page"; failed=1; }
status 0 "$heddle" scale s* --at 200
has '^note: 200 is more than 8 times the largest scale'
status 2 "$heddle" scale s* --at 0
status 2 "$heddle" scale s* --format xml
status 0 "$heddle" scale s4-1
has '^There is only one scale, 4 .threads.: nothing to compare'
status 2 "$heddle" scale
status 3 "$heddle" scale s1-1 nowhere
status 2 "$heddle" scale s1-1 s2-1 --metric bytes-read
started=5000000000 alone first 2
cp -r first copy
status 2 "$heddle" scale a1 first copy
grep -q 'first and copy are the same run' err || { cat err; failed=1; }
status 0 "$heddle" scale a1 first
mkdir empty
printf 'process program /opt/cg\nnode 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0\nstring main\nthread 0 0 main\nvalue wall-time 1 5\n' |
	"$make_profile" empty/a.heddle
status 7 "$heddle" scale s1-1 empty
grep -q 'empty has no threads with time' err || { cat err; failed=1; }
"$heddle" merge s2-1 -o merged.heddle
status 7 "$heddle" scale s1-1 merged.heddle

"$heddle" scale --format json s* > scale.json
for run in s1-1 s1-2 s1-3 s4-1 s4-2 s4-3; do "$heddle" scale --format json $run > $run.json; done
python3 - << 'END' || failed=1
import json, math, statistics
data = json.load(open("scale.json"))
assert data["format"] == "heddle-scale" and data["by"] == "threads", data
assert [point["scale"] for point in data["scales"]] == [1, 2, 4, 8, 16]
for point in data["scales"]:
    product = math.prod(point["factors"].values())
    assert abs(product - point["parallel_efficiency"]) < 1e-4, point
    assert point["runs"] == 3 and point["margin_ns"] > 0
# Intervals of means of three runs, by Student's t; that of the speed-up includes the errors of both sides.
def alone(scale, value):
    return [value(json.load(open(f"s{scale}-{run}.json"))["scales"][0]) for run in (1, 2, 3)]
def margin(values):
    return 4.3027 * statistics.stdev(values) / math.sqrt(3)
def is_near(is_, wanted):
    assert abs(is_ - wanted) <= 0.002 * wanted + 1e-5, (is_, wanted)
first, third = data["scales"][0], data["scales"][2]
elapsed = {scale: alone(scale, lambda point: point["elapsed_ns"]) for scale in (1, 4)}
relative = {scale: margin(elapsed[scale]) / statistics.mean(elapsed[scale]) for scale in (1, 4)}
is_near(third["margin_ns"], margin(elapsed[4]))
is_near(third["margins"]["speedup"], third["speedup"] * math.hypot(relative[1], relative[4]))
is_near(third["margins"]["efficiency"], third["efficiency"] * math.hypot(relative[1], relative[4]))
is_near(third["margins"]["parallel_efficiency"], margin(alone(4, lambda point: point["parallel_efficiency"])))
for factor in third["factors"]:
    is_near(third["margins"]["factors"][factor], margin(alone(4, lambda point: point["factors"][factor])))
assert third["margins"]["factors"]["processors"] > 0 and first["margins"]["speedup"] == 0
laws = {law["name"]: law for law in data["laws"]}
truth = {"solve": 8 / 32, "setup": 0.2, "exchange": 0.01 * 32 * 5, "grows": 0.02 * math.sqrt(32)}
for name, seconds in truth.items():
    law = laws[name]
    assert abs(law["ns"] / 1e9 / seconds - 1) < 0.1, (name, law, seconds)
    assert law["low_ns"] <= law["ns"] <= law["high_ns"], law
assert abs(sum(law["share"] for law in data["laws"]) - 1) < 1e-3
whole = sum(truth.values()) # at 32 threads
for name, seconds in truth.items():
    law = laws[name]
    assert law["low_share"] <= law["share"] <= law["high_share"] and abs(law["share"] - seconds / whole) < 0.1, law
paths = data["paths"]
solving = next(path for path in paths if path["name"] == "solve")
assert [(term["power"], term["logs"]) for term in solving["terms"]] == [(-1, 0)] and solving["error"] < 0.05, solving
assert paths[0]["parent"] is None and all(path["parent"] < i for i, path in enumerate(paths) if i)
END
exit $failed
