// SPDX-License-Identifier: BSD-3-Clause
// Code that made others wait, by the kind of waiting, and by thread.

import { amount, format } from './format';
import { Metrics } from './functions';
import type { Model } from './model';
import { select, type Selection } from './selection';
import { Split } from './split';
import { Table } from './table';

const WAYS: [string, string][] = [['lock-blame', 'locks'], ['barrier-blame', 'barriers'], ['task-blame', 'tasks'], ['idle-blame', 'idle']];

export function Blame({ model, chosen }: { model: Model; chosen: Selection }) {
	const ways = WAYS.filter(([metric]) => model.of(metric, -1).whole > 0);
	const { byThread } = model.data;
	const shown: [string, string][] = [['waiting', 'waited'], ['blame', 'blame'], ...ways];
	const rows = byThread
		.map((_, index) => ({ index, sums: shown.map(([metric]) => model.sum(metric, index)) }))
		.filter(({ sums }) => sums.some((sum) => sum > 0));
	type Row = (typeof rows)[number];
	return (
		<section class="blame">
			<Split model={model} chosen={chosen} />
			<p>total blame: {format(model.of('blame', chosen.thread).whole, 'ns')}</p>
			<Metrics model={model} chosen={chosen} label="Who made others wait" shown={[['blame', 'blame'], ...ways]} />
			<h2>Threads</h2>
			{rows.length === 0 && <p>The page has no values per thread.</p>}
			<Table
				name="threads"
				label="Threads: how long they waited, and made others wait"
				columns={[
					...shown.map(([hint, title], i) => {
						const sort = (row: Row) => row.sums[i];
						return { title, hint, number: true, minor: i > 1, sort, cell: (row: Row) => amount(sort(row), 'ns') };
					}),
					{ title: 'thread', cell: ({ index }) => model.threadName(index) },
				]}
				rows={rows}
				order={1}
				keyOf={({ index }) => index}
				selected={chosen.thread}
				onSelect={({ index }) => select({ thread: chosen.thread === index ? -1 : index })}
				height={320}
			/>
		</section>
	);
}
