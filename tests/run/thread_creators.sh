#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The path of a thread continues where the program created it: at pthread_create and thrd_create, in the creator's open
# phases, in threads created by threads, with and without samples. Visits are exact on any machine.
. "${BASH_SOURCE%/*}/lib.sh"

# Calls must not be inlined and must not be tail calls.
compile creators thread_creators.c -I"$HEDDLE_SOURCE/include" -fopenmp -fno-inline -fno-optimize-sibling-calls
export OMP_WAIT_POLICY=passive

visits_of() { "$heddle" export --metric visits "$work/$1.heddle.d" > "$work/$1.visits"; }
has() { grep -qxF "$2" "$work/$1.visits" || { grep "${2##*;}" "$work/$1.visits"; false; }; }

same_behaviour sampled "$work/creators"
visits_of sampled
expect "below the creator's phase" has sampled "main;phase outer;run;pthread_create;worker;work;phase first 1"
expect "two threads of one call" has sampled "main;run;pthread_create;worker;work;phase second 2"
expect "a thread of C11" has sampled "main;run_c11;thrd_create;c11_worker;work;phase c11 1"
expect "a region that the thread opens" grep -qE \
	'^main;run;pthread_create;opens_region;omp parallel( @[^;]*)?;(opens_region[^;]*;)*work;phase in region 2$' "$work/sampled.visits"

# The first four levels have separate paths; deeper levels share one.
links=$(grep -c 'phase link' "$work/sampled.visits")
expect "a chain of threads has a bounded depth, not $links" [ "$links" -eq 4 ]
expect "no link is lost" [ "$(awk '/phase link/ { sum += $NF } END { print sum }' "$work/sampled.visits")" -eq 20 ]

run_options=(--sample-hz 0)
same_behaviour events "$work/creators"
visits_of events
expect "events alone: below the creator's phase" has events "phase outer;pthread_create;phase first 1"
expect "events alone: outside of phases" has events "phase second 2"
finish
