#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The time that browsers take to open pages: until the first paint, and until the views are present. The pages: of the
# demo, of a trace of ten million events, of 1,000 threads x 50,000 nodes, and of the changes from those to another
# measurement. Pages have budgets (page.py): 150 KB besides their data, a megabyte of data, and a second until the views
# are present; beyond them, the exit status is 1. Usage: bench/page.sh [THREADS [NODES]]
. "${BASH_SOURCE%/*}/lib.sh"
threads=${1:-1000} nodes=${2:-50000}
generator=$(find "$HEDDLE_BUILD" -name bench_big_measurement -type f -perm -u+x -print -quit 2> /dev/null || true)
have "${generator:-bench_big_measurement}" "the generator" "./dev build" || exit 77
/usr/bin/python3 -c 'import selenium' 2> /dev/null || { echo "without pages: no python3-selenium" >&2; exit 77; }
browsers=()
for browser in chromium firefox; do
	if command -v "$browser" > /dev/null || command -v "$browser-esr" > /dev/null; then
		browsers+=("$browser")
	else
		echo "without $browser: it is not installed" >&2
	fi
done

# page NAME COMMAND...: writes the page, and prints the time that this takes and the page's size.
pages=()
page() {
	local name=$1 start
	shift
	start=$(date +%s.%N)
	"$heddle" "$@" --html "$work/$name.html" > /dev/null
	awk -v a="$start" -v b="$(date +%s.%N)" -v name="$name" -v size="$(stat -c %s "$work/$name.html")" \
		'BEGIN { printf "%-10s written in %6.2f s, %8.1f KB\n", name, b - a, size / 1000 }'
	pages+=("$work/$name.html")
}

machine
if [ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ]; then
	export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
	"$heddle" upcc -O2 -g -fopenmp --inst -o "$work/cg" "$here/../examples/cg.upc"
	"$heddle" run -n 2 --trace -o "$work/demo" -- "$work/cg" 32 > /dev/null 2>&1
	page demo report --sources --source-dir "$here/../examples" "$work/demo"
	# A trace of ten million events.
	"$heddle" run -n 2 --trace --accesses -o "$work/traced" -- "$work/cg" 140 > /dev/null 2>&1
	page traced report "$work/traced"
fi
"$generator" "$work/large" "$threads" "$nodes"
page large report "$work/large"
"$generator" "$work/other" 10 "$nodes"
page changed diff "$work/large" "$work/other"
HOME=$work PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here/../tests/page \
	/usr/bin/python3 "$here/page.py" "${REPEATS:-5}" "${browsers[@]}" -- "${pages[@]}"
