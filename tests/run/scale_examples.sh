#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle scale` of the examples on 1 to 4 threads, except what depends on time: the visits of regions follow known
# laws, factors multiply, and the scales are the requested ones.
. "${BASH_SOURCE%/*}/lib.sh"
need python3
need make
make -s -C "$HEDDLE_SOURCE/examples" OUT="$work" HEDDLE="$heddle" "$work/heat" "$work/cg" > "$work/made" 2>&1 || {
	cat "$work/made"
	skip "the examples are not built here"
}

# is_scaled FILE "RANKS x THREADS..." NAME...: has these combinations, in ascending order, and paths with these names.
is_scaled() {
	python3 - "$@" <<- 'END'
		import json, math, sys
		data = json.load(open(sys.argv[1]))
		points = ["%gx%g" % (point["ranks"], point["threads"] / point["ranks"]) for point in data["scales"]]
		assert points == sys.argv[2].split(), points
		for point in data["scales"]:
		    assert point["elapsed_ns"] > 0 and all(0 <= factor <= 1 for factor in point["factors"].values()), point
		    assert abs(math.prod(point["factors"].values()) - point["parallel_efficiency"]) < 1e-4, point
		    assert abs(point["efficiency"] * point["scale"] - point["speedup"]) < 1e-4 * point["speedup"], point
		assert data["scales"][0]["speedup"] == 1
		paths = data["paths"]
		assert all(path["parent"] < i for i, path in enumerate(paths) if i)
		for name in sys.argv[3:]:
		    assert any(name in path["name"] for path in paths), (name, [path["name"] for path in paths])
	END
}

# Four scales with one rank. Each thread executes the region once per step, on any number of threads.
expect "heat is measured" "$heddle" scale -o "$work/heat.runs" --run "-t 1,2,3,4" --repeat 1 --format json -- \
	"$work/heat" 120 200 > "$work/heat.json" 2> "$work/err"
expect "heat: scales and regions" is_scaled "$work/heat.json" "1x1 1x2 1x3 1x4" "omp parallel @heat.c:" "omp for @heat.c:"
parallel=$(grep -o 'omp parallel @heat.c:[0-9]*' "$work/heat.json" | sort -u | head -n 1)
expect "heat: a law of visits, in all runs" sh -c '"$1" scale --metric visits --expect "$2=1" "$3"/t?-1 | grep -q "expected 1, found 1$"' \
	- "$heddle" "$parallel" "$work/heat.runs"

# Ranks and threads: two combinations have two threads in total.
expect "cg is measured" "$heddle" scale -o "$work/cg.runs" --run "-n 1,2 -t 1,2" --repeat 1 --format json \
	-- "$work/cg" 4 > "$work/cg.json" 2> "$work/err"
expect "cg: scales and regions" is_scaled "$work/cg.json" "1x1 1x2 2x1 2x2" "omp parallel @cg.upc:" "upc barrier" "multiply"
expect "cg: text" sh -c '"$1" scale "$2"/n?-t?-1 | grep -qE "  4 = 2 x 2$"' - "$heddle" "$work/cg.runs"
for run in "$work"/cg.runs/n?-t?-1 "$work"/heat.runs/t?-1; do
	expect "$run: its efficiency" sh -c '"$1" report --efficiency "$2" | grep -qE "^ +[0-9.]+ +[0-9.]+  parallel efficiency$"' \
		- "$heddle" "$run"
done
finish
