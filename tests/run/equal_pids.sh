#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Processes in separate process id namespaces (containers) have equal process ids, and write to one directory at the
# same time: each has its own profile and trace.
. "${BASH_SOURCE%/*}/trace_lib.sh"

processes=6
space=(unshare --pid --fork)
"${space[@]}" true 2> /dev/null || space=(unshare --user --map-root-user --pid --fork)
"${space[@]}" true 2> /dev/null || skip "no process id namespaces here"
compile plain plain.c -DPERCENT=5
compile_events

# contained COMMAND...: runs several containers at once
contained() {
	cat > "$work/contained.sh" << END
for i in $(seq -s ' ' "$processes"); do ${space[*]} $* & done
wait
END
	echo "sh $work/contained.sh"
}
files_of() { find "$work/$1.heddle.d" -name "$2" | wc -l; }
hosts_pids() { find "$work/$1.heddle.d" -name "$2.*.heddle" -printf '%f\n' | cut -d. -f1-3 | sort -u | wc -l; }
# After unshare(2) the kernel starts no thread in the process itself; Heddle prints a line about it.
complaints() { messages "$work/$1.err" | grep -v -e '^heddle: measured ' -e 'cannot start a thread'; }
left() { find "$work/$1.heddle.d" -name '.*.part*' | wc -l; }

for round in 1 2 3; do
	name=profiles-$round
	# shellcheck disable=SC2046
	measured "$name" $(contained "$work/plain")
	expect "$name: ends as the program does" ended "$name" "exit 0"
	expect "$name: equal process ids" test "$(hosts_pids "$name" plain)" = 1
	expect "$name: a profile for each" test "$(files_of "$name" 'plain.*.heddle')" = "$processes"
	expect "$name: nothing temporary is left" test "$(left "$name")" = 0
	expect "$name: no complaint" test -z "$(complaints "$name")"
	expect "$name: all can be read" test "$("$heddle" info "$work/$name.heddle.d" | grep -c '^process .* plain ')" = "$processes"
done

hz=0
events=8000
# shellcheck disable=SC2046
traced traces $(contained "$work/trace_events" 2 "$events")
expect "traces: as the program" ended traces "exit 0"
expect "traces: a profile for each" test "$(files_of traces 'trace_events.*.heddle')" = "$processes"
expect "traces: a trace for each" test "$(files_of traces 'trace_events.*.heddle-trace')" = "$processes"
expect "traces: all visits" test "$(trace_sum traces visits)" = $((processes * events))
expect "traces: agree with the profiles" "$heddle" info --check-trace "$work/traces.heddle.d" > /dev/null
expect "traces: no complaint" test -z "$(complaints traces)"

# The trace is begun while the profile is written, or before. Both files get the first free name.
for buffer in 4K 1M; do
	run_options=(--trace-buffer "$buffer")
	traced "alone-$buffer" "$work/trace_events" 2 "$events"
	expect "alone-$buffer: profile and trace have one name" test "$(find "$work/alone-$buffer.heddle.d" -printf '%f\n' |
		grep -cE '^trace_events\.[^.]*\.[0-9]+\.heddle(-trace)?$')" = 2
done
run_options=()

export HEDDLE_TRACE_DIR=$work/elsewhere
mkdir "$HEDDLE_TRACE_DIR"
# shellcheck disable=SC2046
traced elsewhere $(contained "$work/trace_events" 2 "$events")
expect "elsewhere: all visits" test "$(trace_sum elsewhere visits)" = $((processes * events))
expect "elsewhere: nothing is left there" test "$(find "$HEDDLE_TRACE_DIR" -type f | wc -l)" = 0
finish
