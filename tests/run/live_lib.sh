# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Helpers for tests of `heddle run --live`: a shell in a terminal (tmux), and the program `steps`.
#
#   type_line TEXT          types at the prompt, where `run NAME STEP...` is heddle run --live, `ended NAME` prints its
#                           status, and `ignoring` is `run` below a parent that ignores SIGCHLD
#   press KEY               presses a key, named as in tmux: C-c, C-z
#   screen, whole_history   print what is shown; the latter with the lines scrolled out
#   eventually MESSAGE COMMAND...   as expect, once the command succeeds
. "${BASH_SOURCE%/*}/lib.sh"
need tmux

in_terminal() { tmux -S "$work/socket" "$@"; }
cleanup_all() { in_terminal kill-server 2> /dev/null; cleanup; }
trap cleanup_all EXIT

compile steps steps.c
cat > "$work/shell" << TEXT
PS1='$ '
cd "$work"
unset HISTFILE PROMPT_COMMAND
run() { local name=\$1; shift; "$heddle" run --live -o "\$name.heddle.d" -- ./steps "\$@"; }
ignoring() { local name=\$1; shift; env --ignore-signal=CHLD "$heddle" run --live -o "\$name.heddle.d" -- ./steps "\$@"; }
any() { "$heddle" run --live -o any.heddle.d -- "\$@"; rm -rf any.heddle.d; }
ended() { echo "\$1 ended with \$?"; }
TEXT
echo 'set-option -g history-limit 100000' > "$work/settings"
LC_ALL=C.UTF-8 in_terminal -u -f "$work/settings" new-session -d -x 80 -y 24 "bash --noprofile --rcfile '$work/shell' -i" ||
	skip "tmux does not start"

type_line() { in_terminal send-keys -l "$1" && in_terminal send-keys Enter; }
press() { in_terminal send-keys "$1"; }
screen() { in_terminal capture-pane -p; }
whole_history() { in_terminal capture-pane -p -S -; }
region() { in_terminal display-message -p '#{scroll_region_upper} #{scroll_region_lower} of #{pane_height}'; }

eventually() {
	local message=$1
	shift
	checks=$((checks + 1))
	wait_until "$@" && return
	fail "$message"
	screen | sed 's/^/  |/'
	return 1
}

live_pattern='^heddle [0-9]+:[0-9][0-9] '
screen_has() { screen | grep -qE -- "$1"; }
screen_lacks() { ! screen | grep -qE -- "$1"; }
# The last row of the terminal, and no other row, is the live line.
line_is_last() {
	local rows
	rows=$(in_terminal display-message -p '#{pane_height}')
	[ "$(screen | grep -nE -- "$live_pattern" | cut -d: -f1)" = "$rows" ]
}
no_line() { screen_lacks "$live_pattern"; }
whole_screen() { [ "$(region)" = "0 $(($(in_terminal display-message -p '#{pane_height}') - 1)) of $(in_terminal display-message -p '#{pane_height}')" ]; }
at_prompt() { screen_has "^$1 ended with $2\$"; }
eventually "a prompt" screen_has '^\$'
