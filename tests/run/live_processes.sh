#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# heddle run --live: sums over the processes of a program, and over several ranks of a launcher.
. "${BASH_SOURCE%/*}/live_lib.sh"

# Print the seconds of CPU time, and the number of samples, that the line shows.
cpu_seconds() { screen | grep -E "$live_pattern" | sed -nE 's/.* CPU ([0-9]+):([0-9][0-9]) .*/\1 \2/p' | awk '{ print $1 * 60 + $2 }'; }
samples() { screen | grep -E "$live_pattern" | sed -nE 's/.* ([0-9,]+) samples.*/\1/p' | tr -d ,; }
more_than() { local value; value=$("$2") && [ "${value:-0}" -gt "$1" ]; }

in_terminal resize-window -x 100 -y 24
type_line "run forked fork:3 until:a exit:0; ended forked"
eventually "four processes" screen_has ' · 4 processes · '
eventually "the children's function" screen_has ' % multiply_row'
eventually "the children's CPU time" more_than 2 cpu_seconds
touch "$work/a"
eventually "forked: the end" at_prompt forked 0

type_line "clear; run replaced until:b exec until:c exit:4; ended replaced"
eventually "before exec: samples" more_than 1000 samples
touch "$work/b"
before=$(samples)
eventually "after exec they are counted on" more_than $((before + 500)) samples
expect "one process" screen_lacks ' processes · '
touch "$work/c"
eventually "replaced: the end" at_prompt replaced 4

# `heddle run --live` inside another one: only the outer one shows a line.
type_line "clear; any bash -c '$heddle run --live -o inner.heddle.d -- ./steps until:d exit:3'; ended nested"
eventually "nested: the line, with the inner program's function" screen_has ' % multiply_row'
expect "nested: it is said" screen_has '^heddle: --live: another heddle run --live shows this program'
expect "nested: one line" line_is_last
touch "$work/d"
eventually "nested: the end" screen_has '^nested ended with'

# Hundreds of short processes: their sums remain after their ends.
cat > "$work/many" << 'TEXT'
for i in $(seq 400); do ./steps until:many; done
./steps until:e
TEXT
touch "$work/many.file"
ln -s many.file "$work/many.link"
sed -i 's/until:many/until:many.link/' "$work/many"
type_line "clear; any bash many; ended many"
eventually "many: the last one's samples" screen_has ' % multiply_row'
touch "$work/e"
eventually "many: the end" at_prompt many 0

if command -v mpirun.openmpi > /dev/null; then
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 in_time mpirun.openmpi --oversubscribe -n 2 \
		"$heddle" run --live -o "$work/ranks.heddle.d" -- "$work/steps" print:1 > "$work/ranks.out" 2> "$work/ranks.err"
	expect "ranks: it is said once that nothing is shown" test "$(grep -c '^heddle: --live ' "$work/ranks.err")" = 1
	expect "ranks: their output" test "$(grep -c '^line 1 of 1$' "$work/ranks.out")" = 2
fi
finish
