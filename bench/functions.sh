#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of -finstrument-functions: nanoseconds of an entry and exit with the C library's empty hooks, measured,
# paused, off for the thread (as by pupc_control), switched off by --inst-min-time, and not selected; then a program
# that only makes calls, under Heddle and under `uftrace record`. Usage: bench/functions.sh [N] (default: fib(25))
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
have "$heddle" heddle "./dev build" || exit 77
CC=gcc build functions functions.c -finstrument-functions -fno-omit-frame-pointer \
	-finstrument-functions-exclude-file-list=heddle.h,clocks.h -I "$here/../include"
echo GASP_C_FREE > "$work/events"

under_heddle() { "$heddle" run "${@:2}" -o "$work/out.$RANDOM$RANDOM" -- "$work/functions" "$1" ${size:+"$size"}; }
run() {
	case $1 in
	bare) "$work/functions" "$mode" ${size:+"$size"} ;;
	on) under_heddle "$mode" --sample-hz 0 ;;
	on_1kHz) under_heddle "$mode" --sample-hz 1000 ;;
	paused) under_heddle paused --sample-hz 0 ;;
	off) under_heddle off --sample-hz 0 ;;
	switched_off) under_heddle "$mode" --sample-hz 1000 --inst-min-time 1s ;;
	not_selected) under_heddle "$mode" --sample-hz 0 --events "$work/events" ;;
	uftrace) uftrace record --no-libcall -d "$work/uftrace.$RANDOM" "$work/functions" "$mode" "$size" ;;
	esac
}
turns() {
	: > "$work/results"
	for _ in $(seq "$repeats"); do
		for variant in "${variants[@]}"; do
			run "$variant" 2> /dev/null | record "$variant" || true
			rm -rf "$work"/uftrace.* "$work"/out.*
		done
	done
}

machine
echo "$repeats repeats each"
mode=pair size=
variants=(bare on on_1kHz paused off switched_off not_selected)
turns
table pair ns "${variants[@]}"
mode=work size=${1:-25}
variants=(bare on on_1kHz switched_off not_selected)
have uftrace uftrace "Debian: uftrace" && variants+=(uftrace)
turns
table seconds s "${variants[@]}"
