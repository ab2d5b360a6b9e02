#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Events of a sampled UPC program are below the user's code, not below the run-time system that reports them.
set -eu
heddle=$HEDDLE_BUILD/bin/heddle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/neighbours.upc" <<'END'
#include <upc_relaxed.h>
#include <stdlib.h>
shared int cells[1000 * THREADS];
static int sum_of_neighbour(void)
{
	int sum = 0;
	for (int i = 0; i < 1000; i++)
		sum += cells[i * THREADS + (MYTHREAD + 1) % THREADS];
	return sum;
}
int main(int argc, char **argv)
{
	int sum = 0, times = argc > 1 ? atoi(argv[1]) : 300;
	for (int i = 0; i < times; i++) {
		sum += sum_of_neighbour();
		if (MYTHREAD) /* so that the other thread waits long enough to be sampled */
			sum += sum_of_neighbour();
		upc_barrier;
	}
	return sum != 0;
}
END
# Without line numbers, a sample's line is unknown, but the event's is known.
get='main;sum_of_neighbour;upc get @neighbours.upc:8' barrier='main;upc barrier @neighbours.upc:18'
holds() { grep -qE "(^|;)$2(;| )" "$work/$1"; }

# measure TIMES: writes the program's folded paths.
measure() {
	rm -rf "$work/out"
	"$heddle" run --sample-hz 5000 --inst-time all -n 2 -o "$work/out" -- "$work/neighbours" "$1" 2>"$work/log" || { cat "$work/log"; exit 1; }
	for metric in visits cpu-time; do
		"$heddle" export "$work/out" --format folded --metric $metric >"$work/$metric"
	done
}
for debug in -g -g0; do
	"$heddle" upcc -O1 -fno-inline $debug --inst "$work/neighbours.upc" -o "$work/neighbours"
	# Waiting takes little CPU time if the other thread is not running; a longer program has samples of it.
	for times in 300 1200 4800; do
		measure $times
		! holds cpu-time "$barrier" || break
	done
	for metric in visits cpu-time; do
		# Functions that the user's code calls may appear if no region is open there, but no frames below them.
		if grep -E '__upc[^ ;]*;|hupc__|;gasp_|_start;|exit_handlers;(finish|upc exit)' "$work/$metric"; then
			echo "with $debug: frames of the run-time system in paths of $metric"
			exit 1
		fi
		for path in "$get" "$barrier"; do
			holds $metric "$path" || { echo "with $debug: no '$path' in $metric:"; cat "$work/$metric"; exit 1; }
		done
	done
	gets=$(sed -n 's/.*main;sum_of_neighbour;upc get @neighbours.upc:8 //p' "$work/visits")
	[ "$gets" = $((3000 * times)) ] || { echo "with $debug: $gets gets, not $((3000 * times)), on one path"; exit 1; }
done
