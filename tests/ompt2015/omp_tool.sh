#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The runtime obeys OMP_TOOL: "enabled" in any case and between blanks, "disabled"; an illegal value ends the program.
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/lib.sh"

compile_simulated truth2015 truth2015.c
run() {
	OMP_TOOL=$2 measured "$1" "$work/truth2015" 2 400
}

run enabled ' EnAbled  '
expect "enabled: ends well" ended enabled "exit 0"
folded enabled
expect "enabled: OpenMP's context" has_path enabled 'flat;omp parallel'

run disabled disabled
expect "disabled: ends well" ended disabled "exit 0"
folded disabled
expect "disabled: no OpenMP context" no_path disabled 'omp parallel'
expect "disabled: still sampled" has_path disabled 'burn_first'

run illegal yes
expect "illegal: a fatal error" ended illegal "exit 1"
expect "illegal: the runtime's message" grep -q 'illegal value for OMP_TOOL' "$work/illegal.err"

# Events without samples: constructs are named after their outlined functions.
hz=0
measured events "$work/truth2015" 2 400
expect "events: ends well" ended events "exit 0"
folded events --metric visits
expect "events: regions" test "$(path_sum events 'omp parallel @[^;]*truth2015.c:[0-9]+$')" = 7
expect "events: tasks" test "$(path_sum events 'omp task @[^;]*truth2015.c:[0-9]+$')" = 32
finish
