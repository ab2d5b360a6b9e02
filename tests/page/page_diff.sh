#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of a difference: its contents without a script, what is refused, and its views in a headless browser.
. "$HEDDLE_SOURCE/tests/page/page.sh"
. "$HEDDLE_SOURCE/tests/cli/compared_measurements.sh"

fails() { echo "$1"; failed=1; }
"$heddle" diff --html diff.html b1 b2 b3 -- a1 a2 a3 >out || fails "diff --html"
grep -qx 'heddle: diff: diff.html: open it in a browser' out || fails "the command's message: $(cat out)"
"$heddle" report --html same.html b1 b2 b3 -- a1 a2 a3 >/dev/null || fails "report --html of two sides"
cmp diff.html same.html || fails "report --html and diff --html differ"
"$heddle" report b1 a1 --html=one.html >/dev/null || fails "report --html of two measurements"

# Without a script.
grep -q '<h1>cg-new: what changed</h1>' diff.html || fails "the program's name is missing"
grep -q '<li>`kernel` became faster: its own cpu-time fell by 2.00 s' diff.html || fails "a sentence is missing"
row='<tr><td>4000000000<td>2000000000<td>-2000000000<td>-50.0<td>p &lt; 0.001<th scope=row>kernel</tr>'
grep -qF "$row" diff.html || fails "a function is missing"
grep -q '<td>+0.1<td>not significant<th scope=row>get @cg.upc:57' diff.html || fails "a change that is not significant"
grep -q 'p &lt;' one.html && fails "one run on a side has a significance"
grep -q 'a change cannot be distinguished from chance' one.html || fails "no sentence about one run on a side"
if grep -oE '(src|href|url)[=(]["'"'"']?(https?:)?//[^"'"'"')]*' diff.html; then
	fails "the page refers to something outside"
fi

# Names are shown as text.
mkdir hostile
{
	process 100 | sed 's|^phase set up|phase <img src=x onerror="window.hostileRan = 1"><b>bold</b>|'
	printf 'thread 0 0 main\nvalue samples 2 90\nvalue cpu-time 2 90000000\n'
} | "$make_profile" hostile/a.heddle || exit 1
"$heddle" diff --html hostile.html m hostile >/dev/null || fails "hostile names"
if grep -E '<img src|<b>bold' hostile.html; then
	fails "a name is in the page as markup"
fi

# Nothing changed.
"$heddle" diff --html equal.html b1 b2 -- b1 b2 >/dev/null || fails "equal sides"
grep -q "<li>The program's cpu-time did not change." equal.html || fails "no sentence about equal sides"
grep -q '<li>No function changed significantly by 1 % of the whole or more.' equal.html || fails "no sentence that no function changed"

refuses 6 'diff.html exists' "$heddle" diff --html diff.html b1 a1
refuses 6 "can't write /nowhere/x" "$heddle" diff --html /nowhere/x b1 a1
refuses 2 "unknown option '--sources'" "$heddle" report --html x.html --sources b1 -- a1
refuses 2 'one measurement at a time' "$heddle" report b1 a1

"$heddle" diff --min 0 b1 b2 b3 -- a1 a2 a3 >tree
"$heddle" diff --min 0 --flat b1 b2 b3 -- a1 a2 a3 >flat
"$heddle" diff --min 0 --flat --metric visits b1 b2 b3 -- a1 a2 a3 >counted
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_diff.py" "$browser" \
	"$work/diff.html" "$work/one.html" "$work/hostile.html" || failed=1
exit $failed
