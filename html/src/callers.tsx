// SPDX-License-Identifier: BSD-3-Clause
// One function: its callers (the call tree inverted) and its callees, over all paths to it.

import { useMemo } from 'preact/hooks';
import { KIND } from './data';
import { format, share } from './format';
import type { Model } from './model';
import { LabelName } from './name';
import { select, type Selection, useFolds, useKeptNumbers } from './selection';
import { Table } from './table';

const OPEN_FROM = 0.1; // share of the function: larger branches are open initially

interface Branch {
	key: number;
	label: number;
	node: number; // a node of the call tree with that label
	level: number;
	value: number;
	below: Map<number, Branch>; // by label
}

// Returns the outermost calls of the function: inner calls of a recursion are part of them.
export function callsOf(model: Model, label: number, total: Float64Array): number[] {
	const within = new Uint8Array(total.length);
	const calls: number[] = [];
	for (let node = 0; node < total.length; node++) {
		const is = model.data.label[node] === label;
		const above = node > 0 ? within[model.data.parent[node]] : 0;
		within[node] = is || above ? 1 : 0;
		if (is && !above && total[node] > 0) calls.push(node);
	}
	return calls;
}

class Grower {
	private keys = 0;
	constructor(private readonly model: Model, private readonly total: Float64Array) {}

	root(label: number, calls: number[]): Branch {
		const value = calls.reduce((sum, node) => sum + this.total[node], 0);
		return { key: this.keys++, label, node: calls[0] ?? 0, level: 0, value, below: new Map() };
	}

	private grow(from: Branch, node: number, value: number): Branch {
		const label = this.model.data.label[node];
		const branch = from.below.get(label) ?? { key: this.keys++, label, node, level: from.level + 1, value: 0, below: new Map() };
		from.below.set(label, branch);
		branch.value += value;
		return branch;
	}

	// Makes the tree of callers, each with the cost of the function's calls that came through it.
	callers(label: number, calls: number[]): Branch {
		const root = this.root(label, calls);
		for (const call of calls) {
			let at = root;
			for (let node = call; node > 0; ) {
				node = this.model.data.parent[node];
				at = this.grow(at, node, this.total[call]);
			}
		}
		return root;
	}

	callees(label: number, calls: number[]): Branch {
		const root = this.root(label, calls);
		const walk: [number, Branch][] = calls.map((call) => [call, root]);
		for (let next = walk.pop(); next; next = walk.pop()) {
			const [node, branch] = next;
			for (const child of this.model.children[node])
				if (this.total[child] > 0) walk.push([child, this.grow(branch, child, this.total[child])]);
		}
		return root;
	}
}

function rowsOf(root: Branch, isOpen: (branch: Branch) => boolean): Branch[] {
	const rows: Branch[] = [];
	const walk = [root];
	for (let branch = walk.pop(); branch; branch = walk.pop()) {
		rows.push(branch);
		if (isOpen(branch)) walk.push(...[...branch.below.values()].sort((a, b) => a.value - b.value));
	}
	return rows;
}

// Returns the user's function with most time, including states and system code below it; -1: none.
function ownFunction(model: Model, self: Float64Array): number {
	const { label, labels, parent } = model.data;
	const sums = new Map<number, number>();
	self.forEach((value, node) => {
		let at = node;
		while (at > 0 && (labels.system[label[at]] || labels.kind[label[at]] === KIND.STATE)) at = parent[at];
		if (at > 0) sums.set(label[at], (sums.get(label[at]) ?? 0) + value);
	});
	return [...sums].reduce((most, one) => (one[1] > most[1] ? one : most), [-1, 0])[0];
}

type BranchesProps = { model: Model; chosen: Selection; unit: string; root: Branch; title: string };

