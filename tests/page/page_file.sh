#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The file of `heddle report --html`: its contents without a script, that it refers to nothing outside, its size, and
# what is refused.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"

if ! "$heddle" report m --html page.html >out; then
	"$heddle" report m --html page.html 2>&1 | grep -q 'has no pages' || exit 1
	echo "skipped: this build has no pages (esbuild, or the package preact, was missing)"
	exit 77
fi
fails() { echo "$1"; failed=1; }
grep -qx 'heddle: report: page.html: open it in a browser' out || fails "the command's message: $(cat out)"
[ "$(head -n 1 page.html)" = '<!DOCTYPE html>' ] || fails "the file does not begin as a page"
grep -q '<h1>cg A</h1>' page.html || fails "the program's name is missing"
grep -q '<th scope=row>cg+0x1300' page.html || fails "a function is missing in the table without a script"
grep -q '<tr><td>100<td>4020000000<td>[0-9]*<td>node7' page.html || fails "the processes are missing"
"$heddle" report upc --html upc.html >/dev/null
grep -q '<h2>Functions and regions by bytes-held</h2>' upc.html || fails "memory is missing in the tables without a script"
grep -q '<li>`cg+0x1300` uses 70 % of the CPU time.' page.html || fails "a finding is missing"
# Addresses. Names of XML namespaces are not requests.
if grep -oE '(src|href|url)[=(]["'"'"']?(https?:)?//[^"'"'"')]*' page.html; then
	fails "the page refers to something outside"
fi
[ "$(wc -c <page.html)" -lt 200000 ] || fails "the page is too large: $(wc -c <page.html)"

# Names are shown as text.
mkdir hostile
{
	process 100 | sed 's|^phase set up|phase <script>hostile()</script>\&"|; s|^argument A|argument </script><b>|'
	printf 'thread 0 0 main\nvalue samples 2 90\nvalue cpu-time 2 90000000\n'
} | "$make_profile" hostile/a.heddle || exit 1
"$heddle" report hostile --html hostile.html >/dev/null || fails "hostile names"
if grep -E '<script>hostile|<b>' hostile.html; then
	fails "a name is in the page as markup"
fi
grep -q '&lt;script&gt;hostile()&lt;/script&gt;&amp;&quot;' hostile.html || fails "a name is changed"

# Sources, also those that the compiler names relative to the directory in which the program was started.
mkdir relative start
printf 'shared int x;\n\nmarked line\n' >start/heat.upc
{
	upc_process 300 | sed 's|^string /home/you/heat.upc|string heat.upc|'
	printf 'process start_directory %s\n' "$work/start"
	upc_thread 0 4 1500000000 100000000 100
} | "$make_profile" relative/a.heddle || exit 1
"$heddle" report relative --html sources.html --sources --source-dir start >/dev/null || fails "--sources"
data_of() { sed -n 's|^<script id="data" type="text/plain">\(.*\)</script>$|\1|p' "$1" | base64 -d | gzip -d; }
data_of sources.html >data.json
grep -q '"sources":{"[0-9]*":"shared int x;\\u000a\\u000amarked line\\u000a"' data.json || fails "a source is not embedded"

# The page of a part has the part's CPU time, and does not mention threads that start later.
. "$HEDDLE_SOURCE/tests/cli/parted_measurement.sh"
sharing='2 threads share 1 processor: some of them wait while others work.'
"$heddle" report parted --html whole.html >/dev/null && "$heddle" report parted --to 500ms --html part.html >/dev/null ||
	fails "the page of a part"
data_of whole.html >whole.json
data_of part.html >part.json
grep -q '"cpu":900000000,"periods":3,"samples":3,' whole.json && grep -qF "$sharing" whole.json ||
	fails "the whole run: $(head -n 3 whole.json)"
grep -q '"cpu":1000000,"periods":1,"samples":1,' part.json || fails "CPU time of a part: $(head -n 3 part.json)"
! grep -qF "$sharing" part.json || fails "threads of the whole run in a part"
grep -q '"late":0,' part.json && grep -q '"paused":0,' part.json && grep -q '"sources":\[\]' part.json ||
	fails "the whole run's samples in a part"

refuses 6 'page.html exists' "$heddle" report m --html page.html
refuses 6 "can't write /nowhere/x" "$heddle" report m --html /nowhere/x
refuses 2 'report: --sources' "$heddle" report m --sources
for option in --flat --threads "--metric visits" --min=2; do
	# shellcheck disable=SC2086 # an option and its value
	refuses 2 "${option%%[ =]*}" "$heddle" report m --html refused.html $option
done
[ ! -e refused.html ] || fails "a refused page was written"
[ ! -w /dev/full ] ||
	refuses 6 "can't write /dev/full: No space left on device" "$heddle" report m --html /dev/full
exit $failed
