// SPDX-License-Identifier: BSD-3-Clause
// Who waited for whom in a trace, by kind, place and thread; and the critical path, by thread and by path. The rows are
// those of `heddle report --late` and `--critical`.

import { stateColor } from './colors';
import { CRITICAL } from './data';
import { nodeOf } from './efficiency';
import { format, percent, point, share } from './format';
import { keyOf, nameColumn, selectedKey, Ways, Whole } from './functions';
import type { Model, Row as PathRow } from './model';
import { LabelName } from './name';
import { passes } from './search';
import { select, type Selection, useFolds, useKeptNumbers } from './selection';
import { StateBar } from './split';
import type { WaitRow, Waits } from './stored';
import { type Column, Table } from './table';

const OPEN_TO = 12; // places whose threads are shown initially

type Props = { model: Model; chosen: Selection; waits: Waits };

// A kind, a place below it, or a thread that was waited for below that.
interface Line {
	key: number;
	level: number;
	waited: number;
	kind: number;
	row?: WaitRow;
	cause?: number[];
	rest?: number; // number of threads together
	times: number; // -1: as those below
	open?: boolean; // undefined: nothing is below it
}

const CAUSES = 32; // keys per place
const keyOfRow = ({ kinds }: Waits, row: number) => kinds.length + CAUSES * row;

function causesOf(row: WaitRow, key: number): Line[] {
	const [rest, times, ns] = row.rest;
	const line = { level: 3, kind: row.kind, row };
	const causes = row.causes.map((cause, i): Line => ({ ...line, key: key + 1 + i, waited: cause[3], times: cause[2], cause }));
	return rest > 0 ? [...causes, { ...line, key: key + CAUSES - 1, waited: ns, times, rest }] : causes;
}

function linesOf(model: Model, waits: Waits, search: string, isOpen: (key: number, likely: boolean) => boolean): Line[] {
	const shown = waits.rows
		.map((row, i) => ({ row, key: keyOfRow(waits, i) }))
		.filter(({ row }) => passes(model.data.labels.text[row.label], search));
	const likely = shown.length <= OPEN_TO;
	const kinds = waits.kinds.map(({ waited }, kind) => ({ waited, kind })).sort((a, b) => b.waited - a.waited);
	return kinds.flatMap(({ waited, kind }) => {
		const below = shown.filter(({ row }) => row.kind === kind);
		if (below.length === 0) return [];
		const open = isOpen(kind, true);
		const head: Line = { key: kind, level: 1, waited, kind, times: -1, open };
		if (!open) return [head];
		return [
			head,
			...below.flatMap(({ row, key }) => {
				const unfolded = isOpen(key, likely);
				const place: Line = { key, level: 2, waited: row.waited, kind, row, times: row.count, open: unfolded };
				return unfolded ? [place, ...causesOf(row, key)] : [place];
			}),
		];
	});
}

function LineName({ model, waits, line, search }: { model: Model; waits: Waits; line: Line; search: string }) {
	const { row, cause, rest } = line;
	if (!row) return <b>{waits.kinds[line.kind].text}</b>;
	if (rest) return <>for {rest} other {rest === 1 ? 'thread' : 'threads'}</>;
	if (!cause) return <LabelName model={model} label={row.label} search={search} />;
	return (
		<>
			for {model.threadName(cause[0])}
			{cause[1] !== row.label && (
				<>
					{' in '}
					<LabelName model={model} label={cause[1]} search="" />
				</>
			)}
		</>
	);
}

function Late({ model, chosen, waits }: Props) {
	const [folds, keepFolds] = useFolds('folds');
	const [[at] = [-1], setAt] = useKeptNumbers('row', 1);
	const lines = linesOf(model, waits, chosen.search, (key, likely) => folds.get(key) ?? likely);
	const toggle = ({ key, open }: Line) => keepFolds(new Map(folds).set(key, !open));
	const number = (title: string, hint: string, cell: (line: Line) => string, minor = false): Column<Line> => ({ title, hint, number: true, minor, cell });
	const onKey = (event: KeyboardEvent, line: Line | undefined) => {
		if (!line || line.open === undefined || event.key !== (line.open ? 'ArrowLeft' : 'ArrowRight')) return false;
		toggle(line);
		return true;
	};
	const pick = ({ key, row, cause }: Line) => {
		setAt(key);
		if (cause) select({ node: nodeOf(model, cause[1]) });
		else if (row) select({ node: row.node });
	};
	return (
		<Table
			name="late"
			label="Waits, and the threads that were waited for"
			columns={[
				number('waited', 'by all threads together', ({ waited }) => format(waited, 'ns')),
				number('share %', "of all threads' elapsed time", ({ waited }) => percent(waited, waits.elapsed)),
				number('longest', 'of one thread at one time', ({ level, row }) => (level === 2 && row ? format(row.longest, 'ns') : ''), true),
				number('times', 'how often; below a place, how often it was waited for', ({ times }) => (times < 0 ? '' : format(times, '')), true),
				{
					title: 'where, who was waited for',
					hint: 'the function or region that waited; below it the threads that it waited for, and what these were in. A click selects the path with most of it',
					cell: (line) => (
						<span style={{ paddingLeft: `${line.level - 1}em` }}>
							{line.open === undefined ? (
								<span class="fold" />
							) : (
								<button class="fold" tabIndex={-1} aria-label={line.open ? 'close' : 'open'} onClick={() => toggle(line)}>
									{line.open ? '\u25be' : '\u25b8'}
								</button>
							)}
							<LineName {...{ model, waits, line }} search={chosen.search} />
						</span>
					),
				},
			]}
			rows={lines}
			sorted
			order={0}
			keyOf={({ key }) => key}
			selected={at}
			onSelect={pick}
			onKey={onKey}
			levelOf={({ level, open }) => ({ level, open })}
			height={480}
		/>
	);
}

