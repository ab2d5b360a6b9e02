// SPDX-License-Identifier: BSD-3-Clause
// Sizes of accesses to shared memory: how many had which size, by region or by path.

import { ByButtons, Links, matches, PathName, Whole } from './costs';
import { format, percent } from './format';
import type { Model } from './model';
import { LabelName } from './name';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

interface Row {
	key: number; // a label or a node
	node: number;
	count: number;
	least: number;
	most: number;
	sum: number;
	buckets: number[]; // by power of two
}

const add = (to: number[], bucket: number, count: number) => (to[bucket] = (to[bucket] ?? 0) + count);

function rowsOf(model: Model, chosen: Selection, keyOf: (node: number) => number): Row[] {
	const rows = new Map<number, Row>();
	for (const [node, count, least, most, sum, first, ...counts] of model.data.more.sizes) {
		if (!model.has(node) || !matches(model, node, chosen.search)) continue;
		const key = keyOf(node);
		const row = rows.get(key) ?? { key, node, count: 0, least, most, sum: 0, buckets: [] };
		row.count += count;
		row.sum += sum;
		row.least = Math.min(row.least, least);
		row.most = Math.max(row.most, most);
		counts.forEach((times, i) => add(row.buckets, first + i, times));
		rows.set(key, row);
	}
	return [...rows.values()];
}

// Bucket 0: nothing; n: from 2^(n-1) to below 2^n.
const bucketFrom = (bucket: number) => (bucket === 0 ? 0 : 2 ** (bucket - 1));

function Bars({ row, first, last }: { row: Row; first: number; last: number }) {
	const highest = Math.max(1, ...row.buckets.filter((count) => count > 0));
	const bars = [];
	for (let bucket = first; bucket <= last; bucket++) {
		const count = row.buckets[bucket] ?? 0;
		bars.push(<i style={{ height: count ? `${Math.max(12, (100 * count) / highest)}%` : 0 }} />);
	}
	return (
		<span class="sizes" aria-hidden="true">
			{bars}
		</span>
	);
}

function Histogram({ row, name }: { row: Row; name: string }) {
	const buckets = row.buckets.map((count, bucket) => ({ count, bucket })).filter(({ count }) => count > 0);
	const highest = Math.max(...buckets.map(({ count }) => count));
	return (
		<table class="histogram">
			<caption>Accesses by size: {name}</caption>
			<thead>
				<tr>
					<th scope="col">from</th>
					<th scope="col">accesses</th>
					<th scope="col">%</th>
					<th scope="col">share of the most frequent size</th>
				</tr>
			</thead>
			<tbody>
				{buckets.map(({ count, bucket }) => (
					<tr>
						<td>{format(bucketFrom(bucket), 'bytes')}</td>
						<td>{format(count, '')}</td>
						<td>{percent(count, row.count)}</td>
						<td>
							<i style={{ width: `${(100 * count) / highest}%` }} />
						</td>
					</tr>
				))}
			</tbody>
		</table>
	);
}

export function Messages({ model, chosen }: { model: Model; chosen: Selection }) {
	const byPath = chosen.by === 'path';
	const rows = rowsOf(model, chosen, (node) => (byPath ? node : model.data.label[node]));
	const [all] = rowsOf(model, chosen, () => 0);
	if (!all) return <p>No access to shared memory has a size, of what was chosen.</p>;
	const used = all.buckets.map((count, bucket) => (count > 0 ? bucket : -1)).filter((bucket) => bucket >= 0);
	const key = byPath || chosen.node === 0 ? chosen.node : model.data.label[chosen.node];
	const picked = chosen.node > 0 ? rows.find((row) => row.key === key) : undefined;
	const metrics = (node: number, name: string) => model.of(name, -1).self[node];
	const labels = new Map<number, number[]>();
	for (const [node] of model.data.more.sizes) {
		const sums = labels.get(byPath ? node : model.data.label[node]) ?? [0, 0, 0];
		['local-accesses', 'same-node-accesses', 'remote-accesses'].forEach((name, i) => (sums[i] += metrics(node, name)));
		labels.set(byPath ? node : model.data.label[node], sums);
	}
	const remote = (row: Row) => labels.get(row.key)?.[2] ?? 0;
	const known = (row: Row) => labels.get(row.key)?.reduce((sum, count) => sum + count, 0) ?? 0;
	const columns: Column<Row>[] = [
		{ title: 'accesses', number: true, sort: (row) => row.count, cell: (row) => format(row.count, '') },
		{ title: 'moved', number: true, sort: (row) => row.sum, cell: (row) => format(row.sum, 'bytes') },
		{ title: 'remote %', number: true, minor: true, sort: remote, cell: (row) => (known(row) ? percent(remote(row), known(row)) : '?') },
		{ title: 'least', number: true, minor: true, sort: (row) => row.least, cell: (row) => format(row.least, 'bytes') },
		{ title: 'mean', number: true, minor: true, sort: (row) => row.sum / row.count, cell: (row) => format(Math.round(row.sum / row.count), 'bytes') },
		{ title: 'most', number: true, minor: true, sort: (row) => row.most, cell: (row) => format(row.most, 'bytes') },
		{ title: 'sizes', number: true, cell: (row) => <Bars row={row} first={used[0]} last={used[used.length - 1]} /> },
		{
			title: byPath ? 'path ends in' : 'region',
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
		<section class="messages">
			<Whole chosen={chosen} thread />
			<p>
				{format(all.count, '')} accesses of {format(all.sum, 'bytes')}, from {format(all.least, 'bytes')} to{' '}
				{format(all.most, 'bytes')}
			</p>
			<div class="tools">
				<ByButtons chosen={chosen} ways={[['', 'by region'], ['path', 'by path']]} />
				<Links metric="visits" />
			</div>
			<Table
				label="Sizes of accesses to shared memory"
				columns={columns}
				rows={rows}
				order={1}
				keyOf={(row) => row.key}
				selected={key}
				onSelect={(row) => select({ node: row.node })}
				height={420}
			/>
			<Histogram row={picked ?? all} name={picked ? model.text(picked.node) : 'all regions'} />
		</section>
	);
}
