// SPDX-License-Identifier: BSD-3-Clause
// OpenMP's constructs: how often, on how many threads, how much of their time is waiting, how even the work is.

import { KIND } from './data';
import { format, percent } from './format';
import type { Model } from './model';
import { nameColumn } from './functions';
import { select, type Selection } from './selection';
import { Split } from './split';
import { Table } from './table';

interface Row {
	label: number;
	node: number;
	visits: number;
	time: number; // of all threads, with what is below
	waiting: number; // part of it
	threads: number; // that had a part of it
	ratio: number; // work of the busiest thread, compared with the mean; 0: nobody worked
	last: number; // the thread that worked longest, or where none works, waited least; -1: not known
}

function labelsOf({ data }: Model): number[] {
	const { models, label, model } = data.more.regions;
	return label.filter((one, i) => models[model[i]] === 'openmp' && data.labels.kind[one] === KIND.REGION);
}

export const hasConstructs = (model: Model) => labelsOf(model).length > 0;

// Outermost nodes of each label: sums over them count what is below once.
function outermost(model: Model): Map<number, number[]> {
	const { parent, label } = model.data;
	const nodes = new Map(labelsOf(model).map((one): [number, number[]] => [one, []]));
	for (let node = 1; node < parent.length; node++) {
		if (!nodes.has(label[node]) || !model.has(node)) continue;
		let above = parent[node];
		while (above > 0 && label[above] !== label[node]) above = parent[above];
		if (above === 0) nodes.get(label[node])?.push(node);
	}
	return nodes;
}

function constructs(model: Model, chosen: Selection, metric: string): Row[] {
	const visits = new Map(model.rows('visits', chosen.thread).map((row) => [row.label, row.visits]));
	const sum = (nodes: number[], name: string, thread: number) => {
		const { total } = model.of(name, thread);
		return nodes.reduce((all, node) => all + total[node], 0);
	};
	const rows = [...outermost(model)].map(([label, nodes]) => {
		const { total } = model.of(metric, chosen.thread);
		const threads = model.data.byThread
			.map((_, index) => ({ index, time: sum(nodes, metric, index), waiting: sum(nodes, 'waiting', index) }))
			.filter(({ time }) => time > 0)
			.map(({ index, time, waiting }) => ({ index, waiting, work: Math.max(0, time - waiting) }));
		const work = threads.reduce((all, thread) => all + thread.work, 0);
		const busiest = threads.reduce((best, one) => (one.work > best.work ? one : best), threads[0]);
		const latest = threads.reduce((best, one) => (one.waiting < best.waiting ? one : best), threads[0]);
		return {
			label,
			node: nodes.reduce((best, node) => (total[node] > total[best] ? node : best), nodes[0] ?? 0),
			visits: visits.get(label) ?? 0,
			time: sum(nodes, metric, chosen.thread),
			waiting: sum(nodes, 'waiting', chosen.thread),
			threads: threads.length,
			ratio: work > 0 && threads.length > 1 ? (busiest.work * threads.length) / work : 0,
			last: threads.length > 1 ? (work > 0 ? busiest : latest).index : -1,
		};
	});
	return rows.filter((row) => row.time > 0 || row.visits > 0);
}

export function OpenMP({ model, chosen }: { model: Model; chosen: Selection }) {
	const metric = model.of('wall-time', -1).whole > 0 ? 'wall-time' : 'cpu-time';
	const { threads, byThread } = model.data;
	const wanted = chosen.search.toLowerCase();
	const rows = constructs(model, chosen, metric).filter(({ node }) => model.text(node).toLowerCase().includes(wanted));
	const number = (title: string, hint: string, sort: (row: Row) => number, text: (row: Row) => string, minor = false) => ({
		title,
		hint,
		number: true,
		minor,
		sort,
		cell: (row: Row) => (sort(row) > 0 ? text(row) : ''),
	});
	const last = ({ last: index }: Row) => (index < 0 ? '' : `${threads[index].pid} ${threads[index].label}`);
	return (
		<section class="openmp">
			<Split model={model} chosen={chosen} />
			{byThread.length === 0 && <p class="note">Without values of single threads it is not known who worked longest.</p>}
			<Table
				label={`OpenMP constructs by ${metric}`}
				columns={[
					number(metric, 'of all threads, with what is below', (row) => row.time, (row) => format(row.time, 'ns')),
					number('waiting %', 'part of that time', (row) => row.waiting, (row) => percent(row.waiting, row.time)),
					number('max / mean', 'work of the busiest thread, compared with the mean of those that took part: 1 is even',
						(row) => row.ratio, (row) => row.ratio.toFixed(2)),
					number('visits', 'executions', (row) => row.visits, (row) => format(row.visits, ''), true),
					number('threads', 'that took part', (row) => row.threads, (row) => format(row.threads, ''), true),
					nameColumn(model, { ...chosen, by: '' }),
					{ title: 'last', hint: 'the thread that worked longest, or waited least: the others waited for it', sort: last, cell: last },
				]}
				rows={rows}
				keyOf={(row) => row.label}
				selected={chosen.node > 0 ? model.data.label[chosen.node] : -1}
				onSelect={(row) => select({ node: row.node })}
			/>
			{rows.length === 0 && <p>No construct ran in what was chosen.</p>}
		</section>
	);
}
