#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle run --live: the line appears, is refreshed, names the function, and never mixes with the program's output.
. "${BASH_SOURCE%/*}/live_lib.sh"

type_line "run fast until:a print:200 until:b exit:3; ended fast"
eventually "the line is in the last row" line_is_last
first=$(screen | tail -n 1)
is_another() { local line; line=$(screen | tail -n 1) && [ "$line" != "$first" ] && [[ $line =~ $live_pattern ]]; }
eventually "it is refreshed" is_another
eventually "it says all" screen_has \
	'^heddle [0-9]+:[0-9][0-9] · CPU [0-9]+:[0-9][0-9] · [0-9.]+ of [0-9]+ CPUs · [0-9,]+ samples · [0-9]+ % multiply_row$'
touch "$work/a"
eventually "the program's lines scroll above it" screen_has '^line 200 of 200$'
expect "the line stays in the last row" line_is_last
touch "$work/b"
eventually "the exit status is the program's" at_prompt fast 3
eventually "the line is taken away" no_line
expect "the whole screen scrolls again" whole_screen
whole_history | grep -E '^line |[0-9] samples' > "$work/seen"
for i in $(seq 200); do echo "line $i of 200"; done > "$work/wanted"
expect "all 200 lines are there, in order, and nothing else" cmp "$work/wanted" "$work/seen"

# The program writes without a pause, during several refreshes.
type_line "clear; run flood flood:flooded exit:0; ended flood"
eventually "a flood: the line" line_is_last
for _ in 1 2 3; do
	first=$(screen | tail -n 1)
	eventually "a flood: the line is refreshed" is_another
done
touch "$work/flooded"
eventually "a flood: the end" at_prompt flood 0
whole_history | grep -E 'flood [0-9]|[0-9] samples' > "$work/seen"
count=$(wc -l < "$work/seen")
for i in $(seq "$count"); do echo "flood $i"; done > "$work/wanted"
expect "a flood: all $count lines are there, in order, and nothing else" cmp "$work/wanted" "$work/seen"

# The program's output and Heddle's closing line are written to files; the live line is shown on the terminal.
type_line "clear; run files until:c print:300 error:hello exit:0 > out 2> err; ended files"
eventually "the line is shown though the output is redirected" line_is_last
touch "$work/c"
eventually "redirected: the end" at_prompt files 0
"$work/steps" print:300 > "$work/out.bare"
expect "the output is the same, byte for byte" cmp "$work/out.bare" "$work/out"
expect "standard error is the same" test "$(grep -v '^heddle: ' "$work/err")" = hello
expect "one line of Heddle on standard error" test "$(messages "$work/err" | wc -l)" = 1
eventually "redirected: the line is taken away" no_line

type_line "clear; any cat; ended cat"
eventually "the line while a program reads" line_is_last
type_line "some words"
echoed_twice() { [ "$(screen | grep -c '^some words$')" = 2 ]; }
eventually "what is typed goes to the program" echoed_twice
press C-d
eventually "its end" at_prompt cat 0

# The line is not shown in the background, without a terminal, or on one without cursor control.
type_line "clear; run quiet until:d exit:5 & sleep 3; echo slept; touch d; wait \$!; ended quiet"
eventually "in the background the program ends" at_prompt quiet 5
whole_history > "$work/history"
expect "nothing was drawn in the background" test "$(sed -n '/echo slept/,$p' "$work/history" | grep -cE "$live_pattern")" = 0
lone() { setsid --wait "$heddle" run --live -o "$work/$1.heddle.d" -- "$work/steps" print:2 exit:4 > "$work/$1.out" 2> "$work/$1.err"; }
lone none
expect "no terminal: the exit status" test $? = 4
expect "no terminal: one line says so" grep -qx 'heddle: --live: no terminal: the program runs as usual' "$work/none.err"
expect "no terminal: the output" test "$(cat "$work/none.out")" = $'line 1 of 2\nline 2 of 2'
type_line "clear; TERM=dumb run dumb print:1 exit:6; ended dumb"
eventually "a terminal without placing: the end" at_prompt dumb 6
expect "a terminal without cursor control is reported" screen_has '^heddle: --live: TERM lacks cursor control: the program runs as usual'
finish
