#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle export --format chrome`: a trace written by the test, byte for byte; the file checked against a schema, and in
# ways that no schema can express; compressed; and what is refused.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"

check export_chrome "$heddle" export t --format chrome
"$heddle" export t --format chrome -o c.json || failed=1
"$heddle" export t --format chrome -o c.json.gz || failed=1
if command -v gzip >/dev/null; then
	gzip -t c.json.gz && gzip -dc c.json.gz | cmp - c.json || { echo "the compressed file differs"; failed=1; }
fi
if command -v python3 >/dev/null; then
	check_chrome="$HEDDLE_SOURCE/tests/cli/check_chrome.py"
	"$check_chrome" c.json "$HEDDLE_SOURCE/tests/cli/chrome_trace.schema.json" >regions || failed=1
	"$check_chrome" c.json.gz | cmp - regions || failed=1
	# The check can fail.
	for change in 's/"ph":"E","pid":400/"ph":"X","pid":400/' 's/"ts":2.270/"ts":0.270/' 's/"sf":"9"/"sf":"99"/'; do
		sed "$change" c.json >bad.json
		! "$check_chrome" bad.json >/dev/null 2>&1 || { echo "the check itself is broken: $change"; failed=1; }
	done
	if python3 -c 'import jsonschema' 2>/dev/null; then
		sed '0,/"cat":"region"/s//"cat":"other"/' c.json >bad.json
		! "$check_chrome" bad.json "$HEDDLE_SOURCE/tests/cli/chrome_trace.schema.json" >/dev/null 2>&1 ||
			{ echo "the schema check does not find an error"; failed=1; }
	fi
fi

# A sample moves blame from a lock's region to the code that held the lock: the thread's sum does not change.
mkdir moved
printf '%s\n' 'process program /opt/cg' 'process pid 400' 'module 1 1 - /nowhere/cg' 'node 0 ROOT 0 0 0' \
	'node 0 FRAME 0 1 10' 'node 0 FRAME 0 1 20' 'thread 0 0 main' 'value lock-blame 2 3000' | "$make_profile" moved/a.heddle
printf '%s\n' 'nodes 3' 'thread 0' 'mark 0 thread-begin' 'visit 1000 1' 'add 1 18 2000' 'sample 2000 2 1 1000 1000' \
	'add 1 18 18446744073709549616' 'add 2 18 2000' 'add 2 18 1000' 'mark 3000 thread-end' |
	"$HEDDLE_BUILD/tests/make_trace" moved/a.heddle-trace
"$heddle" export moved --format chrome | grep -o '"name":"lock-blame".*' | grep -o '[0-9]*}}' | tr -d '}\n' >sums
[ "$(cat sums)" = 2000200020003000 ] || { echo "sums of moved blame: $(cat sums)"; failed=1; }

# Damaged trace: what precedes the damage is exported, and one line reports it.
mkdir cut
cp t/* cut
size=$(($(wc -c <t/a.heddle-trace) - 5))
head -c $size t/a.heddle-trace >cut/a.heddle-trace
"$heddle" export cut --format chrome >cut.json 2>err || { echo "damage: exit status"; failed=1; }
grep -q '^heddle: export: .*a.heddle-trace: .*: exported up to that point$' err || { echo "no message about the damage:"; cat err; failed=1; }
! command -v python3 >/dev/null || "$check_chrome" cut.json >/dev/null || failed=1

refuses 7 "m has no trace" "$heddle" export m --format chrome
refuses 2 "metric selects values of a profile" "$heddle" export t --format chrome --metric visits
refuses 6 'c.json exists' "$heddle" export t --format chrome -o c.json
refuses 6 "can't write /nowhere/x" "$heddle" export t --format chrome -o /nowhere/x
if [ -w /dev/full ]; then
	ln -s /dev/full full.gz
	refuses 6 "can't write" "$heddle" export t --format chrome -o /dev/full
	refuses 6 "can't write" "$heddle" export t --format chrome -o full.gz
fi
exit $failed
