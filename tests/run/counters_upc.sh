#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Page faults of UPC threads and of their OpenMP threads, counted by events: under `heddle run`, and without it.
. "$(dirname "$0")/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
"$heddle" upcc -O2 -g -fopenmp --inst-functions -o "$work/pages" "$programs/pages.upc" || { fail "pages.upc does not compile"; finish; }
forall=upc_forall\ @pages.upc:$(line_of pages.upc forall)
parallel=omp\ parallel\ @pages.upc:$(line_of pages.upc parallel)

# Faults that no sample has charged since a region's begin are charged to the region.
pages_of() { # NAME SLACK
	folded "$1" --metric page-faults
	expect "$1: in the upc_forall of all threads" between 3280 "$(path_sum "$1" "$forall")" $((3400 + $2))
	expect "$1: in OpenMP threads, two of each UPC thread" between 1180 "$(path_sum "$1" "$parallel")" $((1300 + $2))
	"$heddle" report "$work/$1.heddle.d" --threads --metric page-faults > "$work/threads"
	for rank in 0 1 2; do # 1,000 pages, 100 for each thread before it, and 200
		faults=$(awk -v rank="$rank" '$1 ~ /\.0$/ && $2 == "UPC" && $3 == rank { gsub(",", ""); print $4 }' "$work/threads")
		expect "$1: UPC thread $rank" between $((1200 + 100 * rank)) "$faults" $((1400 + 100 * rank + $2))
	done
}

run_options=(-n 3 --metric page-faults)
hz=0 measured events "$work/pages"
expect "events: the program did its work" grep -qx "done" "$work/events.out"
pages_of events 0
hz=1000 measured samples "$work/pages"
pages_of samples 300

HEDDLE_METRICS=page-faults HEDDLE_OUTPUT=$work/alone.heddle.d LD_PRELOAD=$library "$work/pages" -n 3 > "$work/alone.out" 2> "$work/alone.err"
expect "without the launcher: only the directory is named" test "$(grep -vc '^heddle: measured ' "$work/alone.err")" = 0
pages_of alone 0
finish
