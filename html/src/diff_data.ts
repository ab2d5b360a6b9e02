// SPDX-License-Identifier: BSD-3-Clause
// The differences that are embedded in a page of several measurements (stored.ts). They become a measurement of two
// sides, which all views can show, with the changes that were computed for paths and functions.

import type { Data } from './data';
import type { Model } from './model';
import type { More, Sparse, StoredDiff, Tests } from './stored';

export type Diff = Pick<StoredDiff, 'before' | 'after' | 'row' | 'diff'>;

export interface Change {
	node: number;
	before: number;
	after: number;
	change: number;
	margin: number;
	p: number; // -1: not tested
}

// Data of views that show nothing for differences.
const NOTHING_MORE: More = {
	about: { processes: [], left: [], unnamed: [] },
	regions: { models: [], label: [], model: [] },
	sizes: [],
	pairs: { rank: '', messages: false, threads: 0, groups: 0, variables: [], cells: [] },
	exchanges: null,
	timeline: null,
	waits: null,
	unread: 0,
	efficiency: null,
};

function side(file: StoredDiff, name: 'before' | 'after') {
	const means = ([sites, sums]: Sparse): Sparse => [sites, sums.map((sum) => sum / file[name].length)];
	return Object.fromEntries(Object.entries(file.diff).map(([metric, values]) => [metric, means(values[name])]));
}

export function fromDiff(file: StoredDiff): Data {
	const count = file.parent.length;
	const none = file.text.map(() => 0);
	return {
		...file,
		program: file.text[file.label[0]],
		arguments: [],
		notes: [],
		processes: [],
		states: ['work'],
		threads: [],
		labels: { text: file.text, kind: file.kind, file: none, line: none, module: none, system: none, modules: [''] },
		parent: Int32Array.from(file.parent, (distance, i) => i - distance),
		label: Int32Array.from(file.label),
		state: new Uint8Array(count),
		siteNode: Int32Array.from(file.parent, (_, i) => i),
		siteFile: new Int32Array(count),
		siteLine: new Int32Array(count),
		siteParent: new Int32Array(count),
		files: [''],
		sums: side(file, 'after'),
		byThread: [side(file, 'before')],
		heat: null, sources: {},
		more: NOTHING_MORE,
		diff: file,
	};
}

function changeOf(node: number, before: number, after: number, [margins, p]: Tests, at: number): Change {
	return { node, before, after, change: after - before, margin: margins[at] ?? 0, p: p[at] ?? -1 };
}

// Returns the inclusive changes of paths.
export function changesOf(model: Model, metric: string): (node: number) => Change {
	const before = model.of(metric, 0).total;
	const after = model.of(metric, -1).total;
	const tests = model.data.diff?.diff[metric].paths ?? [[], []];
	return (node) => changeOf(node, before[node], after[node], tests, node);
}

// Returns the exclusive changes of functions and regions; the node is the one that changed most.
export function rowsOf(model: Model, metric: string): Change[] {
	const { diff } = model.data;
	if (!diff) return [];
	const before = model.of(metric, 0).self;
	const after = model.of(metric, -1).self;
	const rows: Change[] = [];
	diff.row.forEach((row, node) => {
		rows[row] ??= changeOf(node, 0, 0, diff.diff[metric].rows, row);
		const most = rows[row].node;
		if (Math.abs(after[node] - before[node]) > Math.abs(after[most] - before[most])) rows[row].node = node;
		rows[row].before += before[node];
		rows[row].after += after[node];
		rows[row].change = rows[row].after - rows[row].before;
	});
	return rows.filter((row) => row.before > 0 || row.after > 0);
}

// Returns the largest change of each path or of a path below it, because changes below may cancel out.
export function magnitudes(model: Model, metric: string): Float64Array {
	const change = changesOf(model, metric);
	const most = Float64Array.from(model.data.parent, (_, node) => Math.abs(change(node).change));
	for (let i = most.length - 1; i > 0; i--)
		most[model.data.parent[i]] = Math.max(most[model.data.parent[i]], most[i]);
	return most;
}
