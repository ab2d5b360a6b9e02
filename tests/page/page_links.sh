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
	page blamed && page upc && page hybrid
	"$heddle" diff --html diff.html b1 b2 b3 -- a1 a2 a3 >/dev/null || exit 1
	set -- "$@" blamed upc hybrid diff
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
