#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that is started as an argument of the dynamic linker is measured as if it had been started directly.
. "${BASH_SOURCE%/*}/lib.sh"
need readelf

compile spawns spawns.c
linker=$(readelf -l "$work/spawns" | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
[ -x "$linker" ] || skip "no dynamic linker at '$linker'"

same_behaviour loaded "$linker" "$work/spawns" here 200
expect "loaded: only the line with the directory" test "$(heddle_lines loaded)" = 0
expect "loaded: a profile by the program's name" test "$(find "$work/loaded.heddle.d" -name 'spawns.*.heddle' | wc -l)" = 1
folded loaded --metric cpu-time
expect "loaded: its functions have names" has_path loaded '(^|;)main(;|$)'
same_behaviour options "$linker" --library-path /nowhere --argv0 other "$work/spawns" here 200
expect "options: a profile" test "$(profile_files options)" = 1

# So it is if another program starts it.
same_behaviour below sh -c "$linker $work/spawns here 200; true"
expect "below: a profile for each of both processes" test "$(profile_files below)" = 2
finish
