#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of annotations: nanoseconds of a range's begin and end, by the interface that the program uses, and of a value;
# measured, with samples, paused, and without Heddle. Usage: bench/annotations.sh
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
have "$heddle" heddle "./dev build" || exit 77
build annotations annotations.c -I "$here/../include" -ldl

run() {
	case $1 in
	bare) "$work/annotations" ;;
	on) "$heddle" run --sample-hz 0 -o "$work/out" -- "$work/annotations" ;;
	on_1kHz) "$heddle" run --sample-hz 1000 -o "$work/out" -- "$work/annotations" ;;
	paused) "$heddle" run -o "$work/out" -- "$work/annotations" stopped ;;
	esac
}

machine
echo "$repeats repeats each"
variants=(bare on on_1kHz paused)
: > "$work/results"
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		run "$variant" 2> /dev/null | record "$variant"
		rm -rf "$work/out"
	done
done
for kind in phase kokkos nvtx value; do
	table $kind ns "${variants[@]}"
done
