# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle browse` in a terminal that tmux draws. A test sources this file, types keys and compares screens. It waits for
# what it expects, so a busy machine only makes it slower. HEDDLE_REGENERATE=1 writes the expected screens instead.
#
#   measurement DIR            makes a measurement: two UPC threads of two OpenMP threads, blame, accesses, source lines
#   browse WxH [NAME=VALUE]... [ARGUMENT]...   starts a terminal of that size
#   keys KEY...                types keys, by tmux's names
#   typed TEXT                 types bytes
#   resize WxH
#   shows TEXT                 waits until the screen has the text; hides TEXT: until it does not have it
#   same NAME                  waits until the screen is expected/NAME.txt
#   ended STATUS               waits until the command has ended, with that status
set -u
: "${HEDDLE_BUILD:?the build directory}" "${HEDDLE_SOURCE:?the source directory}"
heddle=$HEDDLE_BUILD/bin/heddle make_profile=$HEDDLE_BUILD/tests/make_profile
expected=$HEDDLE_SOURCE/tests/browse/expected
work=$(mktemp -d "${TMPDIR:-/tmp}/heddle-browse.XXXXXX")
server=heddle-browse-$$ # tmux's socket; each terminal has one of its own
terminals=0
. "$HEDDLE_SOURCE/tests/support/patience.sh" || exit 1
failures=0
checks=0
unset NO_COLOR COLUMNS LINES TMUX HEDDLE_OUTPUT
export LC_ALL=C.UTF-8 TZ=UTC

screen_tool() { tmux -L "$server" -f /dev/null "$@"; }
cleanup() {
	screen_tool kill-server 2> /dev/null
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
finish() { echo "$checks checks, $failures failed"; [ "$failures" -eq 0 ] && [ "$checks" -gt 0 ]; exit; }
command -v tmux > /dev/null || skip "no tmux on this machine"

screen() { screen_tool capture-pane -p; }

browse() {
	local size=$1 words='' word
	shift
	while [[ ${1:-} == *=* && ${1:-} != -* ]]; do
		words+="export $(printf '%q' "$1"); "
		shift
	done
	words+=$(printf '%q ' "$heddle" browse)
	for word in "$@"; do
		words+=$(printf '%q ' "$word")
	done
	rm -f status
	screen_tool kill-server 2> /dev/null
	server=heddle-browse-$$-$((terminals += 1))
	screen_tool -u new-session -d -x "${size%x*}" -y "${size#*x}" \
		"$words; echo \$? > status.new; mv status.new status; exec cat" || skip "tmux cannot start a session here"
}

keys() { screen_tool send-keys "$@"; }
typed() { screen_tool send-keys -l "$1"; }
resize() { screen_tool resize-window -x "${1%x*}" -y "${1#*x}"; }

has() { screen | grep -qF -- "$1"; }
has_not() { ! has "$1"; }
expect_screen() {
	local message=$1
	shift
	checks=$((checks + 1))
	wait_until "$@" || { fail "$message; the screen is:"; screen; }
}
shows() { expect_screen "the screen never has '$1'" has "$1"; }
hides() { expect_screen "the screen always has '$1'" has_not "$1"; }

is_settled() {
	screen > now
	sleep 1
	screen | cmp -s - now
}
is_same() { screen | sed 's/ *$//' | cmp -s - "$expected/$1.txt"; }
same() {
	if [ "${HEDDLE_REGENERATE:-}" = 1 ]; then
		wait_until is_settled
		screen | sed 's/ *$//' > "$expected/$1.txt"
		checks=$((checks + 1))
		return
	fi
	checks=$((checks + 1))
	wait_until is_same "$1" || { fail "the screen never is $1.txt:"; screen | sed 's/ *$//' | diff "$expected/$1.txt" -; }
}

has_ended() { [ -e status ]; }
ended() {
	checks=$((checks + 1))
	wait_until has_ended || { fail "the command does not end"; screen; return; }
	[ "$(cat status)" = "$1" ] || { fail "exit status $(cat status), not $1"; screen; }
}

# A name with everything that a terminal would interpret: a bell, a title, colours, other directions of writing, invalid
# UTF-8.
hostile=$'evil\a\e]0;owned\e\\\e[31mred\x7f\xff\xc3\xa9\xe2\x80\xaegnp.\xc2\x9b'

process() { # PID RANK
	cat <<END
process program $work/cg
argument ./cg
argument 128
process host node7
process pid $1
process start_unix_ns 1700000000000000000
process duration_ns 4020000000
process cpu_ns 5010000000
process ended_by exit
process sample_source perf task-clock
process sample_clock cpu
process sample_hz 1000
process start_directory $work
event 1 openmp 1 ompt_callback_parallel omp parallel
event 2 openmp 4 ompt_callback_sync_region omp barrier
event 3 upc 8 GASP_UPC_GET upc get
event 4 upc 4 GASP_UPC_BARRIER upc barrier
string cg.upc
string main
string solve
string multiply_row
string a_function_with_a_name_that_is_much_longer_than_the_line_of_a_terminal_and_ends_in_the_important_part
string $hostile
node 0 ROOT 0 0 0
node 0 FUNCTION 0 0 1
node 1 FUNCTION 0 0 2
source 2 1 0 6
node 3 FUNCTION 0 0 3
source 4 3 0 3
source 3 2 0 9
source 2 4 0 10
node 1 FUNCTION 0 0 4
node 1 FUNCTION 0 0 5
END
}
threads_of() { # RANK
	cat <<END
thread 0 0 main
thread-field rank $(($1 + 1))
thread-field wall_ns 4000000000
value samples 4 1500
value cpu-time 2 40000000
value cpu-time 4 ${2}00000000
value cpu-time 5 200000000
value cpu-time 6 90000000
value cpu-time 8 50000000
value cpu-time 9 ${2}0000000
value wall-time 5 400000000
value wall-time 6 500000000
value wall-time 7 300000000
value visits 2 1
value visits 3 311
value visits 4 40763
value visits 5 1234567
value visits 6 311
value visits 7 12
value remote-accesses 5 1230000
value bytes-got 5 9840000
value blame 4 ${2}00000000
value blame 8 12000000
value barrier-blame 4 ${2}00000000
value barrier-blame 8 12000000
thread 1 1 openmp worker
thread-field wall_ns 3900000000
value cpu-time 4 1400000000
value cpu-time 6 300000000
value wall-time 6 900000000
value visits 6 311
END
}
measurement() {
	mkdir "$1"
	cat > cg.upc <<'END'
#include <upc.h>
shared double x[128 * THREADS];
static double multiply_row(int row) { return 2 * x[row]; }
static void solve(void)
{
#pragma omp parallel
	{
		for (int row = 0; row < 128; row++)		/* a comment that is too long for narrow terminals */
			y[row] = multiply_row(row);
		upc_barrier;	/* é */
	}
}
END
	{ process 100; threads_of 0 11; } | "$make_profile" "$1/cg.100.heddle" &&
		{ process 101; threads_of 1 9; } | "$make_profile" "$1/cg.101.heddle" || exit 1
}
