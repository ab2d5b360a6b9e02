// SPDX-License-Identifier: BSD-3-Clause
// What views show, computed from the data: values of a metric by node, by label, by line; trees. Results are kept.

import { type Data, eachValue, KIND } from './data';

export interface Costs {
	self: Float64Array; // by node
	total: Float64Array; // with all below
	whole: number;
}

export interface Row {
	label: number;
	self: number;
	total: number;
	visits: number;
	node: number; // the one with most of it
}

export interface Line {
	file: number;
	line: number;
	self: number;
	total: number; // with what it calls
	cost: number; // of a line of the user with the system's code that it calls; else self
}

export interface SourceFile {
	file: number;
	own: boolean; // of the user
	cost: number; // of the user's files with the system's code that they call
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

	private readonly inside: Uint8Array; // nodes of the phase and below
	private sharedLabels?: Set<string>;

	// Of what ran below nodes of that label; -1: of everything.
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

	// `thread` -1: all of them.
	of(metric: string, thread: number): Costs {
		return this.costs(`${thread}/${metric}`);
	}

	// Whether the node ran in the chosen phase.
	has(node: number): boolean {
		return this.phase < 0 || this.inside[node] === 1;
	}

	private valuesOf(thread: number) {
		return thread < 0 ? this.data.sums : this.data.byThread[thread];
	}

	// The values of nodes, several times for the same one perhaps; without an array of all nodes, as `of` has.
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

	// For the head of a column: what the metric means; its unit, if cells do not say it.
	head(metric: string): { title: string; hint?: string; unit?: string } {
		const { meaning, unit } = this.data.metrics.find(({ name }) => name === metric) ?? {};
		return { title: metric, hint: meaning, unit: unit === 'count' ? unit : undefined };
	}

	text(node: number): string {
		return this.data.labels.text[this.data.label[node]];
	}

	// Labels that threads of several processes have.
	private shared(): Set<string> {
		if (this.sharedLabels) return this.sharedLabels;
		const pids = new Map<string, number>();
		this.sharedLabels = new Set();
		for (const { pid, label } of this.data.threads)
			if ((pids.get(label) ?? pid) !== pid) this.sharedLabels.add(label);
			else pids.set(label, pid);
		return this.sharedLabels;
	}

	// With its process where another process has one of that name, too.
	threadName(index: number): string {
		const { threads } = this.data;
		if (!threads[index]) return 'thread';
		const { pid, label } = threads[index];
		return this.shared().has(label) ? `${pid} ${label}` : label;
	}

	kind(node: number): number {
		return this.data.labels.kind[this.data.label[node]];
	}

	// Whether the node's own time is waiting, or nothing to do.
	waits(node: number): boolean {
		const state = this.data.states[this.data.state[node]];
		return state.endsWith('wait') || state === 'idle' || state === 'communication' || state === 'hand-off';
	}

	path(node: number): number[] {
		const nodes = [];
		for (let i = node; i > 0; i = this.data.parent[i]) nodes.unshift(i);
		return [0, ...nodes];
	}

	// Functions and regions; recursion counts once.
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

	// Paths that have a value of their own, or visits.
	paths(metric: string, thread: number): Row[] {
		const { self, total } = this.of(metric, thread);
		const visits = this.of('visits', thread).self;
		return Array.from(this.data.label, (label, node) => ({ label, node, self: self[node], total: total[node], visits: visits[node] }))
			.filter((row) => row.self > 0 || row.visits > 0);
	}

	// The node with most of the cost of a line and of what it calls; 0: none.
	nodeAt(metric: string, thread: number, file: number, line: number): number {
		const { siteNode, siteFile, siteLine } = this.data;
		const sums = new Map<number, number>();
		this.eachSite(metric, thread, (site, value) => {
			const at = this.outward(site, (one) => siteLine[one] === line && siteFile[one] === file);
			if (at > 0) sums.set(siteNode[at], (sums.get(siteNode[at]) ?? 0) + value);
		});
		return [...sums].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
	}

	// Values by line of the source, several times for the same site perhaps.
	eachSite(metric: string, thread: number, add: (site: number, value: number) => void): void {
		eachValue(this.valuesOf(thread), metric, (site, value) => {
			if (this.has(this.data.siteNode[site])) add(site, value);
		});
	}

	// The site itself, or the nearest one that called it, of which something is true; 0: none.
	private outward(site: number, is: (site: number) => boolean): number {
		while (site > 0 && !is(site)) site = this.data.siteParent[site];
		return site;
	}

	// A site or the nearest one that called it, of a function of the user; 0: none.
	private ownSite(site: number): number {
		const { label, labels, siteNode, siteLine } = this.data;
		return this.outward(site, (one) => {
			const own = label[siteNode[one]];
			return siteLine[one] > 0 && labels.kind[own] === KIND.FRAME && !labels.system[own];
		});
	}

	// Lines with a value: of their own, and with what they call, where recursion counts once.
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

	// Files with a cost, the most expensive one first.
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
