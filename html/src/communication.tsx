// SPDX-License-Identifier: BSD-3-Clause
// Accesses to each other's memory, or messages: a matrix of threads, or of groups of threads, for one variable or all;
// and the same as a list.

import { Exchanges } from './exchanges';
import { amount, format, percent } from './format';
import { Ways, Whole } from './functions';
import type { Model } from './model';
import { Legend } from './legend';
import { Matrix, type Part, partOf, placeOf, type Shown, sideOf } from './matrix';
import { select, type Selection, usePassing } from './selection';
import { Table } from './table';

// Names in `by`, titles, units, and meanings.
type Kind = [string, string, string, string];
const ACCESSES: Kind[] = [
	['', 'accesses', '', 'gets and puts'],
	['remote', 'remote', '', "accesses to other nodes' memory"],
	['bytes', 'moved', 'bytes', 'got and put'],
	['time', 'time', 'ns', 'elapsed time of the accesses'],
];
const MESSAGES: Kind[] = [
	['', 'messages', '', 'sent, and accesses to windows'],
	['remote', 'remote', '', 'messages to other nodes'],
	['bytes', 'sent', 'bytes', 'in messages, and put to windows'],
	['time', 'time', 'ns', 'elapsed time of the calls that send and receive them'],
];

interface Cell {
	key: number; // thread * side + owner
	values: number[]; // in the order of ACCESSES
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

// Returns "4", "4-7": group n of g begins with thread n * threads / g.
function groupName(model: Model, group: number): string {
	const { threads, groups } = model.data.more.pairs;
	const first = Math.ceil((group * threads) / groups);
	const last = Math.ceil(((group + 1) * threads) / groups) - 1;
	if (group === groups) return 'none';
	return first === last ? `${first}` : `${first}-${last}`;
}

// Returns the host of each thread's process; the last element is for threads without a number.
function hostsOf(model: Model): { names: string[]; of: number[] } {
	const { threads, processes, more } = model.data;
	const [names, of]: [string[], number[]] = [[], []];
	let at = 0; // processes and their threads are in the same order
	for (const { pid, rank } of threads) {
		while (at < processes.length - 1 && processes[at].pid !== pid) at++;
		const host = processes[at]?.host || 'unknown';
		if (rank > 0 && !names.includes(host)) names.push(host);
		if (rank > 0) of[rank - 1] ??= names.indexOf(host);
	}
	return { names, of: Array.from({ length: more.pairs.groups + 1 }, (_, i) => of[i] ?? names.length) };
}

// Decodes the words of the address: by host; the rectangle that is shown, as "rows:0-16", "columns:4-8"; the selected
// cell, by the first items of its row and column, so that it stays selected when the rectangle changes.
function lookOf(look: string, count: number) {
	const words = look.split(' ');
	const partOf = (name: string): Part => {
		const found = words.map((word) => new RegExp(`^${name}:(\\d+)-(\\d+)$`).exec(word)).find((one) => one);
		const [from, to] = [Number(found?.[1] ?? 0), Math.min(count, Number(found?.[2] ?? count))];
		return from < to ? { from, to } : { from: 0, to: count };
	};
	const cell = words.map((word) => /^cell:(\d+)-(\d+)$/.exec(word)).find((one) => one);
	return {
		byHost: words.includes('hosts'),
		rows: partOf('rows'),
		columns: partOf('columns'),
		cell: cell ? ([Number(cell[1]), Number(cell[2])] as [number, number]) : null,
	};
}

export function Communication({ model, chosen }: { model: Model; chosen: Selection }) {
	return (
		<>
			{model.data.more.pairs.cells.length > 0 ? <Pairs model={model} chosen={chosen} /> : <Whole chosen={chosen} thread phase />}
			<Exchanges model={model} />
		</>
	);
}

function Pairs({ model, chosen }: { model: Model; chosen: Selection }) {
	const { rank, variables, threads, groups, messages } = model.data.more.pairs;
	const METRICS = messages ? MESSAGES : ACCESSES;
	const variable = chosen.item < variables.length ? chosen.item : -1;
	const cells = cellsOf(model, variable);
	const at = Math.max(0, METRICS.findIndex(([by]) => by === chosen.by));
	const [, title, unit] = METRICS[at];
	const side = groups + 1;
	const hosts = hostsOf(model);
	const several = groups === threads && hosts.names.length > 1;
	const byHost = several && lookOf(chosen.look, 0).byHost;
	const itemOf = (group: number) => (byHost ? hosts.of[group] : group);
	const values = cells.map(({ key, values: its }): [number, number, number] => [itemOf(Math.floor(key / side)), itemOf(key % side), its[at]]);
	const none = byHost ? hosts.names.length : groups;
	const count = values.some(([a, b]) => a === none || b === none) ? none + 1 : none;
	const [under, hover] = usePassing<[number, number] | null>(null);
	const shown = lookOf(chosen.look, count);
	const zoomed = shown.rows.to - shown.rows.from < count || shown.columns.to - shown.columns.from < count;
	const marked = under ?? (shown.cell && [placeOf(shown.rows, shown.cell[0]), placeOf(shown.columns, shown.cell[1])]);
	const isCell = ([a, b]: number[]) => a >= 0 && b >= 0 && a < sideOf(shown.rows) && b < sideOf(shown.columns);
	const picked: [number, number] | null = marked && isCell(marked) ? [marked[0], marked[1]] : null;
	const sum = values.reduce((all, [, , value]) => all + value, 0);
	const name = ({ from, to }: Part): string => {
		if (byHost) return to - from > 1 ? `${from}-${to - 1}` : (hosts.names[from] ?? 'none');
		const [first, last] = [groupName(model, from), groupName(model, to - 1)];
		return to - from > 1 ? `${first.replace(/-.*/, '')}-${last.replace(/.*-/, '')}` : first;
	};
	const noun = byHost ? 'host' : rank;
	const within = (part: Part, item: number) => item >= part.from && item < part.to;
	const partsName = (row: Part, column: Part) => `${noun} ${name(row)} \u2192 ${noun} ${name(column)}`;
	const pairName = (key: number) => `${rank} ${groupName(model, Math.floor(key / side))} \u2192 ${rank} ${groupName(model, key % side)}`;
	const [row, column] = picked ? [partOf(shown.rows, picked[0]), partOf(shown.columns, picked[1])] : [];
	const value = row && column ? values.reduce((all, [a, b, one]) => all + (within(row, a) && within(column, b) ? one : 0), 0) : 0;
	const cellWord = (cell: [number, number] | null) => (cell ? [`cell:${cell[0]}-${cell[1]}`] : []);
	const look = (to: Shown | null, host = byHost) => {
		const part = to ? [`rows:${to.rows.from}-${to.rows.to}`, `columns:${to.columns.from}-${to.columns.to}`] : [];
		select({ look: [...(host ? ['hosts'] : []), ...part, ...cellWord(host === byHost ? shown.cell : null)].join(' ') });
	};
	const pick = (cell: [number, number] | null) => {
		const kept = chosen.look.split(' ').filter((word) => word !== '' && !word.startsWith('cell:'));
		hover(null);
		select({ look: [...kept, ...cellWord(cell && [partOf(shown.rows, cell[0]).from, partOf(shown.columns, cell[1]).from])].join(' ') }, false);
	};
	// Selects the cell of a row of the table, if the matrix shows it.
	const pickPair = (key: number) => {
		const find = (part: Part, item: number) => Array.from({ length: sideOf(part) }, (_, i) => i).findIndex((i) => within(partOf(part, i), item));
		const [a, b] = [find(shown.rows, itemOf(Math.floor(key / side))), find(shown.columns, itemOf(key % side))];
		pick(a >= 0 && b >= 0 ? [a, b] : null);
	};
	const selected = cells.find(({ key }) => row && column && row.to - row.from === 1 && column.to - column.from === 1 && itemOf(Math.floor(key / side)) === row.from && itemOf(key % side) === column.from);
	return (
		<section class="communication">
			<div class="tools">
				<Ways chosen={chosen} ways={METRICS.map(([by, words]) => [by, words])} />
				{several && (
					<button aria-pressed={byHost} title="all threads of a host together" onClick={() => look(null, !byHost)}>
						by host
					</button>
				)}
				<button disabled={!zoomed} onClick={() => look(null)}>
					whole matrix
				</button>
				{variables.length > 0 && (
					<label>
						variable{' '}
						<select value={variable} onChange={(event) => select({ item: Number(event.currentTarget.value) })}>
							<option value={-1}>all</option>
							{variables.map((one, i) => (
								<option value={i}>{one}</option>
							))}
						</select>
					</label>
				)}
			</div>
			<Whole chosen={chosen} thread phase />
			{!byHost && groups < threads && <p>{`${threads} threads in ${groups} groups of consecutive ones`}</p>}
			{count > 64 && !zoomed && <p>{`${count} ${byHost ? 'hosts' : 'threads'} in 64 rows and columns: drag over a part to zoom`}</p>}
			<p class="describe" aria-live="polite">
				{title}: {format(sum, unit)} in all
				{row && column && `; ${partsName(row, column)}: ${format(value, unit)}, ${percent(value, sum)} %`}
			</p>
			<Legend
				label={`${title}, compared with the largest`}
				colors={[0, 1, 4, 25, 50, 100].map((share) => [`${share} %`, `color-mix(in srgb, var(--hot) ${Math.round(10 * Math.sqrt(share))}%, transparent)`])}
			/>
			<Matrix
				label={`${title}: a row for each ${messages ? 'sender, a column for the receiver' : 'thread, a column for the thread whose memory it is'}`}
				{...{ unit, values, shown, name, picked }}
				onHover={(a, b) => hover(a < 0 ? null : [a, b])}
				onPick={(a, b) => pick([a, b])}
				onZoom={look}
			/>
			<Table
				label="Pairs of threads"
				columns={[
					...METRICS.map(([, words, its, hint], i) => {
						const sort = (one: Cell) => one.values[i];
						return { title: words, hint, number: true, minor: i === 1, sort, cell: (one: Cell) => amount(sort(one), its) };
					}),
					{ title: 'pair', sort: (one: Cell) => one.key, cell: (one: Cell) => pairName(one.key) },
				]}
				rows={zoomed ? cells.filter(({ key }) => within(shown.rows, itemOf(Math.floor(key / side))) && within(shown.columns, itemOf(key % side))) : cells}
				order={at}
				keyOf={(one) => one.key}
				selected={selected?.key ?? -1}
				onSelect={(one) => pickPair(one.key)}
				height={420}
			/>
		</section>
	);
}
