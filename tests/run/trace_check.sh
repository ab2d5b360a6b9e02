#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The profile computed from a trace equals the measured one, whatever is measured and however: every value of every
# thread. The comparison also finds differences.
. "${BASH_SOURCE%/*}/lib.sh"

# agrees NAME COMMAND...: measures with run_options and compares
agrees() {
	local name=$1
	run_options+=(--trace)
	measured "$@"
	checks=$((checks + 1))
	timeout "$seconds" "$heddle" info --check-trace "$work/$name.heddle.d" > "$work/$name.check" 2>&1 ||
		fail "$name: $(head -n 12 "$work/$name.check")"
	sed "s/^/  $name: /" "$work/$name.check"
	expect "$name: says so" grep -q '^the trace and the profile agree: ' "$work/$name.check"
	run_options=()
}

compile regions regions.c -fopenmp
compile flushes flushes.c -fopenmp
compile threads threads.c
compile lock_loop lock_loop.c -fopenmp
compile control openmp_control.c -fopenmp
CC=gcc compile memory memory.c -fno-builtin -finstrument-functions -fno-omit-frame-pointer
CC=gcc compile functions functions.c -finstrument-functions -foptimize-sibling-calls
compile forked_team forked_team.c -fopenmp -finstrument-functions -fno-omit-frame-pointer
CC=gcc compile ends_at_work ends_at_work.c -finstrument-functions

agrees regions "$work/regions" 3000 3
run_options=(--sample-clock wall --blame --memory --trace-buffer 8K)
agrees everything "$work/regions" 3000 2
hz=0
agrees events "$work/regions" 3000 2
agrees control "$work/control"
run_options=(--metric page-faults)
agrees counters "$work/regions" 1000 2
agrees flushes "$work/flushes" 3000
agrees functions "$work/functions"
run_options=(--blame)
agrees forked_team "$work/forked_team"
run_options=(--memory)
agrees memory "$work/memory"
for client in flight_while_off flight_while_all_is_off; do
	[ ! -x "$HEDDLE_BUILD/tests/gasp/gasp_section_5_4_6_$client" ] || # not with TSan
		agrees "$client" "$HEDDLE_BUILD/tests/gasp/gasp_section_5_4_6_$client"
done
hz=1000
agrees threads "$work/threads" join
agrees ends_at_work "$work/ends_at_work" 30 # threads are stopped at any point
agrees ends_at_work_longer "$work/ends_at_work" 60
run_options=(--blame) # blame of a lock's holder, which samples move to the holder's path
agrees locks "$work/lock_loop" 2 8000
if [ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ]; then
	"$heddle" upcc --inst -O1 -o "$work/cg" "$HEDDLE_SOURCE/examples/cg.upc" -lm || fail "cg.upc does not compile"
	agrees upc "$work/cg" -n 2
fi

# Another run's trace has other values, and a missing trace has none.
cp "$work"/regions.heddle.d/*-trace "$work/trace"
for file in "$work"/events.heddle.d/*-trace; do cp "$work/trace" "$file"; done
"$heddle" info --check-trace "$work/events.heddle.d" > "$work/out"
expect "a difference: the status" test $? = 1
expect "a difference: where" grep -Eq '^[0-9]+\.[0-9]+ [a-z-]+: [0-9]+ in the profile, [0-9]+ in the trace:' "$work/out"
sed "s/^/  difference: /" "$work/out"
expect "a difference: how many" grep -Eq '^the trace and the profile differ in [0-9]+ of [0-9]+ values$' "$work/out"
"$heddle" info "$work/events.heddle.d" > "$work/out"
expect "info: a section" grep -q '^traces$' "$work/out"
expect "info: events" grep -Eq '^  events +[0-9,]+, [0-9.]+ bytes each, in ' "$work/out"
expect "info: a clock" grep -q '^  clock .* of one machine$' "$work/out"
for file in "$work"/events.heddle.d/*-trace; do truncate -s -1 "$file"; done
"$heddle" info "$work/events.heddle.d" > "$work/out"
expect "info: damage" grep -q '^  damaged .*: not read from byte ' "$work/out"
rm "$work"/events.heddle.d/*-trace
"$heddle" info --check-trace "$work/events.heddle.d" 2> "$work/err"
expect "no trace: the status" test $? = 7
expect "no trace: what to do" grep -q 'has no traces; measure with `heddle run --trace`$' "$work/err"
finish
