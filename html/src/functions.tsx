// SPDX-License-Identifier: BSD-3-Clause
// Functions and regions by their own cost, wherever they were called from.

import { format, percent } from './format';
import type { Model, Row } from './model';
import { LabelName } from './name';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

export interface FunctionsProps {
	model: Model;
	chosen: Selection;
	unit: string;
	only?: (label: number) => boolean;
	label: string;
	more?: Column<Row>[];
}

export function Functions({ model, chosen, unit, only, label, more = [] }: FunctionsProps) {
	const { whole } = model.of(chosen.metric, chosen.thread);
	const wanted = chosen.search.toLowerCase();
	const rows = model
		.rows(chosen.metric, chosen.thread)
		.filter((row) => (only ? only(row.label) : true))
		.filter((row) => wanted === '' || model.data.labels.text[row.label].toLowerCase().includes(wanted));
	const columns: Column<Row>[] = [
		{ title: 'self %', number: true, sort: (row) => row.self, cell: (row) => percent(row.self, whole) },
		{ title: 'total %', number: true, minor: true, sort: (row) => row.total, cell: (row) => percent(row.total, whole) },
		{ title: chosen.metric, number: true, sort: (row) => row.self, cell: (row) => format(row.self, unit) },
		{ title: 'visits', number: true, minor: true, sort: (row) => row.visits, cell: (row) => (row.visits ? format(row.visits, '') : '') },
		...more,
		{
			title: 'name',
			sort: (row) => model.data.labels.text[row.label],
			cell: (row) => <LabelName model={model} label={row.label} search={chosen.search} />,
		},
	];
	return (
		<Table
			label={`${label} by ${chosen.metric}`}
			columns={columns}
			rows={rows}
			keyOf={(row) => row.label}
			selected={chosen.node > 0 ? model.data.label[chosen.node] : -1}
			onSelect={(row) => select({ node: row.node })}
		/>
	);
}
