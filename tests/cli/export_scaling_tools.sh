#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `heddle export --format hatchet` and `heddle scale --format extrap` write the published formats, with the sums of
# `heddle report`.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }

"$heddle" export --format hatchet m >hatchet.json || failed=1
"$heddle" export --format json m >heddle.json || failed=1
"$heddle" merge m -o merged.heddle || failed=1
"$heddle" export --format hatchet merged.heddle | cmp - hatchet.json || { echo "^ merged"; failed=1; }

# A function that one thread executes alone, at two numbers of threads; a name with an arrow.
alone() { # directory, threads
	mkdir "$1"
	{
		printf 'process program /opt/cg\nprocess duration_ns 4500000000\nstring main\nstring operator->\nstring solve\n'
		printf 'node %s\n' '0 ROOT 0 0 0' '0 FUNCTION 0 0 0' '1 FUNCTION 0 0 1' '2 FUNCTION 0 0 2' '0 STATE 2 0 0'
		for thread in $(seq 0 $(($2 - 1))); do
			echo "thread $thread $thread thread"
			[ "$thread" -ne 0 ] || echo 'value wall-time 2 500000000'
			echo "value wall-time 3 $((4000000000 / $2))"
			[ "$thread" -eq 0 ] || echo 'value wall-time 4 500000000'
		done
	} | "$make_profile" "$1/a.heddle"
}
for threads in 1 2; do alone a$threads $threads; done
"$heddle" scale --format extrap a1 a2 >alone.jsonl || failed=1
"$heddle" scale --format extrap --size n=5,7 a1 a2 | grep -c '"params":{"n":7}' >count || failed=1
[ "$(cat count)" = 3 ] || { echo "not 3 lines of n=7"; failed=1; }

python3 - <<'END' || failed=1
import json

def nodes(literal, depth=0):
    for node in literal:
        yield node, depth
        yield from nodes(node["children"], depth + 1)

literal = json.load(open("hatchet.json"))
assert isinstance(literal, list) and len(literal) == 1 and literal[0]["frame"]["type"] == "program"
metrics = set(literal[0]["metrics"])
assert {"time", "time (inc)"} <= metrics, metrics
for node, depth in nodes(literal):
    assert set(node) == {"frame", "metrics", "children"} and {"name", "type"} <= set(node["frame"])
    assert set(node["metrics"]) == metrics
    for name in metrics:
        if name.endswith("(inc)"):
            below = sum(child["metrics"][name] for child in node["children"])
            own = node["metrics"][name[:-len(" (inc)")]]
            assert abs(node["metrics"][name] - below - own) < 1e-6, (node["frame"], name)
assert max(depth for _, depth in nodes(literal)) > 2
assert literal[0]["metrics"]["time (inc)"] > 0

# Extra-P needs each path at each scale.
lines = [json.loads(line) for line in open("alone.jsonl")]
assert all(set(line) == {"params", "callpath", "metric", "value"} for line in lines)
alone = {(line["params"]["p"], line["callpath"]): line["value"] for line in lines}
assert alone == {
    (1, "cg->main->operator- >"): 0.5, (1, "cg->main->operator- >->solve"): 4.0, (1, "cg->[omp idle]"): 0.0,
    (2, "cg->main->operator- >"): 0.5, (2, "cg->main->operator- >->solve"): 2.0, (2, "cg->[omp idle]"): 0.5}, alone
END
exit $failed
