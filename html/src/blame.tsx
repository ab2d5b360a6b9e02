// SPDX-License-Identifier: BSD-3-Clause
// Who made others wait: code that was executed while others waited for it, by what they waited at.

import { Costs, type Shown, Split } from './costs';
import { format } from './format';
import type { Model } from './model';
import { select, type Selection } from './selection';
import { Table } from './table';

const WAYS: Shown[] = [
	{ metric: 'lock-blame', title: 'locks' },
	{ metric: 'barrier-blame', title: 'barriers' },
	{ metric: 'task-blame', title: 'tasks' },
	{ metric: 'idle-blame', title: 'idle' },
];

export function Blame({ model, chosen }: { model: Model; chosen: Selection }) {
	const ways = WAYS.filter(({ metric }) => model.of(metric, -1).whole > 0);
	const { threads, byThread } = model.data;
	const rows = byThread.map((_, index) => ({
		index,
		sums: ['waiting', 'blame', ...ways.map(({ metric }) => metric)].map((metric) => model.of(metric, index).whole),
	}));
	const titles = ['waited', 'blame', ...ways.map(({ title }) => title)];
	return (
		<section class="blame">
			<Split model={model} chosen={chosen} title={chosen.thread < 0 ? 'time of all threads' : 'time of the thread'} />
			<p>blame given: {format(model.of('blame', chosen.thread).whole, 'ns')}</p>
			<Costs model={model} chosen={chosen} label="Who made others wait" shown={[{ metric: 'blame', title: 'blame' }, ...ways]} />
			<h2>Threads</h2>
			{rows.length === 0 ? (
				<p>The page has no values of single threads.</p>
			) : (
				<Table
					label="Threads: how long they waited, and made others wait"
					columns={[
						...titles.map((title, i) => ({
							title,
							number: true,
							minor: i > 1,
							sort: (row: { sums: number[] }) => row.sums[i],
							cell: (row: { sums: number[] }) => format(row.sums[i], 'ns'),
						})),
						{ title: 'thread', sort: ({ index }) => index, cell: ({ index }) => `${threads[index].pid} ${threads[index].label}` },
					]}
					rows={rows.filter(({ sums }) => sums.some((sum) => sum > 0))}
					order={1}
					keyOf={({ index }) => index}
					selected={chosen.thread}
					onSelect={({ index }) => select({ thread: chosen.thread === index ? -1 : index })}
					height={320}
				/>
			)}
		</section>
	);
}
