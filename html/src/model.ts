// SPDX-License-Identifier: BSD-3-Clause
// Values that views show, computed from the data: a metric by node, by label, by line; trees. Results are cached.

import { type Data, eachValue, KIND } from './data';

export interface Costs {
	self: Float64Array; // by node
	total: Float64Array; // with all nodes below
	whole: number;
}

export interface Row {
	label: number;
	self: number;
	total: number;
	visits: number;
	node: number; // with the largest part
}

export interface Line {
	file: number;
	line: number;
	self: number;
	total: number; // with callees
	cost: number; // of a line of the user: with the system code that it calls; else self
}

export interface SourceFile {
	file: number;
	own: boolean; // the user's
	cost: number; // of a file of the user: with the system code that it calls
}

const LINES = 1 << 24; // more than a file has

function memoized<T>(make: (key: string) => T): (key: string) => T {
	const kept = new Map<string, T>();
	return (key) => {
		let value = kept.get(key);
		if (value === undefined) kept.set(key, (value = make(key)));
		return value;
	};
}

export class Model {
	readonly children: number[][];
	readonly depth: Int32Array;
	readonly costs: (key: string) => Costs;

	private readonly inside: Uint8Array; // nodes in the phase
	private sharedLabels?: Set<string>;

	// `phase` is a label: the model has only what ran below its nodes; -1: everything.
	constructor(readonly data: Data, readonly phase = -1) {
		const count = data.parent.length;
		this.inside = new Uint8Array(count);
		this.children = Array.from({ length: count }, () => []);
		this.depth = new Int32Array(count);
		for (let i = 1; i < count; i++) {
			this.inside[i] = data.label[i] === phase ? 1 : this.inside[data.parent[i]];
			this.children[data.parent[i]].push(i);
			this.depth[i] = this.depth[data.parent[i]] + 1;
		}
		this.costs = memoized((key) => this.makeCosts(key));
	}

	// `thread` -1: all threads.
	of(metric: string, thread: number): Costs {
		return this.costs(`${thread}/${metric}`);
	}

	// True if the node ran in the chosen phase.
	has(node: number): boolean {
		return this.phase < 0 || this.inside[node] === 1;
	}

	private valuesOf(thread: number) {
		return thread < 0 ? this.data.sums : this.data.byThread[thread];
	}

	// Calls `add` with the values of nodes, perhaps several times for a node; needs no array of all nodes, unlike
	// `of`.
	each(metric: string, thread: number, add: (node: number, value: number) => void): void {
		eachValue(this.valuesOf(thread), metric, (site, value) => {
			const node = this.data.siteNode[site];
			if (this.has(node)) add(node, value);
		});
	}

	sum(metric: string, thread: number): number {
		let sum = 0;
		this.each(metric, thread, (_, value) => (sum += value));
		return sum;
	}

	private makeCosts(key: string): Costs {
		const slash = key.indexOf('/');
		const thread = Number(key.slice(0, slash));
		const metric = key.slice(slash + 1);
		const self = new Float64Array(this.data.parent.length);
		this.each(metric, thread, (node, value) => (self[node] += value));
		const total = Float64Array.from(self);
		for (let i = total.length - 1; i > 0; i--) total[this.data.parent[i]] += total[i];
		return { self, total, whole: total[0] };
	}

	// Returns the head of a column: the metric's meaning, and its unit if cells do not show it.
	head(metric: string): { title: string; hint?: string; unit?: string } {
		const { meaning, unit } = this.data.metrics.find(({ name }) => name === metric) ?? {};
		return { title: metric, hint: meaning, unit: unit === 'count' ? unit : undefined };
	}

	text(node: number): string {
		return this.data.labels.text[this.data.label[node]];
	}

	// Returns the labels that threads of several processes have.
	private shared(): Set<string> {
		if (this.sharedLabels) return this.sharedLabels;
		const pids = new Map<string, number>();
		this.sharedLabels = new Set();
		for (const { pid, label } of this.data.threads)
			if ((pids.get(label) ?? pid) !== pid) this.sharedLabels.add(label);
			else pids.set(label, pid);
		return this.sharedLabels;
	}

	// Returns a thread's name, with its process if another process has a thread of that name.
	threadName(index: number): string {
		const { threads } = this.data;
		if (!threads[index]) return 'thread';
		const { pid, label } = threads[index];
		return this.shared().has(label) ? `${pid} ${label}` : label;
	}

	kind(node: number): number {
		return this.data.labels.kind[this.data.label[node]];
	}

	// True if the node's own time is waiting or idle time.
	waits(node: number): boolean {
		const state = this.data.states[this.data.state[node]];
		return state.endsWith('wait') || state === 'idle' || state === 'communication' || state === 'hand-off';
	}

	path(node: number): number[] {
		const nodes = [];
		for (let i = node; i > 0; i = this.data.parent[i]) nodes.unshift(i);
		return [0, ...nodes];
	}

