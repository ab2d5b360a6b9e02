// SPDX-License-Identifier: BSD-3-Clause
// Who accessed whose memory: a matrix of threads, or of groups of them, for one variable or all; and the same as a list.

import { useState } from 'preact/hooks';
import { ByButtons, Whole } from './costs';
import { format, percent } from './format';
import type { Model } from './model';
import { select, type Selection } from './selection';
import { Table } from './table';

const METRICS: [string, string, string][] = [
	['', 'accesses', ''],
	['remote', 'remote accesses', ''],
	['bytes', 'bytes', 'bytes'],
	['time', 'time', 'ns'],
];
const NUMBERS_TO = 12; // groups: with more, cells are too small for numbers

interface Cell {
	key: number;
	thread: number;
	owner: number;
	values: number[]; // as METRICS
}

function cellsOf(model: Model, variable: number): Cell[] {
	const { cells, groups } = model.data.more.pairs;
	const sums = new Map<number, Cell>();
	for (const [its, thread, owner, ...values] of cells) {
		if (variable >= 0 && its !== variable) continue;
		const key = thread * (groups + 1) + owner;
		const cell = sums.get(key) ?? { key, thread, owner, values: values.map(() => 0) };
		values.forEach((value, i) => (cell.values[i] += value));
		sums.set(key, cell);
	}
	return [...sums.values()];
}

// "UPC 4", "UPC 4-7": group n of t threads has those from n t / groups on.
function groupName(model: Model, group: number): string {
	const { threads, groups } = model.data.more.pairs;
	if (group === groups) return 'no UPC thread';
	const first = Math.ceil((group * threads) / groups);
	const last = Math.ceil(((group + 1) * threads) / groups) - 1;
	return first === last ? `UPC ${first}` : `UPC ${first}-${last}`;
}

interface MatrixProps {
	model: Model;
	cells: Cell[];
	at: number; // index into METRICS
	picked: number; // key
	onPick: (key: number) => void;
}

function Matrix({ model, cells, at, picked, onPick }: MatrixProps) {
	const { groups } = model.data.more.pairs;
	const size = cells.some(({ thread, owner }) => thread === groups || owner === groups) ? groups + 1 : groups;
	const byKey = new Map(cells.map((cell) => [cell.key, cell]));
	const highest = Math.max(1, ...cells.map(({ values }) => values[at]));
	const every = size <= NUMBERS_TO ? 1 : Math.ceil(size / 8);
	const name = (group: number) => (group % every === 0 ? groupName(model, group).replace(/^UPC /, '').replace(/-.*/, '') : '');
	const numbers = Array.from({ length: size }, (_, i) => i);
	const onKeyDown = (event: KeyboardEvent) => {
		const steps: { [key: string]: number[] } = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };
		const step = steps[event.key];
		if (!step) return;
		const to = (from: number, by: number) => Math.min(size - 1, Math.max(0, from + by));
		const [thread, owner] = picked < 0 ? [0, 0] : [Math.floor(picked / (groups + 1)), picked % (groups + 1)];
		onPick(picked < 0 ? 0 : to(thread, step[0]) * (groups + 1) + to(owner, step[1]));
		event.preventDefault();
	};
	return (
		<div
			class={size <= NUMBERS_TO ? 'matrix numbers' : 'matrix'}
			tabIndex={0}
			role="application"
			aria-roledescription="matrix"
			aria-label={`${METRICS[at][1]} of threads (rows) to memory of threads (columns). Arrow keys move.`}
			style={{ gridTemplateColumns: `max-content repeat(${size}, minmax(0, 1fr))` }}
			onKeyDown={onKeyDown}
		>
			<small>from \ to</small>
			{numbers.map((owner) => (
				<small>{name(owner)}</small>
			))}
			{numbers.map((thread) => (
				<>
					<small>{name(thread)}</small>
					{numbers.map((owner) => {
						const key = thread * (groups + 1) + owner;
						const value = byKey.get(key)?.values[at] ?? 0;
						return (
							<span class={key === picked ? 'picked' : ''} onClick={() => onPick(key)} onMouseEnter={() => onPick(key)}>
								<i style={{ opacity: Math.sqrt(value / highest) }} />
								{size <= NUMBERS_TO && <b>{value ? format(value, METRICS[at][2]) : ''}</b>}
							</span>
						);
					})}
				</>
			))}
		</div>
	);
}

export function Communication({ model, chosen }: { model: Model; chosen: Selection }) {
	const { variables, threads, groups } = model.data.more.pairs;
	const variable = chosen.item < variables.length ? chosen.item : -1;
	const cells = cellsOf(model, variable);
	const at = Math.max(0, METRICS.findIndex(([by]) => by === chosen.by));
	const [, title, unit] = METRICS[at];
	const [picked, pick] = useState(-1);
	const cell = cells.find(({ key }) => key === picked);
	const sum = cells.reduce((all, { values }) => all + values[at], 0);
	const pairName = (key: number) => `${groupName(model, Math.floor(key / (groups + 1)))} \u2192 ${groupName(model, key % (groups + 1))}`;
	return (
		<section class="communication">
			<div class="tools">
				<ByButtons chosen={chosen} ways={METRICS.map(([by, words]) => [by, words])} />
				{variables.length > 0 && (
					<label>
						variable{' '}
						<select value={variable} onChange={(event) => select({ item: Number(event.currentTarget.value) })}>
							<option value={-1}>all</option>
							{variables.map((name, i) => (
								<option value={i}>{name}</option>
							))}
						</select>
					</label>
				)}
			</div>
			<Whole chosen={chosen} thread phase />
			{groups < threads && (
				<p>
					{threads} threads in {groups} groups; sums of groups are exact.
				</p>
			)}
			<p class="describe" aria-live="polite">
				{picked < 0
					? `${format(sum, unit)}${unit === '' ? ` ${title}` : ''} in all`
					: `${pairName(picked)}: ${format(cell?.values[at] ?? 0, unit)}${unit === '' ? ` ${title}` : ''}, ${percent(cell?.values[at] ?? 0, sum)} %`}
			</p>
			<Matrix model={model} cells={cells} at={at} picked={picked} onPick={pick} />
			<Table
				label="Pairs of threads"
				columns={[
					...METRICS.map(([, words, its], i) => ({
						title: words,
						number: true,
						minor: i === 1,
						sort: (row: Cell) => row.values[i],
						cell: (row: Cell) => format(row.values[i], its),
					})),
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
