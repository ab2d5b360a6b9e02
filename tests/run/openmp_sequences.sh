#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Compares the events that each runtime sends for each construct with openmp_sequences.txt: Heddle depends on them.
# shellcheck disable=SC2317 # functions are called by expect
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/openmp_runtimes.sh"
expected=${BASH_SOURCE%/*}/openmp_sequences.txt

# Edits the list for LLVM 14 and 16, which differ from 19: all implicit barriers and all loops have one kind, tests of
# locks have the locks' kinds. 14 has no dispatch events.
deviations() {
	local edits=()
	# Clang 19 ends the inner loop of a distribution by the loop's function, earlier versions by the distribution's.
	[ "$installed_runtime" -lt 19 ] || edits+=(-e 's/(work loop_static begin, )work distribute end/\1work loop_static end/')
	[ "$1" = 19 ] || edits+=(-e 's/barrier_(implicit_workshare|implicit_parallel|teams)/barrier_implicit/g'
		-e 's/loop_(static|dynamic)/loop/g' -e 's/mutex_(acquire|acquired) test_/mutex_\1 /g')
	[ "$1" != 14 ] || edits+=(-e 's/, dispatch [a-z_]+//g')
	sed -E "${edits[@]}" -e ''
}

# Prints a construct's lines of the list, with one event in each line.
expectation() {
	local sync='sync_region \1 begin, sync_region_wait \1 begin, sync_region_wait \1 end, sync_region \1 end'
	awk -v name="$2" '/^#/ { next } /^[a-z_]+$/ { on = $0 == name; next } on && NF' "$expected" |
		sed -E -e 's/\bstart\b/thread_begin initial, initial_task begin/g' \
			-e 's/\bstop\b/initial_task end, thread_end/g' \
			-e 's/\bfork\b/parallel_begin, implicit_task begin/g' \
			-e 's/\bjoin\b/sync barrier_implicit_parallel, implicit_task end, parallel_end/g' \
			-e 's/: worker\b/: thread_begin worker, implicit_task begin/' \
			-e 's/\bleave\b/sync barrier_implicit_parallel, implicit_task end, thread_end/g' \
			-e "s/\bsync ([a-z_]+)/$sync/g" |
		deviations "$1" |
		awk -F': ' '{ n = split($2, events, ", "); for (i = 1; i <= n; i++) print $1 ": " events[i] }'
}

sent_as_expected() {
	expectation "$1" "$2" > "$work/expected"
	[ -s "$work/expected" ] && cmp -s "$work/expected" "$work/sent" || {
		diff "$work/expected" "$work/sent" | head -n 20
		false
	}
}

try_runtime() {
	local construct
	for construct in $("$work/constructs"); do
		has_construct "$1" "$construct" || continue
		rm -f "$work/sent"
		OMPT_TRACE=$work/sent LD_PRELOAD=$work/trace.so timeout "$seconds" "${constructs_environment[@]}" \
			"$work/constructs" "$construct" > "$work/out" 2>&1 || fail "LLVM $1: $construct: exit $?"
		expect "LLVM $1: $construct: events as listed" sent_as_expected "$1" "$construct"
	done
}

compile constructs constructs.c -fopenmp
gcc -O1 -shared -fPIC -o "$work/trace.so" "$HEDDLE_SOURCE/tests/support/ompt_trace.c" || fail "the tracer does not compile"
for_each_runtime try_runtime
finish
