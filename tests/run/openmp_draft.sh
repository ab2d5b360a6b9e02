#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A runtime with a draft of OpenMP 5's tool interface (LLVM 6.0's and 7.0's) is not measured; one line says so.
. "${BASH_SOURCE%/*}/lib.sh"

compile draft draft.c
for form in 0 1; do
	measured "$form" "$work/draft" "$form"
	expect "form $form: ends well" ended "$form" "exit 0"
	expect "form $form: no callback is registered" grep -qx 'taken 0, asked for 0 callbacks' "$work/$form.out"
	expect "form $form: one line" test "$(heddle_lines "$form")" = 1
	expect "form $form: the line names the draft" grep -q 'draft of OpenMP 5.*LLVM 6\.0' "$work/$form.err"
	folded "$form"
	expect "form $form: sampled" has_path "$form" '^main'
	expect "form $form: heddle info says it" test "$(timeout "$seconds" "$heddle" info "$work/$form.heddle.d" | grep -c "a draft of OpenMP 5")" = 1
done
finish
