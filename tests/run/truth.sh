#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Known shares of CPU time, in every construct that opens a call path, with 2 and 8 threads, are on the right paths.
. "${BASH_SOURCE%/*}/lib.sh"
. "${BASH_SOURCE%/*}/truth_paths.sh"

peak_kb() { awk '$1 == "VmHWM" { print $2 }' "$work/$1.err"; }

compile truth truth.c -fopenmp
bare bare "$work/truth" 2 500
simulate
measured two "$work/truth" 2 4500
export OMP_WAIT_POLICY=passive # eight threads on fewer processors: waiting threads would take them all
measured eight "$work/truth" 8 4500
unset OMP_WAIT_POLICY

for name in two eight; do
	expect "$name: ends well" ended "$name" "exit 0"
	expect "$name: Heddle has nothing to say" test "$(heddle_lines "$name")" = 0
	truth_whole "$name"
	truth_exact "$name" < <(truth_paths exact)
done

added=$(($(peak_kb two) - $(peak_kb bare)))
echo "  peak memory added: $added kB"
expect "memory added is at most 20 MB" between -1000 "$added" 20480

folded two --metric cpu-time --runtime-frames
expect "frames of the start and the compiler's are shown on request" has_path two '^_start;.*omp_outlined.*;burn_first'
folded two --metric visits
expect "regions have visits" between 2 "$(path_sum two '^main;flat;omp parallel @[^;]*$')" 1000
finish
