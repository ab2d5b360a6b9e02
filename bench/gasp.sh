#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The cost of a GASP event: nanoseconds of a START and END of a fence, a get and a user event, with an empty tool, measured,
# with samples, off for the thread (gasp_control), and not selected (--events). Usage: bench/gasp.sh
. "${BASH_SOURCE%/*}/lib.sh"
repeats=${REPEATS:-7}
have "$heddle" heddle "./dev build" || exit 77
mkdir "$work/empty"
build empty/libheddle.so empty_gasp_tool.c -shared -fPIC -I "$here/../include"
build gasp gasp.c -I "$here/../include" -L "$HEDDLE_BUILD/lib" -lheddle
echo GASP_C_FREE > "$work/events"

run() {
	local library_directory=$HEDDLE_BUILD/lib mode=on
	unset HEDDLE_SAMPLE_HZ HEDDLE_EVENTS
	case $1 in
	empty) library_directory=$work/empty ;;
	on_1kHz) export HEDDLE_SAMPLE_HZ=1000 ;;
	off) mode=off ;;
	not_selected) export HEDDLE_EVENTS=$work/events ;;
	esac
	HEDDLE_OUTPUT=$work/out.$RANDOM LD_LIBRARY_PATH=$library_directory "$work/gasp" "$mode"
}

machine
echo "$repeats repeats each"
: > "$work/results"
variants=(empty on on_1kHz off not_selected)
for _ in $(seq "$repeats"); do
	for variant in "${variants[@]}"; do
		(run "$variant" 2> /dev/null) | record "$variant" || true
		rm -rf "$work"/out.*
	done
done
for key in fence get user clocks; do
	table "$key" ns "${variants[@]}"
done