// The longest wait of one thread, and a link to it.
function Longest({ model, waits }: { model: Model; waits: Waits }) {
	const { longest, longestAt, longestFor, label } = waits.rows.reduce((most, row) => (row.longest > most.longest ? row : most));
	const { timeline } = model.data.more;
	const text = model.data.labels.text[label];
	return (
		<p>
			longest wait: {format(longest, 'ns')} for {model.threadName(longestFor)}, until {point(longestAt, Math.max(1, longest / 10))}: {text}{' '}
			{timeline && (
				<button
					onClick={() =>
						select({
							view: 'timeline', by: '', look: '', item: -1,
							from: Math.max(timeline.from, longestAt - 2 * longest), to: Math.min(timeline.to, longestAt + longest),
						})
					}
				>
					in the timeline
				</button>
			)}
		</p>
	);
}

function PathThreads({ model, chosen, waits: { critical } }: Props) {
	const { states } = model.data;
	const rows = critical.threads;
	const longest = rows.reduce((most, { ns }) => Math.max(most, ns), 1);
	const there = states.map((_, state) => state).filter((state) => rows.some((row) => row.states[state] > 0));
	return (
		<>
			<p class="legend">
				{there.map((state) => (
					<span>
						<i style={{ background: stateColor(state) }} /> {states[state]}{' '}
					</span>
				))}
			</p>
			<Table
				label="Threads that the critical path runs on"
				name="threads"
				columns={[
					{ title: 'time', hint: 'of the critical path on the thread', number: true, sort: ({ ns }) => ns, cell: ({ ns }) => format(ns, 'ns') },
					{ title: 'path %', hint: "of the path's length", number: true, sort: ({ ns }) => ns, cell: ({ ns }) => percent(ns, critical.length) },
					{ title: 'thread', sort: (row) => rows.indexOf(row) * -1, cell: ({ thread }) => model.threadName(thread) },
					{ title: 'states', hint: 'time on the path, by state', cell: (row) => <StateBar values={row.states} longest={longest} states={states} /> },
				]}
				rows={rows}
				order={2}
				keyOf={(row) => rows.indexOf(row)}
				selected={chosen.thread < 0 ? -1 : rows.findIndex(({ thread }) => thread === chosen.thread)}
				onSelect={({ thread }) => thread < model.data.byThread.length && select({ thread: chosen.thread === thread ? -1 : thread })}
				height={300}
			/>
		</>
	);
}

function PathCode({ model, chosen }: { model: Model; chosen: Selection }) {
	const { whole } = model.of(CRITICAL, -1);
	const rows = (chosen.by === 'path' ? model.paths(CRITICAL, -1) : model.rows(CRITICAL, -1))
		.filter(({ label, total }) => total > 0 && passes(model.data.labels.text[label], chosen.search));
	const self = (row: PathRow) => row.self;
	return (
		<>
			<div class="tools">
				<Ways chosen={chosen} ways={[['', 'by function'], ['path', 'by path']]} />
			</div>
			<Table
				label="The critical path by function"
				columns={[
					{ title: 'self %', number: true, sort: self, cell: (row) => share(row.self, whole) },
					{ title: 'total %', number: true, minor: true, sort: (row) => row.total, cell: (row) => share(row.total, whole) },
					{ title: 'on the path', hint: 'elapsed time on the critical path', number: true, sort: self, cell: (row) => (row.self > 0 ? format(row.self, 'ns') : '\u2013') },
					nameColumn(model, chosen),
				]}
				rows={rows}
				keyOf={keyOf(chosen)}
				selected={selectedKey(model, chosen)}
				onSelect={({ node }) => select({ node })}
				height={480}
			/>
		</>
	);
}

export function WaitsView({ model, chosen }: { model: Model; chosen: Selection }) {
	const waits = model.data.more.waits as Waits;
	const { rows, left, critical } = waits;
	const { crowd, threads, changes, length } = critical;
	return (
		<section class="waits">
			<Whole chosen={chosen} thread phase />
			<h2>Who waited for whom</h2>
			{rows.length > 0 ? <Late {...{ model, chosen, waits }} /> : <p>No thread waited for another one at a barrier, in a collective or for a message.</p>}
			{left[0] > 0 && <p>{`${left[0]} more places: ${format(left[1], 'ns')}`}</p>}
			{rows.length > 0 && <Longest model={model} waits={waits} />}
			<h2>The critical path</h2>
			<p>
				{format(length, 'ns')}, the length of {waits.part ? 'this part' : 'the run'}, on {format(threads.length, '')} {threads.length === 1 ? 'thread' : 'threads'},{' '}
				{format(changes, '')} {changes === 1 ? 'change' : 'changes'} of thread. Code that is not on it can be made faster without any effect.
			</p>
			{crowd.threads > 0 && (
				<p class="note">
					{`${(100 * crowd.share).toFixed(0)} % of the path is wake-up latency: ${format(crowd.threads, '')} threads share ${crowd.processors} `}
					{crowd.processors === 1 ? 'processor' : 'processors'}, so a thread whose wait has ended waits for a processor.
				</p>
			)}
			<PathThreads {...{ model, chosen, waits }} />
			<PathCode model={model} chosen={chosen} />
		</section>
	);
}
