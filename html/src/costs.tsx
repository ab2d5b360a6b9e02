// SPDX-License-Identifier: BSD-3-Clause
// Several metrics side by side, by function or by path; and the time of all threads by state.

import { format, percent } from './format';
import type { Model } from './model';
import { LabelName } from './name';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

export interface Shown {
	metric: string;
	title: string;
}

interface Row {
	key: number; // a label or a node
	node: number; // the one with most of it
	values: number[];
	total: number; // of the first metric, with what is below
}

export function matches(model: Model, node: number, search: string): boolean {
	return model.text(node).toLowerCase().includes(search.toLowerCase());
}

function rowsOf(model: Model, chosen: Selection, shown: Shown[]): Row[] {
	const costs = shown.map(({ metric }) => model.of(metric, chosen.thread));
	const rows = new Map<number, Row>();
	const totals = new Map(model.rows(shown[0].metric, chosen.thread).map((row) => [row.label, row.total]));
	for (let node = 0; node < model.data.parent.length; node++) {
		if (costs.every(({ self }) => self[node] === 0) || !matches(model, node, chosen.search)) continue;
		const key = chosen.by === 'path' ? node : model.data.label[node];
		const row = rows.get(key) ?? { key, node, values: costs.map(() => 0), total: 0 };
		if (costs[0].self[node] > costs[0].self[row.node]) row.node = node;
		costs.forEach(({ self }, i) => (row.values[i] += self[node]));
		row.total = chosen.by === 'path' ? costs[0].total[node] : (totals.get(key) ?? 0);
		rows.set(key, row);
	}
	return [...rows.values()];
}

// The end of a path: its node and what called it.
export function PathName({ model, node, search }: { model: Model; node: number; search: string }) {
	const above = model.path(node).slice(1, -1).slice(-2).reverse();
	return (
		<>
			<LabelName model={model} label={model.data.label[node]} search={search} />
			{above.length > 0 && <small> in {above.map((caller) => model.text(caller)).join(', ')}</small>}
		</>
	);
}

export function ByButtons({ chosen, ways }: { chosen: Selection; ways: [string, string][] }) {
	return (
		<>
			{ways.map(([by, title]) => (
				<button type="button" aria-pressed={chosen.by === by} onClick={() => select({ by })}>
					{title}
				</button>
			))}
		</>
	);
}

// From a row to the same place in another view, by that metric.
export function Links({ metric }: { metric: string }) {
	return (
		<>
			<button type="button" onClick={() => select({ view: 'tree', metric, by: '' })}>
				selected in the call tree
			</button>
			<button type="button" onClick={() => select({ view: 'source', metric, by: '' })}>
				selected in the source
			</button>
		</>
	);
}

export interface CostsProps {
	model: Model;
	chosen: Selection;
	label: string;
	shown: Shown[];
}

export function Costs({ model, chosen, label, shown }: CostsProps) {
	const unitOf = (name: string) => model.data.metrics.find((metric) => metric.name === name)?.unit ?? '';
	const { whole } = model.of(shown[0].metric, chosen.thread);
	const byPath = chosen.by === 'path';
	const columns: Column<Row>[] = [
		{ title: 'self %', number: true, sort: (row) => row.values[0], cell: (row) => percent(row.values[0], whole) },
		{ title: 'total %', number: true, minor: true, sort: (row) => row.total, cell: (row) => percent(row.total, whole) },
		...shown.map(({ metric, title }, i) => ({
			title,
			hint: metric,
			number: true,
			minor: i > 1,
			sort: (row: Row) => row.values[i],
			cell: (row: Row) => (row.values[i] ? format(row.values[i], unitOf(metric)) : ''),
		})),
		{
			title: byPath ? 'path ends in' : 'name',
			sort: (row) => model.text(row.node),
			cell: (row) =>
				byPath ? (
					<PathName model={model} node={row.node} search={chosen.search} />
				) : (
					<LabelName model={model} label={row.key} search={chosen.search} />
				),
		},
	];
	return (
		<>
			<div class="tools">
				<ByButtons chosen={chosen} ways={[['', 'by function'], ['path', 'by path']]} />
				<Links metric={shown[0].metric} />
			</div>
			<Table
				label={`${label} by ${byPath ? 'path' : 'function'}`}
				columns={columns}
				rows={rowsOf(model, chosen, shown)}
				keyOf={(row) => row.key}
				selected={byPath || chosen.node === 0 ? chosen.node : model.data.label[chosen.node]}
				onSelect={(row) => select({ node: row.node })}
			/>
		</>
	);
}

// A note where the thread or the phase can't be chosen.
export function Whole({ chosen, thread, phase }: { chosen: Selection; thread?: boolean; phase?: boolean }) {
	const what = [thread && chosen.thread >= 0 ? 'all threads' : '', phase && chosen.phase >= 0 ? 'the whole run' : ''];
	const words = what.filter((text) => text !== '').join(' and ');
	return words === '' ? null : <p class="note">These numbers are of {words}.</p>;
}

// ns by state, of all threads or one; in a phase: of the nodes below it.
export function statesOf(model: Model, thread: number, metric: 'cpu-time' | 'wall-time'): number[] {
	const sums = model.data.states.map(() => 0);
	if (model.phase < 0) {
		const threads = thread < 0 ? model.data.threads : [model.data.threads[thread]];
		for (const one of threads) one[metric].forEach((value, state) => (sums[state] += value));
		return sums;
	}
	const { self } = model.of(metric, thread);
	self.forEach((value, node) => (sums[model.data.state[node]] += value));
	return sums;
}

const WORK = ['work', 'partial path', 'heddle', 'overhead', 'communication'];

export function Split({ model, chosen, title }: { model: Model; chosen: Selection; title: string }) {
	const metric = model.data.metrics.some(({ name }) => name === 'wall-time') ? 'wall-time' : 'cpu-time';
	const sums = statesOf(model, chosen.thread, metric);
	const whole = sums.reduce((all, value) => all + value, 0);
	const states = model.data.states.map((name, state) => ({ name, state, value: sums[state] })).filter(({ value }) => value > 0);
	states.sort((a, b) => Number(WORK.includes(b.name)) - Number(WORK.includes(a.name)) || b.value - a.value);
	if (whole === 0) return null;
	return (
		<div class="split">
			<div class="bar" aria-hidden="true">
				{states.map(({ state, value }) => (
					<span class={`state-${state}`} style={{ width: `${(100 * value) / whole}%` }} />
				))}
			</div>
			<p class="legend">
				{title}:{' '}
				{states.map(({ name, state, value }) => (
					<span>
						<i class={`state-${state}`} /> {name} {format(value, 'ns')} ({percent(value, whole)} %){' '}
					</span>
				))}
			</p>
		</div>
	);
}