	// Returns functions and regions; recursion counts once.
	rows(metric: string, thread: number): Row[] {
		const { self, total } = this.of(metric, thread);
		const visits = this.of('visits', thread).self;
		const rows = new Map<number, Row>();
		const most = new Map<number, number>();
		const open = new Set<number>();
		const walk: number[] = [0];
		while (walk.length > 0) {
			const next = walk.pop() as number;
			if (next < 0) {
				open.delete(this.data.label[~next]);
				continue;
			}
			const label = this.data.label[next];
			const row = rows.get(label) ?? { label, self: 0, total: 0, visits: 0, node: next };
			row.self += self[next];
			row.visits += visits[next];
			if (!open.has(label)) {
				row.total += total[next];
				open.add(label);
				walk.push(~next);
			}
			if (self[next] > (most.get(label) ?? -1)) {
				most.set(label, self[next]);
				row.node = next;
			}
			rows.set(label, row);
			walk.push(...this.children[next]);
		}
		return [...rows.values()].filter((row) => row.total > 0 || row.visits > 0);
	}

	// Returns paths that have an exclusive value, or visits.
	paths(metric: string, thread: number): Row[] {
		const { self, total } = this.of(metric, thread);
		const visits = this.of('visits', thread).self;
		return Array.from(this.data.label, (label, node) => ({ label, node, self: self[node], total: total[node], visits: visits[node] }))
			.filter((row) => row.self > 0 || row.visits > 0);
	}

	// Returns the node with most of the cost of a line and its callees; 0: none.
	nodeAt(metric: string, thread: number, file: number, line: number): number {
		const { siteNode, siteFile, siteLine } = this.data;
		const sums = new Map<number, number>();
		this.eachSite(metric, thread, (site, value) => {
			const at = this.outward(site, (one) => siteLine[one] === line && siteFile[one] === file);
			if (at > 0) sums.set(siteNode[at], (sums.get(siteNode[at]) ?? 0) + value);
		});
		return [...sums].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
	}

	// Calls `add` with values by source line, perhaps several times for a site.
	eachSite(metric: string, thread: number, add: (site: number, value: number) => void): void {
		eachValue(this.valuesOf(thread), metric, (site, value) => {
			if (this.has(this.data.siteNode[site])) add(site, value);
		});
	}

	// Returns the nearest of the site and its callers for which `is` is true; 0: none.
	private outward(site: number, is: (site: number) => boolean): number {
		while (site > 0 && !is(site)) site = this.data.siteParent[site];
		return site;
	}

	// Returns the nearest of the site and its callers that is in a function of the user; 0: none.
	private ownSite(site: number): number {
		const { label, labels, siteNode, siteLine } = this.data;
		return this.outward(site, (one) => {
			const own = label[siteNode[one]];
			return siteLine[one] > 0 && labels.kind[own] === KIND.FRAME && !labels.system[own];
		});
	}

	// Returns lines with a value: exclusive, and inclusive, where recursion counts once.
	lines(metric: string, thread: number): Line[] {
		const { siteFile, siteLine, siteParent } = this.data;
		const lines = new Map<number, Line>();
		const seen = new Map<Line, number>();
		let count = 0;
		const lineOf = (site: number) => {
			const key = siteFile[site] * LINES + siteLine[site];
			let line = lines.get(key);
			if (!line) lines.set(key, (line = { file: siteFile[site], line: siteLine[site], self: 0, total: 0, cost: 0 }));
			return line;
		};
		this.eachSite(metric, thread, (site, value) => {
			count++;
			for (let at = site; at > 0; at = siteParent[at]) {
				if (!siteLine[at]) continue;
				const line = lineOf(at);
				if (at === site) line.self += value;
				if (seen.get(line) !== count) line.total += value;
				seen.set(line, count);
			}
			const own = this.ownSite(site);
			if (own > 0) lineOf(own).cost += value;
			if (own !== site && siteLine[site] > 0 && (own === 0 || lineOf(own) !== lineOf(site))) lineOf(site).cost += value;
		});
		return [...lines.values()];
	}

	// Returns files with a cost, the most expensive one first.
	files(metric: string, thread: number): SourceFile[] {
		const { siteFile, siteLine } = this.data;
		const users = new Map<number, number>();
		const files = new Map<number, number>();
		const add = (sums: Map<number, number>, file: number, value: number) => sums.set(file, (sums.get(file) ?? 0) + value);
		this.eachSite(metric, thread, (site, value) => {
			const own = this.ownSite(site);
			if (own > 0) add(users, siteFile[own], value);
			if (siteLine[site]) add(files, siteFile[site], value);
		});
		const all = [...new Set([...users.keys(), ...files.keys()])];
		return all
			.map((file) => ({ file, own: users.has(file), cost: users.get(file) ?? files.get(file) ?? 0 }))
			.sort((a, b) => b.cost - a.cost);
	}
}
