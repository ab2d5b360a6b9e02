// SPDX-License-Identifier: BSD-3-Clause
// Functions and regions by their exclusive cost, over all callers; or the paths that end in them.

import { amount, share } from './format';
import type { Model, Row } from './model';
import { LabelName } from './name';
import { passes } from './search';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

export interface FunctionsProps {
	model: Model;
	chosen: Selection;
	unit: string;
	only?: (row: Row) => boolean;
	label: string;
	more?: Column<Row>[]; // instead of the column visits
	title?: string; // of the metric, if its name is long
	owner?: (node: number) => number; // node to which the cost of a node belongs, by function; undefined: itself
}

export const keyOf = (chosen: Selection) => (row: { label: number; node: number }) =>
	chosen.by === 'path' ? row.node : row.label;
export const selectedKey = (model: Model, { by, node }: Selection) => {
	if (by === 'path') return node > 0 ? node : -1;
	return node > 0 ? model.data.label[node] : -1;
};

// A column with a function's or region's name; by path, also its callers.
export function nameColumn(model: Model, chosen: Selection): Column<{ label: number; node: number }> {
	const callers = (node: number) => model.path(node).slice(1, -1).slice(-2).reverse().map((at) => model.text(at));
	return {
		title: chosen.by === 'path' ? 'path ends in' : 'name',
		sort: (row) => model.data.labels.text[row.label],
		cell: (row) => (
			<>
				<LabelName model={model} label={row.label} search={chosen.search} />
				{chosen.by === 'path' && callers(row.node).length > 0 && <small> in {callers(row.node).join(', ')}</small>}
			</>
		),
	};
}

// Buttons that choose what the rows of a view are.
export function Ways({ chosen, ways }: { chosen: Selection; ways: [string, string][] }) {
	return (
		<>
			{ways.map(([by, title]) => (
				<button aria-pressed={chosen.by === by} onClick={() => select({ by })}>
					{title}
				</button>
			))}
		</>
	);
}

// Makes rows by function, with the costs that belong to it by `owner`.
function rowsOfOwners(model: Model, { metric, thread }: Selection, owner: (node: number) => number): Row[] {
	const { label } = model.data;
	const rows = new Map(model.rows(metric, thread).map((row) => [row.label, { ...row, self: 0 }]));
	const most = new Map<number, number>();
	model.of('visits', thread).self.forEach((visits, from) => {
		const self = model.of(metric, thread).self[from];
		if (visits + self === 0) return;
		const node = owner(from);
		const row = rows.get(label[node]) ?? { label: label[node], node, self: 0, total: 0, visits: 0 };
		row.self += self;
		if (self > (most.get(row.label) ?? -1)) {
			most.set(row.label, self);
			row.node = node;
		}
		rows.set(row.label, row);
	});
	return [...rows.values()];
}

export function Functions({ model, chosen, unit, only, label, more, title, owner }: FunctionsProps) {
	const { whole } = model.of(chosen.metric, chosen.thread);
	const byFunction = () => (owner ? rowsOfOwners(model, chosen, owner) : model.rows(chosen.metric, chosen.thread));
	const made = chosen.by === 'path' ? model.paths(chosen.metric, chosen.thread) : byFunction();
	const rows = made
		.filter((row) => (only ? only(row) : true))
		.filter((row) => passes(model.data.labels.text[row.label], chosen.search));
	const counted = (row: Row) => amount(row.visits, '');
	const visits = { title: 'visits', number: true, minor: true, sort: (row: Row) => row.visits, cell: counted };
	const of = title ? [`${title} %`, 'total %'] : ['self %', 'total %'];
	const columns: Column<Row>[] = [
		{ title: of[0], number: true, sort: (row) => row.self, cell: (row) => share(row.self, whole) },
		{ title: of[1], number: true, minor: true, sort: (row) => row.total, cell: (row) => share(row.total, whole) },
		{ ...model.head(chosen.metric), ...(title ? { title, unit: undefined } : {}), number: true, sort: (row) => row.self, cell: (row) => amount(row.self, unit) },
		...(more ?? [visits]),
		nameColumn(model, chosen),
	];
	return (
		<>
			<div class="tools">
				<Ways chosen={chosen} ways={[['', 'by function'], ['path', 'by path']]} />
				{Object.entries({ tree: 'show in call tree', callers: 'show callers', source: 'show source' }).map(([view, title]) => (
					<button title="of the selected row" disabled={chosen.node === 0} onClick={() => select({ view, metric: chosen.metric, by: '' })}>
						{title}
					</button>
				))}
			</div>
			<Table
				label={`${label} by ${chosen.metric}`}
				columns={columns}
				rows={rows}
				keyOf={keyOf(chosen)}
				selected={selectedKey(model, chosen)}
				onSelect={(row) => select({ node: row.node })}
			/>
		</>
	);
}

// Metrics and their titles, side by side, the one that orders the rows first; without functions that have none.
export function Metrics({ model, chosen, label, shown, owner }: Pick<FunctionsProps, 'model' | 'chosen' | 'label' | 'owner'> & { shown: [string, string][] }) {
	const unitOf = (name: string) => model.data.metrics.find((metric) => metric.name === name)?.unit ?? '';
	const key = keyOf(chosen);
	const columns = shown.slice(1).map(([metric, title], i) => {
		const sums = new Map<number, number>();
		model.of(metric, chosen.thread).self.forEach((value, node) => {
			const at = key({ label: model.data.label[owner ? owner(node) : node], node });
			if (value > 0) sums.set(at, (sums.get(at) ?? 0) + value);
		});
		const sort = (row: Row) => sums.get(key(row)) ?? 0;
		return { title, hint: metric, number: true, minor: i > 0, sort, cell: (row: Row) => amount(sort(row), unitOf(metric)) };
	});
	const [[metric, title]] = shown;
	const only = (row: Row) => row.self > 0 || columns.some(({ sort }) => sort(row) > 0);
	return <Functions {...{ model, label, only, title, owner }} chosen={{ ...chosen, metric }} unit={unitOf(metric)} more={columns} />;
}

// A note in views where the thread or the phase can't be chosen.
export function Whole({ chosen, thread, phase }: { chosen: Selection; thread?: boolean; phase?: boolean }) {
	const what = [thread && chosen.thread >= 0 ? 'all threads' : '', phase && chosen.phase >= 0 ? 'the whole run' : ''];
	const words = what.filter((text) => text !== '').join(' and ');
	return words === '' ? null : <p class="note">These numbers are of {words}.</p>;
}
