#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A hybrid program's shares of time in kernel, gets, puts and barriers equal those that it measures itself with
# upc_ticks_now: by events, by samples, and by both. They may differ by two percentage points: a thread that loses the
# processor between the program's clock and Heddle's has some milliseconds of three seconds more in one of them.
set -eu
heddle=$HEDDLE_BUILD/bin/heddle
here=$HEDDLE_SOURCE/tests/upc/real
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || { echo "skipped: the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"; exit 77; }
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OMP_NUM_THREADS=2
export OMP_NUM_THREADS
"$heddle" upcc -O2 -g -fopenmp --inst "$here/shares.upc" -lm -o "$work/told"
"$heddle" upcc -O2 -g -fopenmp "$here/shares.upc" -lm -o "$work/plain"
failed=0

# The two clocks differ if a thread is preempted between them: on a busy machine there are three tries.
# compare NAME PROGRAM OPTION...
compare() {
	name=$1
	program=$2
	shift 2
	for try in 1 2 3; do
		echo "by $name, try $try:"
		timeout "${HEDDLE_TEST_SECONDS:-240}" "$heddle" run -n 2 -o "$work/$name.$try" "$@" -- "$work/$program" 3 >"$work/printed"
		"$heddle" export "$work/$name.$try" --format speedscope --metric wall-time -o "$work/$name.$try.json"
		if python3 "$here/shares.py" "$work/$name.$try.json" "$work/printed" 2; then
			return
		fi
	done
	failed=1
}

compare events told --sample-hz 0
# A sample due while a thread waits for a processor is charged where the thread continues: errors grow with the period.
compare samples plain --sample-hz 4000 --sample-clock wall --models c
compare both told --sample-hz 1000 --sample-clock wall
exit $failed
