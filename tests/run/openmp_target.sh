#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Target constructs on LLVM 19's host device: the events that the runtime sends are those of
# openmp_target_sequences.txt; each is counted, with its bytes; kernels are below their constructs.
# shellcheck disable=SC2317 # functions are called by expect
. "${BASH_SOURCE%/*}/lib.sh"
expected=${BASH_SOURCE%/*}/openmp_target_sequences.txt
kit=$HEDDLE_SOURCE/build/deps/offload-19

# Prints a construct's lines of the list, with one event in each line.
expectation() {
	local sync='sync_region \1 begin, sync_region_wait \1 begin, sync_region_wait \1 end, sync_region \1 end'
	local four='\1, \1, \1, \1'
	awk -v name="$1" '/^#/ { next } /^[a-z_]+$/ { on = $0 == name; next } on && NF' "$expected" |
		sed -E -e 's/\bstart\b/thread_begin initial, initial_task begin, device_initialize/' \
			-e 's/\bstop\b/device_finalize, initial_task end, thread_end/' \
			-e "s/(device_(initialize|finalize))/$four/g" \
			-e 's/\bfork\b/parallel_begin, implicit_task begin/' \
			-e 's/\bjoin\b/sync barrier_implicit_parallel, implicit_task end, parallel_end/' \
			-e 's/\bleave\b/sync barrier_implicit_parallel, implicit_task end, thread_end/' \
			-e "s/\bsync ([a-z_]+)/$sync/g" \
			-e 's/\bop ([a-z_]+) ([0-9]+)/data_op \1 begin \2, data_op \1 end \2/g' |
		awk -F': ' '{ n = split($2, events, ", "); for (i = 1; i <= n; i++) print $1 ": " events[i] }'
}

sent_as_expected() {
	expectation "$1" > "$work/expected"
	[ -s "$work/expected" ] && cmp -s "$work/expected" "$work/sent" || {
		diff "$work/expected" "$work/sent" | head -n 20
		false
	}
}

# counted NAME LABEL NUMBER: checks the visits of all regions with that label
counted() { expect "$1: $2: $3" test "$(path_sum "$1" "(^|;)$2( @[^;]*)?\$")" = "$3"; }

run() {
	measured "$@"
	expect "$1: ends well" ended "$1" "exit 0"
	folded "$1" --metric visits
}

[ -x "$kit/llvm-19/bin/clang" ] || skip "no compiler for target constructs: ./dev test loads it to build/deps/offload-19"
with_kit=(env "LD_LIBRARY_PATH=$kit/llvm-19/lib:$kit/$(gcc -print-multiarch)" "TMPDIR=$work" OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive)
without_helpers=("${with_kit[@]}" LIBOMP_USE_HIDDEN_HELPER_TASK=0)

"${with_kit[@]}" "$kit/llvm-19/bin/clang" -O1 -g -Wall -Wextra -Werror -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu \
	"-L$kit/llvm-19/lib" -o "$work/target" "$programs/target.c" > "$work/compiled" 2>&1 ||
	skip "clang-19 makes no program for the host device here: $(head -n 1 "$work/compiled")"
gcc -O1 -shared -fPIC -o "$work/trace.so" "$HEDDLE_SOURCE/tests/support/ompt_trace.c" || fail "the tracer does not compile"

# ---- events that the runtime sends ----

for construct in $("${with_kit[@]}" "$work/target"); do
	rm -f "$work/sent"
	"${without_helpers[@]}" "OMPT_TRACE=$work/sent" "LD_PRELOAD=$work/trace.so" timeout "$seconds" \
		"$work/target" "$construct" > "$work/out" 2>&1 || fail "$construct: exit $?"
	expect "$construct: events as listed" sent_as_expected "$construct"
done

# ---- regions and bytes in the profile ----

for hz in 0 1000; do
	run "target-$hz" "${with_kit[@]}" "$work/target" target
	for label in 'omp target' 'omp kernel' 'omp copy to device' 'omp copy from device' 'omp device alloc' \
		'omp device free' 'omp device load'; do
		counted "target-$hz" "$label" 1
	done
	counted "target-$hz" 'omp device initialize' 4
	for part in 'omp kernel' 'omp copy (to|from) device' 'omp device (alloc|free)'; do
		expect "target-$hz: $part below the construct" has_path "target-$hz" "(^|;)omp target @[^;]*;$part( @[^;]*)?\$"
	done
	expect "target-$hz: nothing of the runtime's in a path" no_path "target-$hz" 'libomp|__tgt_'
	folded "target-$hz" --metric bytes-put
	counted "target-$hz" 'omp copy to device' 4000
	folded "target-$hz" --metric bytes-got
	counted "target-$hz" 'omp copy from device' 4000
	expect "target-$hz: the report shows bytes moved" \
		grep -qE '3\.91 KiB +1 .*omp copy from device' <(timeout "$seconds" "$heddle" report --metric bytes-got "$work/target-$hz.heddle.d")

	run "data_region-$hz" "${with_kit[@]}" "$work/target" data_region
	counted "data_region-$hz" 'omp target enter data' 1
	counted "data_region-$hz" 'omp target' 1
	counted "data_region-$hz" 'omp target update' 2
	counted "data_region-$hz" 'omp target exit data' 1
	counted "data_region-$hz" 'omp copy to device' 2
	counted "data_region-$hz" 'omp copy from device' 2

	run "memory-$hz" "${with_kit[@]}" "$work/target" memory
	for label in 'alloc' 'associate' 'disassociate' 'free'; do
		counted "memory-$hz" "omp device $label" 1
	done
	folded "memory-$hz" --metric bytes-put
	counted "memory-$hz" 'omp copy to device' 4000

	run "parallel-$hz" "${with_kit[@]}" "$work/target" parallel
	expect "parallel-$hz: the kernel's region below the kernel" \
		has_path "parallel-$hz" '(^|;)omp target @[^;]*;omp kernel[^;]*;(.*;)?omp parallel( @[^;]*)?$'
	counted "parallel-$hz" 'omp implicit task' 2

	run "teams-$hz" "${with_kit[@]}" "$work/target" teams
	expect "teams-$hz: the kernel's league below the kernel" \
		has_path "teams-$hz" '(^|;)omp target @[^;]*;omp kernel[^;]*;(.*;)?omp teams( @[^;]*)?;omp initial task$'

	run "nowait-$hz" "${with_kit[@]}" "$work/target" nowait
	expect "nowait-$hz: the construct below its task" \
		has_path "nowait-$hz" '(^|;)omp task @[^;]*;(.*;)?omp target( @[^;]*)?;omp kernel( @[^;]*)?$'
	counted "nowait-$hz" 'omp hidden helpers' 1
	expect "nowait-$hz: no thread start in a path" no_path "nowait-$hz" 'start_thread|pthread_create'
done

# ---- time: samples show the kernel's function below its construct; by events, the kernel has the time ----

hz=1000
run busy "${with_kit[@]}" "$work/target" busy
folded busy --metric cpu-time
all=$(path_sum busy '^main')
expect "busy: compute() below the construct has the time" between "$(awk -v t="$all" 'BEGIN { print 0.95 * t }')" \
	"$(path_sum busy '^main;busy;omp target @target.c:[0-9]+;omp kernel @[^;]*;(.*;)?compute')" "$all"
hz=0
run busy-events "${with_kit[@]}" "$work/target" busy
folded busy-events --metric wall-time
all=$(path_sum busy-events '(^|;)omp target @')
expect "busy-events: the kernel has the time" \
	between "$(awk -v t="$all" 'BEGIN { print 0.95 * t }')" "$(path_sum busy-events '(^|;)omp target @[^;]*;omp kernel')" "$all"

# ---- selection ----

printf '%s\n' ompt_callback_target_emi ompt_callback_target_data_op:transfer_to_device > "$work/events"
run_options=(--events "$work/events")
run selected "${with_kit[@]}" "$work/target" target
counted selected 'omp target' 1
counted selected 'omp kernel' 0
counted selected 'omp copy to device' 1
counted selected 'omp copy from device' 0
finish
