// SPDX-License-Identifier: BSD-3-Clause
// The tracks of the timeline, decoded: pieces of time with their parts; sums over any range; the rows of tracks.

import { meaningOf } from './colors';
import type { Model } from './model';
import type { Timeline, Track as StoredTrack } from './stored';

export interface Track {
	index: number; // number in arrows
	thread: number; // number among the page's threads; -1: unknown
	pid: number;
	left: number; // state left out of sums: off CPU of a helper, which mostly sleeps; -2: none
	least: number; // ns; shorter spans were combined; 0: none were
	begin: Float64Array; // by piece, ns since the run's beginning; then the end of the last piece
	first: Int32Array; // by piece: its first part; then the number of all parts
	node: Int32Array; // by part; -1: several other paths
	state: Int16Array; // -1: the thread did not exist
	ns: Float64Array;
}

export interface Range {
	from: number; // ns
	to: number;
}

function track(model: Model, from: number, stored: StoredTrack, index: number): Track {
	const { lengths, counts, times } = stored;
	const begin = new Float64Array(lengths.length + 1).fill(from);
	const first = new Int32Array(lengths.length + 1);
	const ns = new Float64Array(stored.nodes.length);
	let part = 0;
	let given = 0;
	lengths.forEach((length, i) => {
		begin[i + 1] = begin[i] + length;
		let rest = length;
		for (let p = 1; p < counts[i]; p++) rest -= ns[part + p] = times[given++];
		ns[part] = rest;
		first[i + 1] = part += counts[i];
	});
	const pid = model.data.threads[stored.thread]?.pid ?? 0;
	const { thread, helper, least } = stored;
	const left = helper ? model.data.states.indexOf('off cpu') : -2;
	return { index, thread, pid, left, least, begin, first, node: Int32Array.from(stored.nodes), state: Int16Array.from(stored.states), ns };
}

export const decode = (model: Model, { from, threads }: Timeline): Track[] => threads.map((one, i) => track(model, from, one, i));

export const pieceCount = (of: Track): number => of.begin.length - 1;

// Returns the piece that a time is in; -1: none.
export function pieceAt({ begin }: Track, ns: number): number {
	let [low, high] = [0, begin.length - 1];
	if (!(ns >= begin[low] && ns < begin[high])) return -1;
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (begin[middle] <= ns) low = middle;
		else high = middle;
	}
	return low;
}

// Calls `each` with the pieces in a range, and the share of the piece that is in it.
export function eachPiece(of: Track, { from, to }: Range, each: (piece: number, from: number, to: number, share: number) => void): void {
	const count = pieceCount(of);
	const start = from <= of.begin[0] ? 0 : pieceAt(of, from);
	if (start < 0) return;
	for (let i = start; i < count && of.begin[i] < to; i++) {
		const [a, b] = [Math.max(from, of.begin[i]), Math.min(to, of.begin[i + 1])];
		if (b > a) each(i, a, b, (b - a) / (of.begin[i + 1] - of.begin[i]));
	}
}

// ns by key of all that is in a range, most first; a helper's sleep counts where the helper stands alone. Of a piece with several parts at the range's border, a share of each.
export function sumsOf(tracks: Track[], range: Range, keyOf: (track: Track, part: number) => number | undefined): [number, number][] {
	const sums = new Map<number, number>();
	const alone = tracks.length === 1;
	for (const of of tracks)
		eachPiece(of, range, (piece, _, __, share) => {
			for (let part = of.first[piece]; part < of.first[piece + 1]; part++) {
				const key = of.state[part] < 0 || (of.state[part] === of.left && !alone) ? undefined : keyOf(of, part);
				if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + of.ns[part] * share);
			}
		});
	return [...sums].sort((a, b) => b[1] - a[1]);
}

// Returns the part of a piece with most of its time.
export function mostOf(of: Track, piece: number): number {
	let most = of.first[piece];
	for (let part = most + 1; part < of.first[piece + 1]; part++) if (of.ns[part] > of.ns[most]) most = part;
	return most;
}

// True if no spans were combined in the range.
export function isWhole(tracks: Track[], timeline: Timeline, { from, to }: Range): boolean {
	const [low, high] = timeline.kept;
	return (from >= low && to <= high) || tracks.every(({ least }) => least === 0);
}

// ---- call paths ----

export interface Bar extends Range {
	node: number;
	level: number;
	mixed: boolean; // it has most of its pieces' time, not all
}

interface Cell extends Range {
	node: number; // -1: nothing
	mixed: boolean;
}

