#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A server that gives up root: Heddle says if it can no longer write the profile, and its advice helps.
. "${BASH_SOURCE%/*}/trace_lib.sh"

[ "$(id -u)" = 0 ] || skip "only root can give up being root"
chmod 755 "$work"
compile privileges privileges.c

same_behaviour another_user "$work/privileges"
expect "another_user: says why" grep -q 'as another user now: .*mkdir -m 777' "$work/another_user.err"
expect "another_user: the launcher, too" grep -q 'no profile .*could no longer write .*another user' "$work/another_user.err"

mkdir "$work/root"
same_behaviour new_root "$work/privileges" "$work/root"
expect "new_root: says why" grep -q 'outside its root directory (chroot)' "$work/new_root.err"
expect "new_root: the launcher, too" grep -q 'no profile .*could no longer write .*chroot' "$work/new_root.err"

mkdir -m 777 "$work/open.heddle.d"
bare open "$heddle" run --sample-hz 1000 -o "$work/open.heddle.d" -- "$work/privileges"
expect "open: same outcome" ended open "exit 3"
expect "open: both processes have a profile" test "$(profile_files open)" = 2
folded open --metric cpu-time
expect "open: measured" between 0.05e9 "$(path_sum open '(^|;)serve(;|$)')" 1e10

# The rest of a trace that was begun as root is written as the other user.
compile_events
for how in user raw_user effective_user; do
	mkdir -m 777 "$work/$how.heddle.d"
	bare "$how" "$heddle" run --trace --trace-buffer 4K --sample-hz 0 -o "$work/$how.heddle.d" -- "$work/trace_events" 2 20000 "$how"
	trace_read "$how"
	expect "$how: same outcome" ended "$how" "exit 0"
	expect "$how: no complaint" test "$(heddle_lines "$how")" = 0
	whole "$how" 40000
	expect "$how: the whole trace" test "$(trace_sum "$how" info_lost)" = 0
done

# Another user cannot read the library in its directory: programs load a copy, which is removed at the end.
hidden() {
	TMPDIR=$work/tmp bare "$1" "$work/private/heddle/bin/heddle" run --sample-hz 1000 -o "$work/$1.heddle.d" -- \
		setpriv --reuid=65534 --clear-groups "$work/spawns" here 100
}
if command -v setpriv > /dev/null; then
	compile spawns spawns.c
	mkdir -p "$work/private/heddle/bin" "$work/private/heddle/lib" "$work/tmp"
	cp "$heddle" "$work/private/heddle/bin/"
	cp "$HEDDLE_BUILD/lib/libheddle.so" "$work/private/heddle/lib/"
	chmod 700 "$work/private"
	mkdir -m 777 "$work/hidden.heddle.d"
	hidden hidden
	expect "hidden: ends as the program" ended hidden "exit 0"
	expect "hidden: only the line with the directory" test "$(messages "$work/hidden.err" | wc -l)" = 1
	expect "hidden: no line of another program" test "$(grep -vc '^heddle: ' "$work/hidden.err")" = 0
	expect "hidden: a profile of each program" test "$(profile_files hidden)" = 2
	expect "hidden: nothing is left" test -z "$(ls "$work/tmp")"
	"$heddle" report "$work/hidden.heddle.d" > "$work/hidden.report"
	expect "hidden: the report does not miss the copy" test "$(grep -c libheddle "$work/hidden.report")" = 0
fi
finish
