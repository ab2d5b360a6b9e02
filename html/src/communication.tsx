// SPDX-License-Identifier: BSD-3-Clause
// Who accessed whose memory: a matrix of threads, or of groups of them, for one variable or all; and the same as a list.

import { useState } from 'preact/hooks';
import { format, percent } from './format';
import { Ways, Whole } from './functions';
import type { Model } from './model';
import { select, type Selection } from './selection';
import { Table } from './table';

// What `by` calls them, their titles, their units.
const METRICS: [string, string, string][] = [['', 'accesses', ''], ['remote', 'remote', ''], ['bytes', 'moved', 'bytes'], ['time', 'time', 'ns']];
const NUMBERS_TO = 12; // groups: with more, cells are too small for numbers

interface Cell {
	key: number; // thread * side + owner
	values: number[]; // as METRICS
}

function cellsOf(model: Model, variable: number): Cell[] {
	const { cells, groups } = model.data.more.pairs;
	const sums = new Map<number, Cell>();
	for (const [its, thread, owner, ...values] of cells) {
		if (variable >= 0 && its !== variable) continue;
		const key = thread * (groups + 1) + owner;
		const sum = sums.get(key)?.values ?? [0, 0, 0, 0];
		sums.set(key, { key, values: values.map((value, i) => value + sum[i]) });
	}
	return [...sums.values()];
}

// "4", "4-7": group n of g has the threads from n t / g on.
function groupName(model: Model, group: number): string {
	const { threads, groups } = model.data.more.pairs;
	const first = Math.ceil((group * threads) / groups);
	const last = Math.ceil(((group + 1) * threads) / groups) - 1;
	if (group === groups) return 'none';
	return first === last ? `${first}` : `${first}-${last}`;
}

// `at`: index into METRICS; `picked`: a key.
type MatrixProps = { model: Model; cells: Cell[]; at: number; picked: number; onPick: (key: number) => void };

function Matrix({ model, cells, at, picked, onPick }: MatrixProps) {
	const side = model.data.more.pairs.groups + 1;
	const size = cells.some(({ key }) => key >= side * (side - 1) || key % side === side - 1) ? side : side - 1;
	const values = new Map(cells.map((cell) => [cell.key, cell.values[at]]));
	const highest = Math.max(1, ...values.values());
	const every = size <= NUMBERS_TO ? 1 : Math.ceil(size / 8);
	const name = (group: number) => (group % every === 0 ? groupName(model, group).replace(/-.*/, '') : '');
	const numbers = Array.from({ length: size }, (_, i) => i);
	const onKeyDown = (event: KeyboardEvent) => {
		const steps: { [key: string]: number[] } = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
		const step = steps[event.key];
		if (!step) return;
		const to = (from: number, by: number) => Math.min(size - 1, Math.max(0, from + by));
		onPick(picked < 0 ? 0 : to(Math.floor(picked / side), step[0]) * side + to(picked % side, step[1]));
		event.preventDefault();
	};
	return (
		<div
			class={size <= NUMBERS_TO ? 'matrix numbers' : 'matrix'}
			tabIndex={0}
			role="application"
			aria-roledescription="matrix"
			aria-label={`${METRICS[at][1]}: a row for each thread, a column for the thread whose memory it is. Arrow keys move.`}
			style={{ gridTemplateColumns: `max-content repeat(${size}, minmax(0, 1fr))` }}
			onKeyDown={onKeyDown}
		>
			<small>from \ to</small>
			{numbers.map((owner) => (
				<small>{name(owner)}</small>
			))}
			{numbers.flatMap((thread) => [
				<small>{name(thread)}</small>,
				...numbers.map((owner) => {
					const key = thread * side + owner;
					const value = values.get(key) ?? 0;
					return (
						<span class={key === picked ? 'picked' : ''} onClick={() => onPick(key)} onMouseEnter={() => onPick(key)}>
							<i style={{ opacity: Math.sqrt(value / highest) }} />
							{size <= NUMBERS_TO && value > 0 && <b>{format(value, METRICS[at][2])}</b>}
						</span>
					);
				}),
			])}
		</div>
	);
}

export function Communication({ model, chosen }: { model: Model; chosen: Selection }) {
	const { rank, variables, threads, groups } = model.data.more.pairs;
	const variable = chosen.item < variables.length ? chosen.item : -1;
	const cells = cellsOf(model, variable);
	const at = Math.max(0, METRICS.findIndex(([by]) => by === chosen.by));
	const [, title, unit] = METRICS[at];
	const [picked, pick] = useState(-1);
	const value = cells.find(({ key }) => key === picked)?.values[at] ?? 0;
	const sum = cells.reduce((all, { values }) => all + values[at], 0);
	const side = groups + 1;
	const pairName = (key: number) => `${rank} ${groupName(model, Math.floor(key / side))} \u2192 ${rank} ${groupName(model, key % side)}`;
	return (
		<section class="communication">
			<div class="tools">
				<Ways chosen={chosen} ways={METRICS.map(([by, words]) => [by, words])} />
				<label>
					variable{' '}
					<select value={variable} onChange={(event) => select({ item: Number(event.currentTarget.value) })}>
						<option value={-1}>all</option>
						{variables.map((name, i) => (
							<option value={i}>{name}</option>
						))}
					</select>
				</label>
			</div>
			<Whole chosen={chosen} thread phase />
			{groups < threads && <p>{`${threads} threads in ${groups} groups of consecutive ones`}</p>}
			<p class="describe" aria-live="polite">
				{title}: {format(sum, unit)} in all
				{picked >= 0 && `; ${pairName(picked)}: ${format(value, unit)}, ${percent(value, sum)} %`}
			</p>
			<Matrix model={model} cells={cells} at={at} picked={picked} onPick={pick} />
			<Table
				label="Pairs of threads"
				columns={[
					...METRICS.map(([, words, its], i) => {
						const sort = (row: Cell) => row.values[i];
						return { title: words, number: true, minor: i === 1, sort, cell: (row: Cell) => format(sort(row), its) };
					}),
					{ title: 'pair', sort: (row: Cell) => row.key, cell: (row: Cell) => pairName(row.key) },
				]}
				rows={cells}
				order={at}
				keyOf={(row) => row.key}
				selected={picked}
				onSelect={(row) => pick(row.key)}
				height={420}
			/>
		</section>
	);
}
