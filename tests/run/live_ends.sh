#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle run --live: however the program ends, the terminal is restored and the exit status is the program's.
. "${BASH_SOURCE%/*}/live_lib.sh"

# begin NAME STEP...: starts the program and waits until the line is shown; the caller ends the program.
begin() {
	local name=$1
	shift
	type_line "clear; run $name $*; ended $name"
	eventually "$name: the line" line_is_last
}
check_end() {
	eventually "$1: the status" at_prompt "$1" "$2"
	eventually "$1: the line is taken away" no_line
	expect "$1: the whole screen scrolls" whole_screen
}
# shellcheck disable=SC2009 # the command line of steps, not that of heddle
pid_of() { ps -eo pid=,args= | awk -v command="./steps $1" '{ pid = $1; sub(/^ *[0-9]+ /, "") } $0 == command { print pid; exit }'; }
launcher_of() { ps -o ppid= -p "$(pid_of "$1")" | tr -d ' '; }

begin interrupted until:never
press C-c
eventually "interrupted: a prompt" screen_has '^\$'
type_line "ended interrupted" # the shell stops a list of commands when the first one is interrupted
check_end interrupted 130

begin killed until:never.killed
kill -KILL "$(pid_of until:never.killed)"
check_end killed 137

begin aborted until:now abort
touch "$work/now"
check_end aborted 134

begin terminated until:never.terminated
kill -TERM "$(launcher_of until:never.terminated)"
check_end terminated 143
if env --ignore-signal=CHLD true 2>/dev/null; then
	type_line "clear; ignoring ignored until:now exit:3; ended ignored"
	check_end ignored 3
fi
expect "no board is left behind" test -z "$(find /dev/shm "$work" -name '*heddle-live*' 2> /dev/null)"
finish
