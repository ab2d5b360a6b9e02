#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Nanoseconds of a malloc and its free: without Heddle, under it without --memory, with --memory by events and with
# sampling. Usage: bench/malloc.sh
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
have "$heddle" heddle "./dev build" || exit 77
build malloc malloc.c -fno-builtin

variants=(bare without memory memory_1kHz)
run() {
	case $1 in
	bare) "$work/malloc" ;;
	without) "$heddle" run --sample-hz 0 -o "$work/out.$RANDOM$RANDOM" -- "$work/malloc" ;;
	memory) "$heddle" run --memory --sample-hz 0 -o "$work/out.$RANDOM$RANDOM" -- "$work/malloc" ;;
	memory_1kHz) "$heddle" run --memory --sample-hz 1000 -o "$work/out.$RANDOM$RANDOM" -- "$work/malloc" ;;
	esac
}

machine
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		run "$variant" 2> /dev/null | record "$variant"
	done
done
echo "$repeats repeats each"
table pair ns "${variants[@]}"
table live ns "${variants[@]}"
