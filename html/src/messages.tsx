// SPDX-License-Identifier: BSD-3-Clause
// Sizes of accesses to shared memory, or of messages: how many had each size, by region or by path.

import { format, percent } from './format';
import { keyOf, nameColumn, selectedKey, Ways, Whole } from './functions';
import type { Model } from './model';
import { passes } from './search';
import { select, type Selection } from './selection';
import { Table } from './table';

interface Row {
	label: number;
	node: number;
	count: number;
	least: number;
	most: number;
	sum: number;
	buckets: number[]; // 0: nothing; n: from 2^(n-1) to below 2^n bytes
}

function rowsOf(model: Model, search: string, key: (row: { label: number; node: number }) => number): Row[] {
	const rows = new Map<number, Row>();
	for (const [node, count, least, most, sum, first, ...counts] of model.data.more.sizes) {
		const label = model.data.label[node];
		if (!model.has(node) || !passes(model.text(node), search)) continue;
		const at = key({ label, node });
		const row = rows.get(at) ?? { label, node, count: 0, least, most, sum: 0, buckets: [] };
		row.count += count;
		row.sum += sum;
		row.least = Math.min(row.least, least);
		row.most = Math.max(row.most, most);
		counts.forEach((times, i) => (row.buckets[first + i] = (row.buckets[first + i] ?? 0) + times));
		rows.set(at, row);
	}
	return [...rows.values()];
}

function Histogram({ row, name, what }: { row: Row; name: string; what: string }) {
	const buckets = row.buckets.map((count, bucket) => ({ count, from: bucket === 0 ? 0 : 2 ** (bucket - 1) }));
	const highest = row.buckets.reduce((most, count) => Math.max(most, count), 1);
	return (
		<table class="histogram">
			<caption>{what} by size, {name}</caption>
			<thead>
				<tr>
					<th scope="col">from</th>
					<th scope="col">{what}</th>
					<th scope="col">%</th>
					<th scope="col">compared with the most frequent</th>
				</tr>
			</thead>
			{buckets.map(({ count, from }) => (
				<tr>
					<td>{format(from, 'bytes')}</td>
					<td>{count > 0 ? format(count, '') : '\u2013'}</td>
					<td>{count > 0 ? percent(count, row.count) : '\u2013'}</td>
					<td>
						{count > 0 && <i style={{ width: `${(100 * count) / highest}%` }} />}
					</td>
				</tr>
			))}
		</table>
	);
}

export function Messages({ model, chosen }: { model: Model; chosen: Selection }) {
	const key = keyOf(chosen);
	const { exchanges, pairs } = model.data.more;
	const what = pairs.messages || (exchanges && pairs.cells.length === 0) ? 'calls' : 'accesses';
	const rows = rowsOf(model, chosen.search, key);
	const [all] = rowsOf(model, chosen.search, () => 0);
	if (!all) return <p>The selection has no accesses or messages with a size.</p>;
	const picked = rows.find((row) => key(row) === selectedKey(model, chosen));
	const number = (title: string, sort: (row: Row) => number, unit: string, minor = false) =>
		({ title, number: true, minor, sort, cell: (row: Row) => format(sort(row), unit) });
	return (
		<section class="messages">
			<Whole chosen={chosen} thread />
			<div class="tools">
				<Ways chosen={chosen} ways={[['', 'by region'], ['path', 'by path']]} />
			</div>
			<Table
				label={`Sizes of ${what}`}
				columns={[
					number(what, (row) => row.count, ''),
					number('moved', (row) => row.sum, 'bytes'),
					number('min size', (row) => row.least, 'bytes', true),
					number('mean size', (row) => Math.round(row.sum / row.count), 'bytes'),
					number('max size', (row) => row.most, 'bytes', true),
					nameColumn(model, chosen),
				]}
				rows={rows}
				order={1}
				keyOf={key}
				selected={selectedKey(model, chosen)}
				onSelect={(row) => select({ node: row.node })}
				height={420}
			/>
			<Histogram row={picked ?? all} name={picked ? model.text(picked.node) : 'all regions'} what={what} />
		</section>
	);
}
