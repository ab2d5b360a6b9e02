#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ompt_control from C and Fortran: 1 to 4 do what the report says, other commands have no effect; in a forked child, the
# runtime starts again.
. "${BASH_SOURCE%/*}/../run/lib.sh"
. "${BASH_SOURCE%/*}/lib.sh"

compile_simulated control2015 control2015.c
for language in c fortran; do
	measured "$language" "$work/control2015" "$language"
	expect "$language: ends well" ended "$language" "exit 0"
	folded "$language" --metric samples
	for burn in measured again child; do
		expect "$language: burn_$burn was measured" has_path "$language" "omp parallel [^;]*;burn_$burn"
	done
	for burn in paused after_end; do
		expect "$language: burn_$burn was not" no_path "$language" "burn_$burn"
	done
done
finish
