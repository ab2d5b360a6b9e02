#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# pprof, JSON, callgrind and SQLite of a program with inlined functions, recursion, OpenMP and unusual names, also from
# its merged file: other programs read the sums of the report from them, and lines are those of the source.
. "${BASH_SOURCE%/*}/lib.sh"

python3 -c 'import jsonschema, sqlite3' 2> /dev/null || skip "python3 with jsonschema and sqlite3 is not installed"
"$heddle" export --format sqlite nowhere -o nothing 2>&1 | grep -q 'built without SQLite' &&
	skip "this build has no SQLite (package libsqlite3-dev)"

line() { grep -n "line of $1 \*/" "$programs/inlined_lines.c" | cut -d: -f1; }

try() { # name, compiler's options
	local name=$1
	shift
	compile "plain_$name" inlined_lines.c -I"$HEDDLE_SOURCE/include" -fopenmp "$@"
	mv "$work/plain_$name" "$work/$name"
	measured "$name" "$work/$name" $'an "argument"\n;\' --'
	expect "$name: runs" ended "$name" "exit 0"
	expect "$name: sums and lines are the report's" python3 "$HEDDLE_SOURCE/tests/cli/check_formats.py" "$heddle" \
		"$HEDDLE_SOURCE/docs/json-export.schema.json" "$work/$name.heddle.d" --lines \
		--inlined=burn_ms,burn_inner,burn_middle,descend
	"$heddle" export "$work/$name.heddle.d" --format sqlite -o "$work/$name.sqlite" || fail "$name: no database"
	"$heddle" export "$work/$name.heddle.d" --format json -o "$work/$name.json" || fail "$name: no JSON"
	expect "$name: functions and calls are in the source" python3 - "$work/$name.json" "$programs/inlined_lines.c" \
		"$(line descend)" "$(line recursion)" "$(line middle)" << 'END'
import json, os, sys
document = json.load(open(sys.argv[1]))
source = os.path.realpath(sys.argv[2])
functions = document["functions"]
for function in functions:
    if function["name"] in ("descend", "burn_inner", "burn_middle"):
        assert os.path.realpath(function["file"]) == source, function
calls = {(functions[path["function"]]["name"], path["line"]) for path in document["paths"]
         if path.get("file") and os.path.realpath(path["file"]) == source}
for call in (("descend", int(sys.argv[3])), ("descend", int(sys.argv[4])), ("burn_middle", int(sys.argv[5]))):
    assert call in calls, (call, calls)
END
}

# Bodies of constructs: each format has their costs at the same lines.
try_bodies() { # name, compiler's options
	local name=$1
	shift
	compile "$name" outlined_lines.c -I"$HEDDLE_SOURCE/include" -fopenmp "$@"
	measured "$name" "$work/$name"
	expect "$name: runs" ended "$name" "exit 0"
	expect "$name: all formats have the same lines" python3 "$HEDDLE_SOURCE/tests/cli/check_formats.py" "$heddle" \
		"$HEDDLE_SOURCE/docs/json-export.schema.json" "$work/$name.heddle.d" --lines
	folded "$name" --lines
	expect "$name: a loop's line" has_path "$name" \
		"omp parallel @outlined_lines.c:[0-9]+;(.*;)?loops outlined_lines.c:$(outlined_line 'of a loop')\$"
}
outlined_line() { grep -n "$1 \*/" "$programs/outlined_lines.c" | cut -d: -f1; }

export OMP_NUM_THREADS=2
try clang
CC=gcc try $'gcc "new\nline; \tname\001"'
try_bodies bodies_clang
run_options=(--openmp-runtime llvm)
CC=gcc try_bodies bodies_gcc
finish
