#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh CALL...: each system call of that kind that Heddle makes in a run fails once, then all from some call on
# fail. The program behaves as without Heddle, one line says what is missing, and what was written before can be read.
# shellcheck disable=SC2317 # functions are called by expect
. "${BASH_SOURCE%/*}/lib.sh"
runner=$HEDDLE_BUILD/tests/faults/bin/heddle
run_options=(--trace --trace-buffer 4K --blame)
seconds=$((seconds / 4))
compile faulted faulted.c -finstrument-functions -I"$HEDDLE_SOURCE/include"
bare alone "$work/faulted"

HEDDLE_FAULT_COUNTS=$work/counts measured none "$work/faulted"
expect "without a fault: ends well" ended none "exit 3"
expect "without a fault: nothing is said" test "$(heddle_lines none)" = 0

# Lines of the library; the launcher's closing line and its lines about incomplete profiles do not count. When all calls
# from one on fail, profile and trace may both be missing, with one line for each.
library_lines() { messages "$work/$1.err" | grep -vE '^heddle: (measured|incomplete:|no profile of) '; }
lines_are_few() {
	local most=1
	[ "${1%+}" = "$1" ] || most=2
	reason=$(library_lines "$1")
	[ "$(library_lines "$1" | wc -l)" -le "$most" ] && [ -z "$(library_lines "$1" | sort | uniq -d)" ] && reason=
}
says() { grep -qE "^heddle: .*($2)" "$work/$1.err"; }
# There is the final profile, or that of the flush, or a line says that there is none. Nothing is damaged, except a
# trace of which nothing could be written. A line, the trace or a note says what trace or profile lack.
files_are_whole() {
	"$heddle" info --check-trace "$work/$1.heddle.d" > "$work/info" 2>&1 && return
	"$heddle" info "$work/$1.heddle.d" >> "$work/info" 2>&1 || says "$1" 'cannot|no profile' || { reason='no profile'; return 1; }
	reason=$(grep damaged "$work/info" | grep -v 'it has no clock rate$')
	[ -z "$reason" ] || return
	says "$1" cannot || grep -qE 'lost +[0-9,]+ events|values of some paths are lost' "$work/info" ||
		{ reason=$(grep -E 'in the profile' "$work/info" | head -n 3); false; }
}

# fault CALL NUMBER[+]
fault() {
	local name=$1-$2
	HEDDLE_FAULT=$1:$2 measured "$name" "$work/faulted"
	expect "$name: the program's end" ended "$name" "exit 3"
	expect "$name: its output" same_output alone "$name"
	expect "$name: one line" lines_are_few "$name"
	expect "$name: profile and trace" files_are_whole "$name"
	rm -rf "$work/$name".*
}

for call; do
	count=$(awk -v call="$call" '$1 == call { print $2 }' "$work/counts")
	expect "$call: is called" test "${count:-0}" -gt 0
	echo "$call: $count calls"
	for ((number = 1; number <= count; number++)); do
		fault "$call" "$number"
	done
	for ((number = 1; number <= count; number += 1 + count / 8)); do
		fault "$call" "$number+"
	done
done
finish
