#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The views of a page, in a headless browser.

. "$HEDDLE_SOURCE/tests/page/page.sh"

mkdir hostile
{
	process 100 | sed 's|^phase set up|phase <img src=x onerror="window.hostileRan = 1"><b>bold</b>|'
	printf 'thread 0 0 main\nvalue samples 2 90\nvalue cpu-time 2 90000000\n'
} | "$make_profile" hostile/a.heddle || exit 1
"$heddle" report hostile --html hostile.html >/dev/null || exit 1
mkdir successors
{
	process 100
	printf 'thread 0 0 main\nvalue cpu-time 1 10000000\nvalue cpu-time 5 30000000\n'
	printf 'thread 1 1 openmp worker\nvalue cpu-time 1 30000000\n'
	printf 'thread 2 -1 thread\nthread-field threads 5\nvalue cpu-time 5 90000000\n'
} | "$make_profile" successors/a.heddle || exit 1
"$heddle" report successors --html successors.html >/dev/null || exit 1
mkdir system
{
	process 100 | sed '/^module 2 /a module 3 4 - /usr/lib/libsys.so'
	printf 'node 9 FRAME 0 3 700\nthread 0 0 main\nvalue cpu-time 10 30000000\n'
} | "$make_profile" system/a.heddle || exit 1
"$heddle" report system --html system.html >/dev/null || exit 1
mkdir named
{
	process 100 | sed 's|^phase set up|phase fem::Solver<double, std::vector<fem::Element, std::pmr::allocator> >::assemble(fem::Mesh const\&, int)|'
	printf 'thread 0 0 main\nvalue cpu-time 1 50000000\nvalue cpu-time 2 25000000\nvalue cpu-time 4 5000000\nvalue cpu-time 5 17000000\n'
} | "$make_profile" named/a.heddle || exit 1
"$heddle" report named --html named.html >/dev/null || exit 1
# On this page, a view is selected as early as possible: before the browser has painted anything.
awk '{ print } /<body>/ && !done++ {
	print "<script>new MutationObserver((_, watcher) => { watcher.disconnect();"
	print "[...document.querySelectorAll(\"nav button\")].find((one) => one.textContent === \"Call tree\").click();"
	print "}).observe(document.documentElement, { attributes: true, attributeFilter: [\"data-ready\"] });</script>"
}' page.html >early.html
grep -q MutationObserver early.html || exit 1
. "$HEDDLE_SOURCE/tests/cli/hybrid_measurement.sh"
"$heddle" report hybrid --html hybrid.html >/dev/null || exit 1
. "$HEDDLE_SOURCE/tests/cli/chained_measurement.sh"
"$heddle" report chained --html chained.html >/dev/null || exit 1
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_views.py" "$browser" "$work/page.html" "$work/hostile.html" \
	"$work/successors.html" "$work/system.html" "$work/early.html" "$work/hybrid.html" "$work/chained.html" "$work/named.html"