function Branches({ model, chosen, unit, root, title }: BranchesProps) {
	const [decided, decide] = useFolds(`${title} folds`, `${root.label}/${chosen.metric}/${chosen.thread}`);
	const [[function_, key] = [-1, -1], setAt] = useKeptNumbers(`${title} row`, 2);
	const at = function_ === root.label ? key : root.key;
	const { whole } = model.of(chosen.metric, chosen.thread);
	const isOpen = ({ key, value }: Branch) => decided.get(key) ?? value >= OPEN_FROM * root.value;
	const toggle = (branch: Branch) => decide(new Map(decided).set(branch.key, !isOpen(branch)));
	const onKey = (event: KeyboardEvent, branch: Branch | undefined) => {
		if (!branch) return false;
		if (event.key === 'Enter' && branch.node > 0) select({ node: branch.node });
		else if (branch.below.size > 0 && event.key === (isOpen(branch) ? 'ArrowLeft' : 'ArrowRight')) toggle(branch);
		else return false;
		return true;
	};
	return (
		<>
			<h2>{title}</h2>
			<Table
				name={title.toLowerCase()}
				label={`${title} of ${model.data.labels.text[root.label]} by ${chosen.metric}; Enter shows the callers of a row`}
				columns={[
					{ title: '%', number: true, hint: 'of the whole', cell: ({ value }) => share(value, whole) },
					{ title: '% of it', number: true, minor: true, hint: 'of the function', cell: ({ value }) => share(value, root.value) },
					{ ...model.head(chosen.metric), number: true, cell: ({ value }) => format(value, unit) },
					{
						title: title.toLowerCase(),
						cell: (branch) => (
							<span style={{ paddingLeft: `min(${branch.level}em, 25vw)` }}>
								{branch.below.size > 0 ? (
									<button class="fold" tabIndex={-1} aria-label={isOpen(branch) ? 'close' : 'open'} onClick={() => toggle(branch)}>
										{isOpen(branch) ? '\u25be' : '\u25b8'}
									</button>
								) : (
									<span class="fold" />
								)}
								<LabelName model={model} label={branch.label} search={chosen.search} />
							</span>
						),
					},
				]}
				rows={rowsOf(root, isOpen)}
				sorted
				order={2}
				keyOf={({ key }) => key}
				selected={at}
				onSelect={(branch) => setAt(root.label, branch.key)}
				onKey={onKey}
				levelOf={(branch) => ({ level: branch.level + 1, open: branch.below.size > 0 ? isOpen(branch) : undefined })}
				height={340}
			/>
		</>
	);
}

export function Callers({ model, chosen, unit }: { model: Model; chosen: Selection; unit: string }) {
	const { metric, thread, node } = chosen;
	const { total } = model.of(metric, thread);
	const rows = useMemo(() => model.rows(metric, thread).filter((row) => row.node > 0).sort((a, b) => b.self - a.self), [model, metric, thread]);
	const first = useMemo(() => ownFunction(model, model.of(metric, thread).self), [model, metric, thread]);
	const label = node > 0 ? model.data.label[node] : first >= 0 ? first : (rows[0]?.label ?? model.data.label[0]);
	const made = useMemo(() => {
		const calls = callsOf(model, label, total);
		return { callers: new Grower(model, total).callers(label, calls), callees: new Grower(model, total).callees(label, calls) };
	}, [model, label, total]);
	return (
		<section class="callers">
			<label class="tools">
				function{' '}
				<select value={label} onChange={(event) => select({ node: rows.find((row) => row.label === Number(event.currentTarget.value))?.node ?? 0 })}>
					{!rows.slice(0, 100).some((row) => row.label === label) && <option value={label}>{model.data.labels.text[label]}</option>}
					{rows.slice(0, 100).map((row) => (
						<option value={row.label}>{model.data.labels.text[row.label]}</option>
					))}
				</select>
			</label>
			<Branches {...{ model, chosen, unit }} root={made.callers} title="Callers" />
			<Branches {...{ model, chosen, unit }} root={made.callees} title="Callees" />
		</section>
	);
}
