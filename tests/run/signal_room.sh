#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Samples must not need room in the user's signal queue: if it is full, the kernel sends SIGIO in place of a signal that
# it cannot queue, which ends the program. Tests both signal modes of perf's clock, and POSIX timers.
. "${BASH_SOURCE%/*}/lib.sh"

compile signal_room signal_room.c

# burned NAME FUNCTION LOW HIGH: CPU time of the function, in ns.
burned() {
	folded "$1" --metric cpu-time
	expect "$1: CPU time" between "$3" "$(path_sum "$1" "(^|;)$2(;|$)")" "$4"
}

ways=(default handles ignores forks executes)
for way in "${ways[@]}"; do
	BURN_PERCENT=10 bare "$way.bare" "$work/signal_room" "$way"
done
for how in "" "--sample-signal 23" "--sample-source posix"; do
	read -ra run_options <<< "$how"
	mark=${how//[- ]/}
	for way in "${ways[@]}"; do
		name=$way-none${mark:+-$mark}
		rm -rf "$work/$name.heddle.d"
		(ulimit -i 0 && measured "$name" "$work/signal_room" "$way")
		expect "$name: same outcome" ended "$name" "$(outcome "$way.bare")"
		expect "$name: same output" same_output "$way.bare" "$name"
	done
	[ "$how" = "--sample-source posix" ] || burned "default-none${mark:+-$mark}" burn_here 4.8e7 7.2e7

	# Another process of the user has filled the queue up to this process's limit.
	name=filled${mark:+-$mark}
	run_as "$name" -- "$work/signal_room" fill 200 "$heddle" run --sample-hz 1000 "${run_options[@]}" \
		-o "$work/$name.heddle.d" -- "$work/signal_room" handles
	expect "$name: the program survives" ended "$name" "exit 0"
	expect "$name: no SIGIO" grep -q '^handles: 0 SIGIO' "$work/$name.out"
done

# Samples arrive faster than they are handled: at most one is pending, so the program continues.
hz=10000
for how in "" "--sample-signal 23"; do
	read -ra run_options <<< "$how"
	name=threads${how//[- ]/}
	same_behaviour "$name" "$work/signal_room" threads
	burned "$name" burn_deep 5.2e8 1e12
	expect "$name: periods counted = samples in paths" test "$(folded "$name" --metric samples; path_sum "$name" .)" = "$(info_number "$name" '^ *periods')"
done
finish
