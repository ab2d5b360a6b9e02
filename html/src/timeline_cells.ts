// SPDX-License-Identifier: BSD-3-Clause
// The cells of the timeline: for each track and piece of time the state that took most of it, and the path.

import type { Model } from './model';
import type { Timeline } from './stored';

export interface Cells {
	state: Int16Array[]; // by track, column; -1: nothing
	node: Int32Array[];
	thread: number[]; // of each track, as the page's threads are numbered; of a process its first one
	pid: number[];
	size: number[]; // threads of the track
}

export function decode(model: Model, { threads, columns }: Timeline): Cells {
	const cells: Cells = { state: [], node: [], thread: [], pid: [], size: [] };
	for (const { thread, runs } of threads) {
		const state = new Int16Array(columns);
		const node = new Int32Array(columns);
		let at = 0;
		let now = 0;
		for (let i = 0; i < runs.length; i += 3) {
			now += runs[i + 2];
			state.fill(runs[i + 1], at, at + runs[i]);
			node.fill(now, at, (at += runs[i]));
		}
		cells.state.push(state);
		cells.node.push(node);
		cells.thread.push(thread);
		cells.pid.push(model.data.threads[thread]?.pid ?? 0);
		cells.size.push(1);
	}
	return cells;
}

// The row of those given that is in the state that most of them are in; -1: none is there.
function mostOf(cells: Cells, rows: number[], at: number): number {
	const counts = new Map<number, number>();
	let best = -1;
	for (const row of rows) {
		const state = cells.state[row][at];
		if (state < 0) continue;
		counts.set(state, (counts.get(state) ?? 0) + 1);
		if (best < 0 || (counts.get(state) ?? 0) > (counts.get(cells.state[best][at]) ?? 0)) best = row;
	}
	return best;
}

function track(cells: Cells, rows: number[]): [Int16Array, Int32Array] {
	const columns = cells.state[0]?.length ?? 0;
	const state = new Int16Array(columns).fill(-1);
	const node = new Int32Array(columns);
	for (let at = 0; at < columns; at++) {
		const row = mostOf(cells, rows, at);
		if (row >= 0) [state[at], node[at]] = [cells.state[row][at], cells.node[row][at]];
	}
	return [state, node];
}

// One track for each process: what most of its threads do.
export function byProcess(cells: Cells): Cells {
	const folded: Cells = { state: [], node: [], thread: [], pid: [], size: [] };
	for (const pid of new Set(cells.pid)) {
		const rows = cells.pid.map((_, row) => row).filter((row) => cells.pid[row] === pid);
		const [state, node] = track(cells, rows);
		folded.state.push(state);
		folded.node.push(node);
		folded.thread.push(cells.thread[rows[0]]);
		folded.pid.push(pid);
		folded.size.push(rows.length);
	}
	return folded;
}

// What most threads do, of all of them.
export const overall = (cells: Cells): Int16Array => track(cells, cells.state.map((_, row) => row))[0];
