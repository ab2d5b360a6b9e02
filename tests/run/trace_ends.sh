#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# However a process ends, its trace has every event until then, and each process has its own trace.
. "${BASH_SOURCE%/*}/trace_lib.sh"
compile_events

# 4 threads, 10000 events each, of which half are begins: each thread fills eight buffers
run_options=(--trace-buffer 4K)
for end in exit _exit abort alone; do
	traced "$end" "$work/trace_events" 4 10000 "$end"
	whole "$end" 20000
	agrees "$end"
done
traced fork "$work/trace_events" 2 10000 fork
expect "fork: two traces" test "$(wc -l < "$work/fork.trace")" = 2
whole fork 30000
agrees fork
# The exec that failed leaves no trace; the one that succeeded begins another program.
traced exec "$work/trace_events" 2 10000 exec
expect "exec: two traces" test "$(wc -l < "$work/exec.trace")" = 2
whole exec 15000
agrees exec
traced single "$work/trace_events" 1 100000
whole single 50000
agrees single
finish
