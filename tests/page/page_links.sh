#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Everything that a user can set in a view is in the page's link (page_links.py). Views store nothing in another way:
# only one file of the script uses useState.
. "$HEDDLE_SOURCE/tests/page/page.sh"
. "$HEDDLE_SOURCE/tests/cli/traced_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/blamed_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/hybrid_measurement.sh"
. "$HEDDLE_SOURCE/tests/cli/compared_measurements.sh"

users() { grep -lE '\buse(State|Reducer)\b' "$@"; }
if [ "$(users "$HEDDLE_SOURCE"/html/src/*.ts*)" != "$HEDDLE_SOURCE/html/src/selection.ts" ]; then
	echo "state that no link restores: useKept or usePassing of selection.ts instead of useState, in"
	users "$HEDDLE_SOURCE"/html/src/*.ts*
	exit 1
fi
# Lines of two files, of which the page shows one at a time.
mkdir files
"$make_profile" files/a.heddle <<'END'
process program /opt/heat/heat
process pid 700
process duration_ns 20000000
event 3 upc 4 GASP_UPC_BARRIER upc barrier
string /home/you/first.upc
string /home/you/second.upc
module 1 1 - /nowhere/heat
node 0 ROOT 0 0 0
node 0 FRAME 0 1 1100
source 1 3 0 60
source 1 3 1 70
thread 0 -1 main
value wall-time 2 9000000
value wall-time 3 4000000
END
page() { "$heddle" report "$1" --html "$1.html" >/dev/null || exit 1; }
messages() {
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	mpicc -O1 -g "$HEDDLE_SOURCE/tests/mpi/exchanges.c" -o exchanges &&
		"$heddle" run --trace -o mpi -- mpirun -np 3 ./exchanges >run.out 2>&1 || { cat run.out; exit 1; }
	page mpi
}
# Opening pages takes most of the time. Their script is the same in each browser, so Firefox opens only two of them.
set -- t
page t
if [ "$browser" != firefox ]; then
	page blamed && page upc && page hybrid && page files
	"$heddle" diff --html diff.html b1 b2 b3 -- a1 a2 a3 >/dev/null || exit 1
	set -- "$@" blamed upc hybrid diff files
	if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
		messages
		set -- "$@" mpi
	else
		echo "without mpicc or mpirun: no messages"
	fi
fi
pages=
for name; do
	pages="$pages $work/$name.html"
done
# shellcheck disable=SC2086 # several words
/usr/bin/python3 "$HEDDLE_SOURCE/tests/page/page_links.py" "$browser" "$work/page.html" $pages
