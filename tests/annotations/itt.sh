#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ITT: tasks, overlapped tasks, frames, events, counters and metadata; a disabled domain; OpenMP's own are ignored.
. "${BASH_SOURCE%/*}/lib.sh"
need gcc
built itt gcc -O2 "$here/itt.c" -pthread -ldl
traced itt "$work/itt"
visits itt '^main;phase application$' 3
visits itt '^main;phase application;phase one task$' 3
visits itt '^main;phase overlapped$' 6
visits itt '^main;phase overlapped;phase one task$' 3
visits itt '^main;phase an event$' 3
value itt size 'value  min 3 · mean 4 · max 5 · sum 24 (6 values)'
value itt bytes 'value  min 8 · mean 8 · max 8 · sum 24 (3 values)'
expect "a wrong end is reported" test "$(grep -c '^heddle: ITT: end of a range' "$work/itt.err")" = 1

# LLVM's runtime is linked with ITT, too: its notifications are not measured in addition to OMPT's events.
compile openmp tasks.c -fopenmp
measured openmp "$work/openmp"
folded openmp --metric visits
measured without_itt env INTEL_LIBITTNOTIFY64="$work/none.so" "$work/openmp"
folded without_itt --metric visits
expect "OpenMP's events are the same with and without" diff <(paths openmp | sort) <(paths without_itt | sort)
finish
