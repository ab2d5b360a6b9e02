#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program named by the argument checks itself, with dynamic and static THREADS, optimized and not.
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
}
for level in -O0 -O2; do
	build $level
	for threads in 1 2 3 4 7; do
		run $threads "dynamic, $level"
	done
done
for threads in 1 2 3 4 7; do
	build -O2 -fupc-threads=$threads
	run $threads static
done
