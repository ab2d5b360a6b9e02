#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Whichever process of a program is killed or receives a signal: no process is left, and nothing in /dev/shm.
. "$HEDDLE_SOURCE/tests/upc_runtime/lib.sh"
exec 2>&1
ends="$programs/upc_ends"

# The kernel's list of children may be incomplete while other processes start and end.
# shellcheck disable=SC2317 # wait_until calls it
has_four_children() {
	children=$(cat "/proc/$launched/task/$launched/children")
	[ "$(echo "$children" | wc -w)" = 4 ]
}

start() {
	ls /dev/shm >before
	"$ends" -n 4 "$@" >out 2>err &
	launched=$!
	wait_until grep -q '^[0-9]* [0-9]*$' out || fail "it does not start"
	wait_until has_four_children || {
		fail "processes: $children"
		kill -KILL "$launched"
		finish
	}
}

# shellcheck disable=SC2317 # wait_until calls it
none_left() {
	for child in $children; do
		if [ -e "/proc/$child" ] && ! grep -q '^State:.*[ZX]' "/proc/$child/status" 2>/dev/null; then
			return 1
		fi
	done
}

# ended STATUS: the program ends with STATUS, and nothing is left.
ended() {
	wait "$launched"
	local status=$?
	[ $status = "$1" ] || fail "status $status, not $1: $(cat err)"
	wait_until none_left || fail "processes are left of $children"
	# shellcheck disable=SC2012
	ls /dev/shm | comm -13 before - | grep -i upc && fail "something is left in /dev/shm"
}

start pid 2
kill -KILL $launched
ended 137

for thread in 1 2 4; do
	start pid 0
	kill -KILL "$(echo "$children" | cut -d' ' -f$thread)"
	ended 137
	grep -q '^upc: thread [0-3]: killed by signal 9 (Killed)' err || fail "no line: $(cat err)"
done

# A signal to the program is sent to its threads, too, without a message. (A shell's background jobs ignore SIGINT.)
for signal in TERM:143 HUP:129 USR1:138; do
	start pid 3
	kill -"${signal%:*}" $launched
	ended "${signal#*:}"
	[ -s err ] && fail "SIG${signal%:*}: $(cat err)"
done
run timeout --preserve-status -s INT 1 "$ends" -n 3 pid 0
expect 130
finish
