#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The installed LIKWID: marker regions are phases, also if they overlap, and LIKWID's own functions are still called.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
[ -e /usr/include/likwid-marker.h ] || skip "no LIKWID on this machine (likwid)"
built likwid gcc -O2 -DLIKWID_PERFMON "$here/likwid.c" -llikwid -pthread
traced likwid "$work/likwid"
expect "LIKWID's own function was called" grep -q 'Running without Marker API' "$work/likwid.err"
visits likwid '^main;(.*;)?phase copy$' 14
visits likwid '^main;(.*;)?phase copy;phase scale$' 14
expect "the other thread's are below its creator" has_path likwid 'pthread_create;run;phase copy'
expect "nothing is said" test "$(heddle_lines likwid)" = 0
finish
