// SPDX-License-Identifier: BSD-3-Clause
// What each thread spent its time on, and the paths whose work is distributed unevenly.

import { stateColor } from './colors';
import type { Thread } from './data';
import { amount, format } from './format';
import type { Model } from './model';
import { HeatMap } from './heat';
import { Name } from './name';
import { select, type Selection } from './selection';
import { StateBar, statesOf } from './split';
import { Table } from './table';
import { TimeHeat } from './time_heat';

type TimeName = 'cpu-time' | 'wall-time';

// Returns the states that a thread was in.
function statesShown(threads: Thread[], time: TimeName): number[] {
	const sums: number[] = [];
	for (const thread of threads) thread[time].forEach((value, state) => (sums[state] = (sums[state] ?? 0) + value));
	return sums.map((_, state) => state).filter((state) => sums[state] > 0);
}

// By what the busiest thread has more than the mean of those that were there. Of threads that ran one after the other in
// a row only the sum is known: their paths are left out.
function unevenPaths(model: Model, metric: string) {
	const sums = new Map<number, number[]>(); // by node: values of the threads that have it, and these threads
	const unknown = new Set<number>();
	model.data.byThread.forEach((_, thread) => {
		const own = new Map<number, number>();
		model.each(metric, thread, (node, value) => own.set(node, (own.get(node) ?? 0) + value));
		own.forEach((value, node) => {
			if (model.data.threads[thread].threads > 1) unknown.add(node);
			const known = sums.get(node);
			if (known) known.push(value, thread);
			else sums.set(node, [value, thread]);
		});
	});
	const rows = [...sums].flatMap(([node, pairs]) => {
		const there = pairs.filter((_, i) => i % 2 === 0);
		if (there.length < 2 || unknown.has(node)) return [];
		const most = there.reduce((high, value) => Math.max(high, value));
		const least = there.reduce((low, value) => Math.min(low, value));
		const mean = there.reduce((sum, value) => sum + value, 0) / there.length;
		return [{ node, least, mean, most, thread: pairs[2 * there.indexOf(most) + 1] }];
	});
	return rows.sort((a, b) => b.most - b.mean - (a.most - a.mean)).slice(0, 200);
}

// The order within a process: ranks, the main thread, other threads, Heddle's own.
function ranksFirst(a: Thread, b: Thread): number {
	const isMain = ({ label }: Thread) => Number(label.startsWith('main '));
	return (
		Number(b.threads > 0) - Number(a.threads > 0) || Number(b.rank > 0) - Number(a.rank > 0) || a.rank - b.rank || isMain(b) - isMain(a)
	);
}

export function Threads({ model, chosen, unit }: { model: Model; chosen: Selection; unit: string }) {
	const { states } = model.data;
	const time: TimeName = chosen.metric === 'wall-time' ? 'wall-time' : 'cpu-time';
	const threads = model.data.threads.map((thread, i) => (model.phase < 0 ? thread : { ...thread, [time]: statesOf(model, i, time) }));
	const sumOf = (thread: Thread) => thread[time].reduce((all, value) => all + value, 0);
	const longest = Math.max(1, ...threads.map(sumOf));
	const rows = threads.map((thread, index) => ({ thread, index })).sort((a, b) => ranksFirst(a.thread, b.thread));
	const { heat, byThread } = model.data;
	const heated = byThread.length > 1 || (heat && heat.metric === chosen.metric && model.phase < 0);
	const uneven = model.data.byThread.length > 1 ? unevenPaths(model, chosen.metric) : [];
	return (
		<section class="threads">
			<p class="legend">
				{time}:{' '}
				{statesShown(threads, time).map((state) => (
					<span>
						<i style={{ background: stateColor(state) }} /> {states[state]}{' '}
					</span>
				))}
			</p>
			<Table
				label={`Threads by ${time}`}
				columns={[
					{ title: 'process', number: true, minor: true, sort: ({ thread }) => -thread.pid, cell: ({ thread }) => thread.pid },
					{ title: 'thread', sort: ({ thread }) => thread.label, cell: ({ thread }) => thread.label },
					{
						title: 'elapsed',
						number: true,
						minor: true,
						sort: ({ thread }) => thread.wall,
						cell: ({ thread }) => amount(thread.wall, 'ns'),
					},
					{ ...model.head(time), number: true, minor: true, sort: ({ thread }) => sumOf(thread), cell: ({ thread }) => amount(sumOf(thread), 'ns') },
					{
						title: 'states',
						hint: 'time by state; the longest bar is the busiest thread',
						cell: ({ thread }) => <StateBar values={thread[time]} longest={longest} states={states} />,
					},
				]}
				rows={rows}
				sorted={rows.length < 2}
				order={0}
				keyOf={({ index }) => index}
				selected={chosen.thread}
				onSelect={({ index }) => select({ thread: chosen.thread === index ? -1 : index })}
				height={320}
			/>
			{heated && (
				<>
					<h2>Functions by thread{model.data.heat && `, ${model.data.heat.metric}`}</h2>
					<HeatMap {...{ model, chosen, unit }} order={rows.map(({ index }) => index)} />
				</>
			)}
			{model.data.more.timeline && (
				<>
					<h2>Threads by time</h2>
					<TimeHeat model={model} chosen={chosen} />
				</>
			)}
			<h2>Imbalance by call path</h2>
			{uneven.length === 0 ? (
				<p>The page has no values per thread and path, or only one thread ran at a time.</p>
			) : (
				<Table
					name="uneven"
					label={`Paths by excess ${chosen.metric} of the busiest thread over the mean`}
					columns={[
						{ title: 'excess', hint: 'excess of the busiest thread over the mean of the threads on the path', number: true, sort: (row) => row.most - row.mean, cell: (row) => format(row.most - row.mean, unit) },
						{ title: 'least', hint: 'of the threads on the path', number: true, minor: true, sort: (row) => row.least, cell: (row) => format(row.least, unit) },
						{ title: 'mean', hint: 'of the threads on the path', number: true, minor: true, sort: (row) => row.mean, cell: (row) => format(row.mean, unit) },
						{ title: 'most', hint: 'of the threads on the path', number: true, minor: true, sort: (row) => row.most, cell: (row) => format(row.most, unit) },
						{ title: 'busiest', hint: 'the thread with most', cell: (row) => threads[row.thread].label },
						{ title: 'path ends in', cell: (row) => <Name model={model} node={row.node} search={chosen.search} /> },
					]}
					rows={uneven}
					keyOf={(row) => row.node}
					selected={chosen.node}
					onSelect={(row) => select({ node: row.node })}
					height={480}
				/>
			)}
		</section>
	);
}
