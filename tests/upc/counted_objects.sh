#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle run --accesses`: accesses that the program counts (--inst-time sampled) have the same variable, allocation,
# line, thread and owner as if each were an event, also if objects are freed and places access several objects in turn.
. "${BASH_SOURCE%/*}/../run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
hz=0

# tables NAME: prints accesses by pair and variable, and by line
tables() {
	for by in pair,variable line; do
		"$heddle" report --by "$by" --min 0 --no-color "$work/$1.heddle.d" | awk '
			/^ *accesses .* time / { table = 1; at = length($0) - length($NF) + 1; next }
			table { n = $1; gsub(",", "", n); print n, substr($0, at) }'
	done | sort > "$work/$1.tables"
	[ "$(wc -l < "$work/$1.tables")" -gt 30 ]
}

same() { diff "$work/all.tables" "$work/sampled.tables"; }

# compare THREADS OPTION...: compiles with these options, measures in both ways
compare() {
	local threads=$1 what="$* with $1 threads"
	shift
	"$heddle" upcc -fopenmp "$@" "$HEDDLE_SOURCE/tests/upc/counted_objects.upc" -o "$work/program" || { fail "$what: upcc"; return; }
	for time in all sampled; do
		run_options=(-n "$threads" --accesses --inst-time "$time")
		measured "$time" "$work/program"
		expect "$what: runs well" ended "$time" "exit 0"
		expect "$what: has accesses" tables "$time"
	done
	expect "$what: the same accesses" same
}

compare 3 -O2 --inst
compare 4 -O2 --inst-local
compare 2 -O0 --inst-local
compare 3 -O2 --inst -fupc-threads=3
export UPC_NODE_SIZE=2
compare 3 -O2 --inst-local
finish
