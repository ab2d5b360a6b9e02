#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Call paths in a track of the timeline: a call that continues is one bar, even while its thread is off CPU.
for tool in esbuild node; do
	command -v $tool >/dev/null || { echo "skipped: no $tool on this machine"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The tree: main (1), solve (2) and print (3) in main, off CPU (4). Pieces of ten nanoseconds.
cat >"$work/bars.ts" <<END
import type { Model } from '$HEDDLE_SOURCE/html/src/model';
import { barsOf, type Track } from '$HEDDLE_SOURCE/html/src/timeline_data';
const names = ['program', 'main', 'solve', 'print', 'off'];
const parent = [0, 0, 1, 1, 0];
const path = (node: number): number[] => (node > 0 ? [...path(parent[node]), node] : [0]);
const model = { path, data: { state: [0, 0, 0, 0, 7] } } as unknown as Model;
function show(title: string, nodes: number[]): void {
	const at = nodes.map((_, i) => i);
	const track = { begin: [...at, at.length].map((i) => 10 * i), first: [...at, at.length], node: nodes, state: nodes.map((node) => (node < 0 ? -1 : 0)), ns: nodes.map(() => 10) };
	const bars = barsOf(model, track as unknown as Track, { from: 0, to: 10 * nodes.length }, 1, 16);
	console.log(title, bars.map(({ node, level, from, to }) => names[node] + level + ' ' + from + '-' + to).join(', '));
}
show('on:', [2, 2, 3]);
show('off in solve:', [2, 4, 2]);
show('off between:', [2, 4, 4, 3]);
show('off at the ends:', [4, 2, 4]);
show('no thread:', [2, -1, 4, 2]);
END
cat >"$work/wanted" <<'END'
on: main0 0-30, solve1 0-20, print1 20-30
off in solve: main0 0-30, solve1 0-30, off2 10-20
off between: main0 0-40, solve1 0-10, off1 10-30, print1 30-40
off at the ends: off0 0-10, main0 10-20, solve1 10-20, off0 20-30
no thread: main0 0-10, solve1 0-10, off0 20-30, main0 30-40, solve1 30-40
END
esbuild "$work/bars.ts" --bundle --log-level=error --outfile="$work/bars.js" && node "$work/bars.js" >"$work/got" &&
	diff "$work/wanted" "$work/got"
