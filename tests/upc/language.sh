#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# language.sh NAME STATIC [OPTION]: the program checks itself, with dynamic and static THREADS, optimized and not; also with
# some threads' memory far: with the run-time system, and with the stand-in, where far memory is not mapped. Compilers take
# most of the time: each number of threads is run with one level, and static THREADS are STATIC. With BRIEF in the
# environment, two builds: optimized with the run-time system, not optimized with the stand-in.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
program=$here/programs/$1.upc
static=$2
options=${3:-}

# build OPTION...
build() {
	# shellcheck disable=SC2086
	"$upcc" -Wall -Wno-unused-function -Wno-deprecated-non-prototype -Werror $options "$@" "$program" -o "$work/program"
}

# run THREADS WHAT
run() {
	UPC_THREADS=$1 timeout 60 "$work/program" || { echo "failed: $1 threads, $2"; exit 1; }
	[ "$1" -gt 2 ] || return 0
	run_far "$1" 1 "$2"
	run_far "$1" 2 "$2"
}

# run_far THREADS NODE_SIZE WHAT
run_far() {
	UPC_NODE_SIZE=$2 UPC_THREADS=$1 timeout 60 "$work/program" ||
		{ echo "failed: $1 threads, $2 on a node, $3"; exit 1; }
}
if [ "${BRIEF:-}" ]; then
	build -O2
	run 3 "dynamic, -O2"
else
	build -O0
	for threads in 2 7; do
		run $threads "dynamic, -O0"
	done
	build -O2
	for threads in 1 3 4; do
		run $threads "dynamic, -O2"
	done
	build -O2 -fupc-threads="$static"
	run "$static" static
fi

# These use atomics of C11 or OpenMP, which reach near memory only.
case $1 in gnu | openmp | types) exit 0 ;; esac
with_standin
[ "$static" = 3 ] || static=
set -- -O0
[ "${BRIEF:-}" ] || set -- -O0 "-O2 --inst" ${static:+"-O2 -fupc-threads=3"}
for level in "$@"; do
	# shellcheck disable=SC2086
	build $level
	for size in 1 2; do
		run_far 3 $size "stand-in, $level"
	done
done
