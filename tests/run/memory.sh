#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The malloc family: the blocks and bytes are exact and on the paths that allocated them, whichever code frees them.
. "${BASH_SOURCE%/*}/lib.sh"

numbers=$HEDDLE_BUILD/tests/numbers
number() { "$numbers" "$work/$1.heddle.d" | awk -v key="$2" '$1 == key { print $2 }'; }

run_options=(--memory)
CC=gcc compile memory memory.c -fno-builtin -finstrument-functions -fno-omit-frame-pointer
for hz in 0 1000; do
	name=memory-$hz
	same_behaviour "$name" "$work/memory"
	# Expected sums of bytes and blocks, allocated and freed: METRIC PATH SUM
	while read -r metric path sum; do
		folded "$name" --metric "$metric"
		got=$(path_sum "$name" "^main;$path;(malloc|realloc|free) @memory.c")
		expect "$name: $metric of $path: $got, not $sum" test "$got" = "$sum"
	done <<- END
		bytes-allocated leaks 1000
		bytes-freed leaks 0
		allocations leaks 1
		bytes-allocated each_kind 6027
		bytes-freed each_kind 6027
		allocations each_kind 7
		bytes-allocated resizes 11110
		bytes-freed resizes 11110
		allocations resizes 4
		bytes-allocated peaks;allocates 1000000
		bytes-freed peaks;allocates 1000000
		bytes-allocated allocates 10000
		bytes-freed allocates 10000
		bytes-allocated fails 300
		bytes-freed fails 300
		visits fails 6
		visits each_kind 14
		visits peaks;frees 10
	END
	expect "$name: in use = allocated - freed" \
		test "$(number "$name" memory_in_use)" = $(($(number "$name" bytes-allocated) - $(number "$name" bytes-freed)))
	# The leak, and what the C library caches of the thread that it created.
	expect "$name: in use at the end" between 1000 "$(number "$name" memory_in_use)" 6000
	expect "$name: the peak" between 1001000 "$(number "$name" memory_peak)" 1007000
done

# What the C library frees when Heddle's threads end is not counted. Threads counted are main and its five.
run_options=(--memory --trace)
for run in 1 2 3 4 5; do
	hz=0 same_behaviour "traced-$run" "$work/memory"
	expect "traced-$run: the threads" test "$(info_number "traced-$run" '^ *threads')" = 6
done

# Blocks freed by unmeasured threads: as the last thing that happens, or before main allocates again.
CC=gcc compile orphans orphans.c -fno-builtin -I"$HEDDLE_SOURCE/include" -ldl
for way in ends allocates; do
	run_options=(--memory --trace)
	hz=0 same_behaviour "orphans-$way" "$work/orphans" "$way"
	for metric in bytes-allocated bytes-freed; do
		folded "orphans-$way" --metric "$metric"
		got=$(path_sum "orphans-$way" 'malloc @orphans.c:19$')
		expect "orphans-$way: $metric: $got" test "$got" = 10000000
	done
	[ "$way" = ends ] || # what is counted after the last event is not recorded in the trace
		expect "orphans-$way: the trace agrees" in_time "$heddle" info --check-trace "$work/orphans-$way.heddle.d"
done

# Memory that templates and operator new allocate is charged to the program's line that calls them.
compile places places.cpp
run_options=(--memory)
hz=1000 same_behaviour places "$work/places"
"$heddle" report --memory --no-color "$work/places.heddle.d" | sed -n '/by place/,$p' > "$work/by_place"
expect "the line that fills a vector" grep -Eq ' 39.1 KiB +1  fill[^ ]* places.cpp:8$' "$work/by_place"
expect "no place is in operator new" test "$(grep -c 'operator new' "$work/by_place")" = 0

run_options=()
hz=0 measured without "$work/memory"
folded without --metric visits
expect "without --memory nothing is measured" no_path without '(malloc|realloc|free) @'

run_options=(--memory --models openmp)
hz=0 measured models "$work/memory"
folded models --metric wall-time
expect "without the model nothing is measured" no_path models '(malloc|realloc|free) @'

echo GASP_C_FREE > "$work/events"
run_options=(--memory --events "$work/events")
hz=0 measured selected "$work/memory"
folded selected --metric visits
expect "only the selected events" no_path selected '(malloc|realloc) @|main'
expect "the selected events are measured" has_path selected '^free @memory'
finish
