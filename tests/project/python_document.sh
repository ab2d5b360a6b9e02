#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The blocks of docs/python.md run as they are written, one after the other, and find what `heddle report` prints.
. "$HEDDLE_SOURCE/tests/cli/measurement.sh"
for python in python3 /usr/bin/python3; do
	"$python" -c 'import pandas, matplotlib, sqlite3' 2>/dev/null && break
	python=
done
[ "$python" ] || { echo "skipped: no python3 with pandas and matplotlib (packages python3-pandas, python3-matplotlib)"; exit 77; }
if "$heddle" export --format sqlite nowhere -o nothing 2>&1 | grep -q 'built without SQLite'; then
	echo "skipped: this build has no SQLite (package libsqlite3-dev)"
	exit 77
fi
for threads in 1 2 4; do
	mkdir out-$threads
	{
		printf 'process program /opt/cg\nprocess duration_ns %s\nstring main\nstring solve\n' $((4000000000 / threads))
		printf 'node %s\n' '0 ROOT 0 0 0' '0 FUNCTION 0 0 0' '1 FUNCTION 0 0 1'
		for thread in $(seq 0 $((threads - 1))); do
			printf 'thread %s %s thread\nvalue wall-time 2 %s\n' "$thread" "$thread" $((4000000000 / threads))
		done
	} | "$make_profile" out-$threads/a.heddle
done
"$heddle" export m --format sqlite -o out.db || exit 1
"$heddle" export m --format json -o out.json || exit 1
"$heddle" scale --format json out-1 out-2 out-4 >scale.json || exit 1
"$heddle" export m --format folded --metric cpu-time >paths.folded || exit 1

# Hatchet is not in Debian: a stand-in for the part that the document uses.
mkdir hatchet
cat >hatchet/__init__.py <<'END'
class GraphFrame:
    def __init__(self, graph, dataframe, exc_metrics, inc_metrics):
        self.graph, self.dataframe, self.exc_metrics, self.inc_metrics = graph, dataframe, exc_metrics, inc_metrics
END
cat >hatchet/frame.py <<'END'
class Frame:
    def __init__(self, **attributes):
        self.attrs = attributes
END
cat >hatchet/node.py <<'END'
class Node:
    def __init__(self, frame, parent=None):
        self.frame, self.parent, self.children = frame, parent, []

    def add_child(self, node):
        self.children.append(node)

    def __lt__(self, other):
        return id(self) < id(other)
END
cat >hatchet/graph.py <<'END'
class Graph:
    def __init__(self, roots):
        self.roots = roots

    def enumerate_traverse(self):
        assert len(self.roots) == 1
END
MPLCONFIGDIR=$PWD PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1 "$python" - "$HEDDLE_SOURCE/docs/python.md" <<'END' || failed=1
import os, re, sys

text = open(sys.argv[1]).read()
blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
assert len(blocks) == 6, len(blocks)
known = {}
for block in blocks:
    exec(compile(block, "docs/python.md", "exec"), known)
folded = [line.rsplit(" ", 1) for line in open("paths.folded")]
whole = sum(int(value) for _, value in folded)
assert whole > 0 and known["total"][0] == whole, (known["total"][0], whole)
assert known["functions"]["self"].sum() == whole
assert os.path.getsize("top.png") > 1000
assert list(known["scales"]["speedup"].round(3)) == [1, 2, 4]
assert len(known["states"]) > 0
found = known["hatchet_frame"].dataframe
root = known["graph"].roots[0]
assert found.index.names == ["node", "rank", "thread"] and found["name"].iloc[0], found
assert abs(found["time"].sum() - whole / 1e9) < 1e-9 and abs(found.loc[root]["time (inc)"].sum() - whole / 1e9) < 1e-9
for node in {node for node, _, _ in found.index}:
    below = sum(found.loc[child]["time (inc)"] for child in node.children) if node.children else 0
    assert (abs(found.loc[node]["time (inc)"] - found.loc[node]["time"] - below) < 1e-9).all(), node.frame.attrs
END
exit $failed
