#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# library.sh [NAME]...: the library's programs check themselves, with dynamic THREADS at 1, 2, 3 and 7 threads, and with
# a static number of 1, 3 or 4 (one, odd, a power of two) in turn; three and more also with two threads on a node. Two
# programs are built and run at a time.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
unset HEDDLE_UPC_HOME # the real run-time system
[ $# -gt 0 ] || set -- allocation atomics castable constants extensions locks nonblocking pointers reductions relocalization transfers

# build_and_run NAME THREADS: THREADS 0 is dynamic
build_and_run() {
	local program="$work/$1-$2" counts=$2 option="-fupc-threads=$2"
	[ "$2" = 0 ] && counts='1 2 3 7' option=
	# shellcheck disable=SC2086
	"$upcc" -O2 -g -Wall -Werror $option "$here/library/$1.upc" -o "$program" || { echo "failed: $1 is not compiled"; return 1; }
	for threads in $counts; do
		timeout "$seconds" "$program" -n "$threads" -shared-heap 64M >"$program.out" 2>&1 </dev/null || {
			head -20 "$program.out"
			echo "failed: $1, $threads threads, ${option:-dynamic}, status $?"
			return 1
		}
		[ "$threads" -lt 3 ] || UPC_NODE_SIZE=2 timeout "$seconds" "$program" -n "$threads" -shared-heap 64M \
			>"$program.out" 2>&1 </dev/null || {
			head -20 "$program.out"
			echo "failed: $1, $threads threads, 2 on a node, ${option:-dynamic}, status $?"
			return 1
		}
	done
	rm "$program"
}

one_of_two() {
	local status=0 number=0 static=(1 3 4)
	for name; do
		number=$((number + 1))
		[ $((number % 2)) = "$half" ] || continue
		build_and_run "$name" 0 || status=1 # dynamic
		build_and_run "$name" "${static[number % 3]}" || status=1
	done
	exit $status
}

half=0
one_of_two "$@" &
half=1
(one_of_two "$@") || { wait; exit 1; }
wait $!
