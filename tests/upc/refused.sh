#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Errors are reported at the right place: each line with `refuse: COLUMN WORDS` has such an error, no other line has
# one. `options: ...` in a file are options for the compiler.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
bad=0
for program in "$here"/refused/*.upc; do
	options=$(sed -n 's|^/\* options: \(.*\) \*/$|\1|p' "$program")
	# shellcheck disable=SC2086
	if "$upcc" $options -c "$program" -o "$work/x.o" 2>"$work/messages"; then
		echo "$program: accepted"
		bad=1
	fi
	grep -n 'refuse: ' "$program" | sed -E 's/^([0-9]+):.*refuse: ([0-9]+) (.*) \*\/$/\1 \2 \3/' >"$work/expected"
	[ -s "$work/expected" ] || { echo "$program: expects nothing"; bad=1; }
	while read -r line column words; do
		if ! grep -F "$program:$line:$column: error: " "$work/messages" | grep -qF -e "$words"; then
			echo "$program:$line:$column: not refused: $words"
			grep -F "$program:$line:" "$work/messages" || true
			bad=1
		fi
	done <"$work/expected"
	grep -oE '^[^ ]*:[0-9]+:[0-9]+: (fatal )?error: ' "$work/messages" | cut -d: -f2 | sort -u >"$work/lines"
	while read -r line; do
		grep -q "^$line " "$work/expected" || { echo "$program:$line: refused, and is right"; bad=1; }
	done <"$work/lines"
done

# A task's copy of a shared variable.
printf '%s\n' 'shared int sum;' 'void start(void) {' '#pragma omp task firstprivate(sum)' 'sum++; }' >"$work/task.upc"
if "$upcc" -fopenmp -c "$work/task.upc" -o "$work/x.o" 2>"$work/messages" ||
	! grep -q 'task.upc:3:1: error: a clause of OpenMP cannot make a copy of a shared variable' "$work/messages"; then
	cat "$work/messages"
	echo "task.upc: not refused"
	bad=1
fi
exit $bad
