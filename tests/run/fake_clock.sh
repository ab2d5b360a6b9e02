#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A preloaded library shows the program a false time; Heddle measures the system's time.
. "${BASH_SOURCE%/*}/trace_lib.sh"

compile fake.so fake_clock.c -shared -fPIC
compile plain plain.c -DPERCENT=5
compile_events

json_number() { "$heddle" export "$work/$1.heddle.d" --format json | tr ',' '\n' | grep -o "\"$2\":[0-9]*" | head -n 1 | cut -d: -f2; }
# The preloaded library comes after Heddle's, which `heddle run` puts first.
shown_another_time() { LD_PRELOAD=$work/fake.so "$@"; }
now() { date +%s%N; }

# real NAME BEFORE: the times in the profile are within the run's
real() {
	local after
	after=$(now)
	expect "$1: ends as the program does" ended "$1" "exit 0"
	expect "$1: the start" between "$2" "$(json_number "$1" start_unix_ns)" "$after"
	expect "$1: the duration" between 1 "$(json_number "$1" duration_ns)" $((after - $2))
	expect "$1: the CPU time, of two threads at most" between 1 "$(json_number "$1" cpu_ns)" $((2 * (after - $2)))
}

for source in auto posix; do
	before=$(now)
	run_options=(--sample-source "$source")
	shown_another_time measured "$source" "$work/plain"
	real "$source" "$before"
	folded "$source" --metric cpu-time
	# The cost of start and end is in no path.
	expect "$source: the paths have no more than that" between 1 "$(path_sum "$source" .)" \
		$(($(json_number "$source" cpu_ns) * 105 / 100 + 5000000))
done
before=$(now)
run_options=()
shown_another_time traced traced "$work/trace_events" 2 8000
real traced "$before"
expect "traced: the trace's times" between 0 "$(trace_sum traced span_ms)" $((($(now) - before) / 1000000))
finish
