#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# With the interface of the report of 2015, there is one tree of user-level paths with the right shares, whether the
# runtime sends all events, the mandatory ones, or those of LLVM 4.0.
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/lib.sh"

simulate
compile_simulated truth2015 truth2015.c
for SIMULATED in report minimal llvm; do
	export SIMULATED
	measured "$SIMULATED" "$work/truth2015" 2 3000
	expect "$SIMULATED: ends well" ended "$SIMULATED" "exit 0"
	expect "$SIMULATED: no message of Heddle" test "$(heddle_lines "$SIMULATED")" = 0
	truth_whole "$SIMULATED"
	truth_exact "$SIMULATED" < <(simulated_paths "$SIMULATED")
done
finish
