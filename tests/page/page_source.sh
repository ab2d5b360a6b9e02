#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The source lines of a page: a line's cost includes what it calls, recursion only once. The user's files include the
# cost of system code that they call, so a file that spends all time in templates is the most expensive one.
for tool in esbuild node; do
	command -v $tool >/dev/null || { echo "skipped: no $tool on this machine"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Line 9 of main (a.cpp) calls helper (b.cpp), which calls itself and then a template of the system.
cat >"$work/source.ts" <<END
import { type Data, KIND } from '$HEDDLE_SOURCE/html/src/data';
import { Model } from '$HEDDLE_SOURCE/html/src/model';
const data = {
	label: [0, 1, 2, 2, 3], parent: [0, 0, 1, 2, 3],
	labels: { text: ['p', 'main', 'helper', 'std::sort'], kind: [0, KIND.FRAME, KIND.FRAME, KIND.FRAME], system: [0, 0, 0, 1] },
	siteNode: [0, 1, 1, 2, 3, 4], siteParent: [0, 0, 0, 2, 3, 4], siteFile: [0, 1, 1, 2, 2, 3], siteLine: [0, 5, 9, 7, 7, 100],
	sums: { t: [[1, 4], [1, 99]] }, byThread: [], states: [], threads: [],
} as unknown as Data;
const model = new Model(data);
for (const { file, own, cost } of model.files('t', -1)) console.log('file', file, own, cost);
for (const { file, line, self, total, cost } of model.lines('t', -1)) console.log('line', file, line, self, total, cost);
console.log('node', model.nodeAt('t', -1, 1, 9), model.nodeAt('t', -1, 1, 5), model.nodeAt('t', -1, 2, 8));
END
cat >"$work/wanted" <<'END'
file 2 true 99
file 3 false 99
file 1 true 1
line 1 5 1 1 1
line 3 100 99 99 99
line 2 7 0 99 99
line 1 9 0 99 0
node 1 1 0
END
esbuild "$work/source.ts" --bundle --log-level=error --outfile="$work/source.js" && node "$work/source.js" >"$work/got" &&
	diff "$work/wanted" "$work/got"
