#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Accesses by variable: static ones have their symbols' names, heap blocks the names of the variables assigned.
. "$HEDDLE_SOURCE/tests/shmem/lib.sh"
compile_shmem variables variables.c
run_options=(--accesses)
pes variables 2 ./variables
expect "ends well" ended variables "exit 0"
# by KEY: prints lines NAME ACCESSES.
by() {
	"$heddle" report variables.heddle.d --accesses --by "$1" --min 0 |
		sed -nE 's/^ *([0-9,]+) +[0-9.]+ .* ([^ ]+)$/\2 \1/p' | grep -v '^accesses ' | sort
}
expect "by variable" diff <(by variable) - << 'END'
again 2
field 200
grid.cells 200
halo 200
rows 400
END
expect "by line" test "$(by line | wc -l)" = 6
expect "by pair" sh -c "'$heddle' report variables.heddle.d --accesses --by pair,variable --min 0 | grep -Eq '^ *200 .* PE 1 -> PE 0  rows$'"

# Static variables have names without samples, too.
hz=0
pes unsampled 2 ./variables
"$heddle" report unsampled.heddle.d --accesses --min 0 > unsampled.txt
expect "without samples" grep -Eq '^ *200 .* halo$' unsampled.txt

# Without --accesses, the report has source lines, and a hint.
run_options=()
pes without 2 ./variables
"$heddle" report without.heddle.d --accesses --by variable > without.txt
expect "a hint" grep -q 'heddle run --accesses' without.txt
expect "all accesses are present" grep -Eq '^ *1,002 .* \[unknown\]$' without.txt
finish
