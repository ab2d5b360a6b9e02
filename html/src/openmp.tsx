// SPDX-License-Identifier: BSD-3-Clause
// OpenMP's constructs: number, threads, share of waiting, and load balance.

import { useMemo } from 'preact/hooks';
import { KIND } from './data';
import { format, percent } from './format';
import type { Model } from './model';
import { nameColumn } from './functions';
import { passes } from './search';
import { select, type Selection } from './selection';
import { Split } from './split';
import { Table } from './table';

type Row = ReturnType<typeof rowsOf>[number];

function labelsOf({ data }: Model): number[] {
	const { models, label, model } = data.more.regions;
	return label.filter((one, i) => models[model[i]] === 'openmp' && data.labels.kind[one] === KIND.REGION);
}

export const hasConstructs = (model: Model) => labelsOf(model).length > 0;

// Returns the inclusive value of each construct on a thread; recursion counts once.
function totals(model: Model, constructs: number[][], metric: string, thread: number): Map<number, number> {
	const sums = new Map<number, number>();
	model.each(metric, thread, (node, value) => constructs[node].forEach((label) => sums.set(label, (sums.get(label) ?? 0) + value)));
	return sums;
}

// Returns for each node the constructs that it is in.
function constructsOf(model: Model): number[][] {
	const { parent, label } = model.data;
	const wanted = new Set(labelsOf(model));
	const within: number[][] = [[]];
	for (let node = 1; node < parent.length; node++) {
		const above = within[parent[node]];
		within.push(wanted.has(label[node]) && !above.includes(label[node]) ? [...above, label[node]] : above);
	}
	return within;
}

function rowsOf(model: Model, chosen: Selection, metric: string) {
	const within = constructsOf(model);
	const [all, waits] = [totals(model, within, metric, chosen.thread), totals(model, within, 'waiting', chosen.thread)];
	const parts = new Map<number, { index: number; work: number; waiting: number }[]>();
	model.data.byThread.forEach((_, index) => {
		const waiting = totals(model, within, 'waiting', index);
		totals(model, within, metric, index).forEach((time, label) => {
			const part = { index, work: Math.max(0, time - (waiting.get(label) ?? 0)), waiting: waiting.get(label) ?? 0 };
			const known = parts.get(label);
			if (known) known.push(part);
			else parts.set(label, [part]);
		});
	});
	const wanted = new Set(labelsOf(model));
	const rows = model.rows('visits', chosen.thread).concat(model.rows(metric, chosen.thread)).filter((row) => wanted.delete(row.label));
	return rows.map(({ label, node, visits }) => {
		const threads = parts.get(label) ?? [];
		const work = threads.reduce((sum, thread) => sum + thread.work, 0);
		const busiest = threads.reduce((best, one) => (one.work > best.work ? one : best), threads[0]);
		const latest = threads.reduce((best, one) => (one.waiting < best.waiting ? one : best), threads[0]);
		return {
			label,
			node,
			visits,
			time: all.get(label) ?? 0, // of all threads, inclusive
			waiting: waits.get(label) ?? 0, // part of it
			threads: threads.length, // that executed a part of it
			// Work of the busiest thread divided by the mean; 0: no thread worked, or only sums of threads
			// are known.
			ratio: work > 0 && threads.length > 1 && threads.every(({ index }) => model.data.threads[index].threads <= 1) ? (busiest.work * threads.length) / work : 0,
			// The thread that worked longest, or if none works, waited least; -1: unknown.
			last: threads.length > 1 ? (work > 0 ? busiest : latest).index : -1,
		};
	});
}

export function OpenMP({ model, chosen }: { model: Model; chosen: Selection }) {
	const metric = model.of('wall-time', -1).whole > 0 ? 'wall-time' : 'cpu-time';
	const { byThread } = model.data;
	const made = useMemo(() => rowsOf(model, chosen, metric), [model, chosen.thread]);
	const rows = made.filter(({ node }) => passes(model.text(node), chosen.search));
	const number = (title: string, hint: string, sort: (row: Row) => number, text: (row: Row) => string, minor = false) =>
		({ title, hint, number: true, minor, sort, cell: (row: Row) => (sort(row) > 0 ? text(row) : '\u2013') });
	const last = ({ last: index }: Row) => (index < 0 ? '' : model.threadName(index));
	return (
		<section class="openmp">
			<Split model={model} chosen={chosen} />
			{byThread.length === 0 && <p class="note">The page has no values per thread, so the busiest thread of each construct is unknown.</p>}
			<Table
				label={`OpenMP constructs by ${metric}`}
				columns={[
					number(metric, 'of all threads, inclusive', (row) => row.time, (row) => format(row.time, 'ns')),
					number('waiting %', 'part of that time', (row) => row.waiting, (row) => percent(row.waiting, row.time)),
					number('max / mean', 'work of the busiest thread divided by the mean of the threads that took part: 1 is balanced',
						(row) => row.ratio, (row) => row.ratio.toFixed(2), true),
					number('visits', 'executions', (row) => row.visits, (row) => format(row.visits, ''), true),
					number('threads', 'that took part', (row) => row.threads, (row) => format(row.threads, ''), true),
					nameColumn(model, { ...chosen, by: '' }),
					{ title: 'last', hint: 'the thread that worked longest, or waited least: the others waited for it', minor: true, sort: last, cell: last },
				]}
				rows={rows}
				keyOf={(row) => row.label}
				selected={chosen.node > 0 ? model.data.label[chosen.node] : -1}
				onSelect={(row) => select({ node: row.node })}
			/>
			{rows.length === 0 && <p>No construct was executed in the selection.</p>}
		</section>
	);
}
