#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# However a program ends, it ends as without Heddle, and leaves its profile.
. "${BASH_SOURCE%/*}/lib.sh"

compile ends ends.c
simulate
seconds=$((seconds / 4))
for way in exit _exit quick_exit abort segv raise_term segv_handler segv_recovered segv_resethand stack_overflow \
	pthread_exit exit_in_thread all_segv all_raise_term all__exit segv_before_term; do
	same_behaviour "$way" "$work/ends" "$way"
	expect "$way: one profile file" test "$(profile_files "$way")" = 1
	folded "$way" --metric cpu-time
	expect "$way: what it burned is there" is_sum "$way" '^main;burn_before_end(;|$)' 150000000
done
# Whether a profile can be written in this case depends on where the signal arrives.
same_behaviour plain_stack_overflow "$work/ends" plain_stack_overflow

for way in wait spin; do
	kill_options=(-s 15 100 burned)
	same_behaviour "$way" "$work/ends" "$way"
	kill_options=()
	expect "$way: ended by SIGTERM" ended "$way" "signal 15"
	expect "$way: one profile file" test "$(profile_files "$way")" = 1
	folded "$way" --metric cpu-time
	expect "$way: what it burned is there" is_sum "$way" '^main;burn_before_end(;|$)' 150000000
done

kill_options=(-s 9 100 burned)
same_behaviour killed "$work/ends" spin
expect "killed: ended by SIGKILL" ended killed "signal 9"
pkill -KILL -f "^$work/ends spin" || true # a launcher that is killed cannot end its program
finish
