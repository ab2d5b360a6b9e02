#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Paths as long as the system allows: of the output, of the working directory and of the program. If a path does not
# fit, one whole line says so, and the program runs. A message appears once, even if its cause occurs often.
. "${BASH_SOURCE%/*}/trace_lib.sh"

compile plain plain.c -DPERCENT=5
compile flush_often flush_often.c -I"$HEDDLE_SOURCE/include" -ldl
bare bare "$work/plain"

# path_of LENGTH: prints a path below $work with that length
path_of() {
	local path=$work part
	part=$(printf 'd%.0s' {1..100})
	while [ $((${#path} + 102)) -lt "$1" ]; do path+=/$part; done
	path+=/$(printf "%0$(($1 - ${#path} - 1))d" 0)
	echo "$path"
}
profiles_in() { find "$1" -maxdepth 1 -name '*.heddle' | wc -l; }
traces_in() { find "$1" -maxdepth 1 -name '*.heddle-trace' | wc -l; }
whole_line() { grep -q "^heddle: .*$2.*$3\$" "$work/$1.err"; }
lines_of() { messages "$work/$1.err" | wc -l; }

for length in 1023 1024 3700; do
	path=$(path_of "$length")
	bare "out-$length" "$heddle" run --trace --sample-hz 1000 -o "$path" -- "$work/plain"
	expect "output of $length: as the program" ended "out-$length" "exit 0"
	expect "output of $length: a profile and a trace" test "$(profiles_in "$path")$(traces_in "$path")" = 11
	expect "output of $length: no complaint" test "$(lines_of "out-$length")" = 1
	expect "output of $length: can be read" "$heddle" report "$path" > /dev/null

	path=$(path_of $((length - 1)))/
	mkdir -p "$path"
	bare "alone-$length" env LD_PRELOAD="$library" HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT="$path/m" "$work/plain"
	expect "without the launcher, $length: a profile" test "$(profiles_in "$path/m")" = 1
	expect "without the launcher, $length: says where, whole" whole_line "alone-$length" "measured plain" "see: heddle report $path/m"

	cp "$work/plain" "$path/plain"
	(cd "$path" && bare "in-$length" "$heddle" run --sample-hz 1000 -o m2 -- ./plain)
	expect "working directory of $length: a profile" test "$(profiles_in "$path/m2")" = 1
	expect "program of $length: its functions have names" grep -q main <("$heddle" report "$path/m2")
done

path=$(path_of 4090)
bare too-long "$heddle" run -o "$path" -- "$work/plain"
expect "too long: refused before the start" ended too-long "exit 6"
expect "too long: one whole line" whole_line too-long "$path" "choose another with -o DIR"
bare too-long-alone env LD_PRELOAD="$library" HEDDLE_SAMPLE_HZ=1000 HEDDLE_OUTPUT="$path" "$work/plain"
expect "too long, without the launcher: the program runs" ended too-long-alone "exit 0"
expect "too long, without the launcher: one whole line" whole_line too-long-alone "$path" "the program runs unmeasured"
expect "too long, without the launcher: one line" test "$(lines_of too-long-alone)" = 1

mkdir "$work/limited"
(ulimit -f 0 && exec env LD_PRELOAD="$library" HEDDLE_OUTPUT="$work/limited" "$work/flush_often" 12) \
	2> >(cat > "$work/limited.err") | cat > "$work/limited.out"
expect "cannot be flushed: the program ran" grep -q '^flushed 12 times' "$work/limited.out"
expect "cannot be flushed: said once" test "$(grep -c '^heddle: cannot write the profile' "$work/limited.err")" = 1
finish
