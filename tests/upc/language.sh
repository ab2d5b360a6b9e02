#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program named by the argument checks itself, with dynamic and static THREADS, optimized and not; also with some
# threads' memory far: with the run-time system, and with the stand-in, where far memory is not mapped.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
program=$here/programs/$1.upc
options=${2:-}

# build OPTION...
build() {
	# shellcheck disable=SC2086
	"$upcc" -Wall -Wno-unused-function -Werror $options "$@" "$program" -o "$work/program"
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
for level in -O0 -O2; do
	build $level
	for threads in 1 2 3 4 7; do
		run $threads "dynamic, $level"
	done
done
for threads in 1 3 4; do
	build -O2 -fupc-threads=$threads
	run $threads static
done

# These use atomics of C11 or OpenMP, which reach near memory only.
case $1 in gnu | openmp | types) exit 0 ;; esac
with_standin
for level in -O0 -O2 "-O2 --inst" "-O2 -fupc-threads=3"; do
	# shellcheck disable=SC2086
	build $level
	for size in 1 2; do
		run_far 3 $size "stand-in, $level"
	done
done