// Returns the pieces that are at least a pixel long; of shorter ones, those with most of a pixel's time.
function cellsOf(of: Track, range: Range, pixel: number): Cell[] {
	const cells: Cell[] = [];
	let open: (Cell & { most: number }) | undefined;
	eachPiece(of, range, (piece, from, to) => {
		const part = mostOf(of, piece);
		const node = of.state[part] < 0 ? -1 : of.node[part];
		const mixed = of.first[piece + 1] - of.first[piece] > 1;
		if (open && to - open.from <= pixel) {
			if (to - from > open.most) Object.assign(open, { node, most: to - from });
			open.to = to;
			open.mixed = true;
			return;
		}
		open = { from, to, node, mixed, most: to - from };
		cells.push(open);
		if (to - from >= pixel) open = undefined;
	});
	return cells;
}

// While it is off CPU, a thread stays in the calls that it was in before and is in afterwards.
function pathsOf(model: Model, cells: Cell[]): number[][] {
	const paths = cells.map(({ node }) => (node < 0 ? [] : model.path(node).slice(1)));
	const isOff = (i: number) => paths[i].length === 1 && meaningOf(model.data.state[cells[i].node]) === 'off CPU';
	let after: number[] = [];
	const next = paths.map(() => after);
	for (let i = paths.length - 1; i >= 0; i--) {
		next[i] = after;
		if (!isOff(i)) after = paths[i];
	}
	let before: number[] = [];
	return paths.map((path, i) => {
		if (!isOff(i)) return (before = path);
		const end = before.findIndex((node, level) => node !== next[i][level]);
		return [...before.slice(0, end < 0 ? before.length : end), ...path];
	});
}

// Returns one bar for calls that continue from one piece to the next; none for the program itself.
export function barsOf(model: Model, of: Track, range: Range, pixel: number, levels: number): Bar[] {
	const bars: Bar[] = [];
	const cells = cellsOf(of, range, pixel);
	const paths = pathsOf(model, cells);
	let open: Bar[] = [];
	cells.forEach(({ from, to, mixed }, i) => {
		const path = paths[i].slice(0, levels);
		let same = 0;
		while (same < path.length && open[same]?.node === path[same]) {
			open[same].mixed ||= mixed;
			open[same++].to = to;
		}
		open = open.slice(0, same);
		for (const one of path.slice(same)) {
			const bar = { node: one, level: open.length, from, to, mixed };
			open.push(bar);
			bars.push(bar);
		}
	});
	return bars;
}

// ---- rows ----

export interface Row {
	tracks: Track[];
	process: boolean; // of a process: all its threads together
	folded: boolean; // its threads are not shown
	open: boolean; // the thread's call paths are shown below it
	y: number; // px
	high: number; // of the strip
	paths: number; // of the call paths
}

export interface Look {
	folded: (pid: number) => boolean;
	open: (track: Track) => boolean;
	depthOf: (track: Track) => number; // number of levels of its call paths that are shown
	high: number;
	level: number; // px
}

export function rowsOf(tracks: Track[], { folded, open, depthOf, high, level }: Look): Row[] {
	const pids = [...new Set(tracks.map(({ pid }) => pid))];
	const grouped = pids.length > 1 && pids.length < tracks.length;
	const rows: Row[] = [];
	let y = 0;
	const add = (row: Pick<Row, 'tracks' | 'process' | 'folded' | 'open'>) => {
		const paths = row.open ? Math.max(1, depthOf(row.tracks[0])) * level : 0;
		rows.push({ ...row, y, high, paths });
		y += high + paths;
	};
	for (const pid of grouped ? pids : [-1]) {
		const own = tracks.filter((one) => pid < 0 || one.pid === pid);
		if (grouped) add({ tracks: own, process: true, folded: folded(pid), open: false });
		if (!grouped || !folded(pid)) own.forEach((one) => add({ tracks: [one], process: false, folded: false, open: open(one) }));
	}
	return rows;
}

// ---- phases ----

// Returns when phases were open, on the first thread that has any; nested ones are below.
export function phasesOf(model: Model, tracks: Track[], kind: number): Bar[] {
	const isPhase = (node: number) => model.kind(node) === kind;
	for (const of of tracks) {
		if (!of.node.some((node) => node >= 0 && model.path(node).some(isPhase))) continue;
		const bars: Bar[] = [];
		let open: Bar[] = [];
		eachPiece(of, { from: of.begin[0], to: of.begin[pieceCount(of)] }, (piece, from, to) => {
			const node = of.node[mostOf(of, piece)];
			const path = node < 0 ? [] : model.path(node).filter(isPhase);
			let same = 0;
			while (same < path.length && open[same]?.node === path[same]) open[same++].to = to;
			open = open.slice(0, same);
			for (const one of path.slice(same)) {
				const bar = { node: one, level: open.length, from, to, mixed: false };
				open.push(bar);
				bars.push(bar);
			}
		});
		return bars;
	}
	return [];
}
