#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page of `heddle scale`: its contents without a script, its data, and its curves in a headless browser.
. "$HEDDLE_SOURCE/tests/page/page.sh"

fails() { echo "$1"; failed=1; }
# solve takes 8 s, divided among all threads; the other function takes 0.1 s in each thread.
run_of() { # directory, threads, name
	mkdir "$1"
	{
		printf '%s\n' "process program /opt/cg" "process duration_ns $((100000000 + 8000000000 / $2))"
		printf 'string %s\n' main solve "$3"
		printf 'node %s\n' '0 ROOT 0 0 0' '0 FUNCTION 0 0 0' '1 FUNCTION 0 0 1' '1 FUNCTION 0 0 2'
		for thread in $(seq 0 $(($2 - 1))); do
			printf '%s\n' "thread $thread $thread thread" "value wall-time 2 $((8000000000 / $2))"
			echo "value wall-time 3 100000000"
		done
	} | "$make_profile" "$1/a.heddle" || exit 1
}
for threads in 1 2 4 8 16; do
	run_of r$threads $threads setup
	run_of h$threads $threads '</script><b>bold</b>'
done
"$heddle" scale --html scale.html r* >out || fails "scale --html"
grep -qx 'heddle: scale: scale.html: open it in a browser' out || fails "the command's message: $(cat out)"
grep -q '<h1>cg: what keeps it from scaling</h1>' scale.html || fails "the program's name is missing"
grep -q '<tr><th scope=row>16<td>1<td>1<td>600 ms<td>13.50<td>84.4<td>100.0' scale.html || fails "a scale is missing"
grep -q '<td>0.1<th scope=row>setup</tr>' scale.html || fails "a law is missing in the table without a script"
if grep -oE '(src|href|url)[=(]["'"'"']?(https?:)?//[^"'"'"')]*' scale.html; then
	fails "the page refers to something outside"
fi
[ "$(wc -c <scale.html)" -lt 100000 ] || fails "the page is too large: $(wc -c <scale.html)"
"$heddle" scale --html hostile.html h* >/dev/null || fails "hostile names"
grep -q '<b>bold' hostile.html && fails "a name is in the page as markup"
"$heddle" scale --html one.html r4 >/dev/null || fails "one scale"
refuses 6 'scale.html exists' "$heddle" scale --html scale.html r1 r2
"$heddle" scale --html other.html r* --expect setup=1/p >/dev/null 2>&1
[ $? -eq 8 ] || fails "--expect is not checked with a page"
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_scale.py" "$browser" "$work/scale.html" "$work/hostile.html" "$work/one.html" ||
	failed=1
exit $failed
