#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Code that a program makes at run time has the names in its map for perf, which is stored with the measurement.
. "${BASH_SOURCE%/*}/lib.sh"
CC=gcc compile code_map code_map.c
same_behaviour named "$work/code_map" map

folded named
expect "the first function" has_path named 'py::assemble:/home/you/solve.py$'
expect "the second function" has_path named 'Builtins_Solve<long>$'
expect "a later line replaces an earlier one" no_path named 'earlier'
map=$(find "$work/named.heddle.d" -name '*.map')
expect "the map is kept" test -s "$map"
expect "nothing is said" test "$(heddle_lines named)" = 0

# read elsewhere, without the file in /tmp; merged: the names are in the merged file
pid=${map%.map} pid=${pid##*.}
expect "the program's map was in /tmp" rm "/tmp/perf-$pid.map"
folded named
expect "without the file in /tmp" has_path named 'py::assemble:/home/you/solve.py$'
"$heddle" merge "$work/named.heddle.d" -o "$work/merged.heddle"
"$heddle" export "$work/merged.heddle" --format folded > "$work/merged.folded"
expect "merged" has_path merged 'Builtins_Solve<long>$'

measured unnamed "$work/code_map"
folded unnamed
expect "without a map, addresses" has_path unnamed '0x[0-9a-f]+$'
expect "no map is kept" test -z "$(find "$work/unnamed.heddle.d" -name '*.map')"

# a map with false entries
printf '0 ffffffffffffffff \033[31mall\n%s' "$(head -c 100000 /dev/zero | tr '\0' 'x')" > "$map"
folded named
expect "a map of one function, whose name is printable" has_path named '(^|;)[?]\[31mall$'
head -c 300000 /dev/urandom > "$map"
folded named
expect "no text at all" has_path named '0x[0-9a-f]+$'
rm "$map" && mkfifo "$map"
folded named
expect "no file" has_path named '0x[0-9a-f]+$'
finish
