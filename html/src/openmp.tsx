// SPDX-License-Identifier: BSD-3-Clause
// OpenMP's constructs: how often, on how many threads, how much of their time is waiting, how even the work is.

import { Split } from './costs';
import { KIND } from './data';
import { format, percent } from './format';
import type { Model } from './model';
import { CATEGORY } from './more';
import { LabelName } from './name';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

const KINDS: { [category: number]: string } = {
	[CATEGORY.PARALLEL]: 'parallel',
	[CATEGORY.TASK]: 'task',
	[CATEGORY.WORKSHARE]: 'worksharing',
	[CATEGORY.BARRIER]: 'barrier',
	[CATEGORY.LOCK]: 'lock',
	[CATEGORY.TASK_SYNC]: 'waits for tasks',
};

interface Row {
	label: number;
	node: number;
	kind: string;
	visits: number;
	time: number; // of all threads, with what is below
	waiting: number; // part of it
	threads: number; // that had a part of it; 0: not known
	most: number; // work of the busiest thread
	mean: number;
	last: number; // the busiest thread; -1: not known
}

// Outermost nodes of each label: sums over them count what is below once.
function outermost(model: Model, wanted: Set<number>): Map<number, number[]> {
	const { parent, label } = model.data;
	const nodes = new Map<number, number[]>();
	for (let node = 1; node < parent.length; node++) {
		if (!wanted.has(label[node]) || !model.has(node)) continue;
		let above = parent[node];
		while (above > 0 && label[above] !== label[node]) above = parent[above];
		if (above === 0) nodes.set(label[node], [...(nodes.get(label[node]) ?? []), node]);
	}
	return nodes;
}

function constructs(model: Model, chosen: Selection, metric: string): Row[] {
	const { models, label, model: ofModel, category } = model.data.more.regions;
	const openmp = models.indexOf('openmp');
	const kinds = new Map(label.map((one, i) => [one, ofModel[i] === openmp ? category[i] : -1]));
	const wanted = new Set(label.filter((one) => (kinds.get(one) ?? -1) >= 0 && model.data.labels.kind[one] === KIND.REGION));
	const sum = (values: Float64Array, nodes: number[]) => nodes.reduce((all, node) => all + values[node], 0);
	const rows: Row[] = [];
	for (const [one, nodes] of outermost(model, wanted)) {
		const { total } = model.of(metric, chosen.thread);
		const work = model.data.byThread
			.map((_, i) => sum(model.of(metric, i).total, nodes) - sum(model.of('waiting', i).total, nodes))
			.map((value, i) => ({ value: Math.max(0, value), there: sum(model.of(metric, i).total, nodes) > 0 }));
		const there = work.filter((thread) => thread.there);
		const most = Math.max(0, ...there.map(({ value }) => value));
		rows.push({
			label: one,
			node: nodes.reduce((best, node) => (total[node] > total[best] ? node : best)),
			kind: KINDS[kinds.get(one) ?? 0] ?? '',
			visits: model.rows('visits', chosen.thread).find((row) => row.label === one)?.visits ?? 0,
			time: sum(total, nodes),
			waiting: sum(model.of('waiting', chosen.thread).total, nodes),
			threads: there.length,
			most,
			mean: there.reduce((all, { value }) => all + value, 0) / Math.max(1, there.length),
			last: most > 0 ? work.findIndex(({ value }) => value === most) : -1,
		});
	}
	return rows.filter((row) => row.time > 0 || row.visits > 0);
}

export function OpenMP({ model, chosen }: { model: Model; chosen: Selection }) {
	const metric = model.of('wall-time', -1).whole > 0 ? 'wall-time' : 'cpu-time';
	const { threads, byThread } = model.data;
	const wanted = chosen.search.toLowerCase();
	const rows = constructs(model, chosen, metric).filter((row) => model.data.labels.text[row.label].toLowerCase().includes(wanted));
	const ofThreads: Column<Row>[] = [
		{ title: 'threads', number: true, minor: true, sort: (row) => row.threads, cell: (row) => row.threads },
		{
			title: 'max / mean',
			hint: 'work of the busiest thread, compared with the mean of those that took part: 1 is even',
			number: true,
			sort: (row) => (row.mean > 0 ? row.most / row.mean : 0),
			cell: (row) => (row.mean > 0 && row.threads > 1 ? (row.most / row.mean).toFixed(2) : ''),
		},
		{
			title: 'busiest',
			hint: 'the thread that worked longest: the others waited for it',
			sort: (row) => row.last,
			cell: (row) => (row.last >= 0 && row.threads > 1 ? `${threads[row.last].pid} ${threads[row.last].label}` : ''),
		},
	];
	return (
		<section class="openmp">
			<Split model={model} chosen={chosen} title={chosen.thread < 0 ? 'time of all threads' : 'time of the thread'} />
			{byThread.length === 0 && <p class="note">The page has no values of single threads: who worked longest is not known.</p>}
			<Table
				label={`OpenMP constructs by ${metric}`}
				columns={[
					{ title: metric, hint: 'of all threads, with what is below', number: true, sort: (row) => row.time, cell: (row) => format(row.time, 'ns') },
					{ title: 'waiting %', hint: 'part of that time', number: true, sort: (row) => row.waiting, cell: (row) => percent(row.waiting, row.time) },
					{ title: 'visits', number: true, minor: true, sort: (row) => row.visits, cell: (row) => format(row.visits, '') },
					...(byThread.length > 0 ? ofThreads : []),
					{ title: 'kind', sort: (row) => row.kind, cell: (row) => row.kind },
					{
						title: 'construct',
						sort: (row) => model.data.labels.text[row.label],
						cell: (row) => <LabelName model={model} label={row.label} search={chosen.search} />,
					},
				]}
				rows={rows}
				keyOf={(row) => row.label}
				selected={chosen.node > 0 ? model.data.label[chosen.node] : -1}
				onSelect={(row) => select({ node: row.node })}
				height={480}
			/>
			{rows.length === 0 && <p>No construct ran in what was chosen.</p>}
		</section>
	);
}
