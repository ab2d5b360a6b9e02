// SPDX-License-Identifier: BSD-3-Clause
// A table that can be sorted by columns, with any number of rows: only those on the screen are in the document.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { copy } from './keys';
import { useKeptNumbers, usePassing } from './selection';

export const ROW_HEIGHT = 24; // px, as in style.css

export interface Column<Row> {
	title: string;
	hint?: string; // if undefined: that of HINTS
	unit?: string; // shown in the head
	number?: boolean; // right-aligned; sorted by size first
	minor?: boolean; // hidden in narrow windows
	sort?: (row: Row) => number | string;
	cell: (row: Row) => ComponentChildren;
}

// Meanings of columns that several tables have.
const HINTS: { [title: string]: string } = {
	'self %': 'exclusive, without callees: share of the total',
	'total %': 'inclusive, with callees: share of the total',
	visits: 'number of executions, counted by events',
	name: 'function, region or state, and where it is in the source',
	'path ends in': 'the innermost function or region of the path, and its caller',
	line: 'number of the line in the file',
	source: 'the line; the bar compares its cost with that of the most expensive line',
	process: 'process ID',
	thread: 'its number in the program, or its role',
	elapsed: 'time between begin and end',
	accesses: 'to shared memory',
	moved: 'bytes that all accesses moved',
	calls: 'calls that send, receive or exchange data',
	'min size': 'of one access',
	'mean size': 'of one access',
	'max size': 'of one access',
	pair: 'the thread that accesses or sends, and the one whose memory it is or that receives',
	threads: 'number of threads',
	lasted: 'from start to end',
	CPU: 'time of all its threads on processors',
	samples: 'periods of the sampler',
	host: 'the machine it ran on',
	sum: 'of all threads and paths',
	metric: 'name, as in options',
	meaning: 'of one unit of it',
	callers: 'its callers, and their callers',
	callees: 'its callees, and their callees',
	'call path': 'the caller is above',
	bytes: 'of the message or access',
	'from \u2192 to': 'sender and receiver, or accessing thread and owner',
	'phase, region': 'phase or parallel region',
	'main cause': 'the factor that costs most of the efficiency',
};

export interface TableProps<Row> {
	label: string;
	name?: string; // of all tables of a view except one: names its order and rows in a link
	columns: Column<Row>[];
	rows: Row[];
	sorted?: boolean; // the rows are already in order: columns only change `order`
	order?: number; // index of the column that it is sorted by
	onOrder?: (column: number) => void;
	keyOf: (row: Row) => number;
	selected: number; // key
	onSelect: (row: Row) => void;
	onKey?: (event: KeyboardEvent, row: Row | undefined) => boolean; // true: the key was handled
	levelOf?: (row: Row) => { level: number; open?: boolean };
	height?: number; // px; undefined: the rest of the window
}

function compare(a: number | string, b: number | string): number {
	if (typeof a === 'number' && typeof b === 'number') return b - a;
	return String(a).localeCompare(String(b));
}

// Makes an element end where the window ends: style.css subtracts --top, the top of the element.
export function useTop(box: { current: HTMLElement | null }): void {
	useLayoutEffect(() => {
		const element = box.current;
		element?.style.setProperty('--top', `${Math.round(element.getBoundingClientRect().top + window.scrollY)}px`);
	});
}

// Returns the range of rows on the screen.
function useWindow(count: number) {
	const box = useRef<HTMLDivElement>(null);
	const [range, setRange] = usePassing({ top: 0, height: 600 });
	useLayoutEffect(() => {
		const element = box.current;
		if (!element) return undefined;
		const measure = () => setRange({ top: element.scrollTop, height: element.clientHeight });
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		element.addEventListener('scroll', measure, { passive: true });
		measure();
		return () => {
			observer.disconnect();
			element.removeEventListener('scroll', measure);
		};
	}, []);
	const first = Math.max(0, Math.floor(range.top / ROW_HEIGHT) - 10);
	const last = Math.min(count, Math.ceil((range.top + range.height) / ROW_HEIGHT) + 10);
	return { box, first, last };
}

function scrollTo(element: HTMLElement | null, row: number): void {
	if (!element || row < 0) return;
	const top = row * ROW_HEIGHT;
	const head = ROW_HEIGHT; // the heading stays above the rows
	const below = top + ROW_HEIGHT + head - element.scrollTop - element.clientHeight;
	const above = element.scrollTop - top;
	if (Math.max(above, below) > 3 * ROW_HEIGHT) element.scrollTop = top - element.clientHeight / 3; // far: amid others
	else if (above > 0) element.scrollTop = top;
	else if (below > 0) element.scrollTop += below;
}

function classOf<Row>(column: Column<Row>): string {
	return `${column.number ? 'number' : 'name'}${column.minor ? ' minor' : ''}`;
}

const idOf = ({ name }: { name?: string }, key: number) => `${name ?? 'row'}-${key}`;

export function Table<Row>(props: TableProps<Row>) {
	const { columns, keyOf, selected } = props;
	const [[kept] = [-1], keep] = useKeptNumbers(props.name ?? 'order', 1);
	const order = !props.onOrder && columns[kept]?.sort ? kept : (props.order ?? 0);
	const by = columns[order]?.sort;
	const rows = props.sorted || !by ? props.rows : [...props.rows].sort((a, b) => compare(by(a), by(b)));
	const { box, first, last } = useWindow(rows.length);
	useTop(box);
	const at = rows.findIndex((row) => keyOf(row) === selected);

	useEffect(() => scrollTo(box.current, at), [at, selected]);

	const onKeyDown = (event: KeyboardEvent) => {
		if ((event.ctrlKey || event.metaKey) && event.key === 'c' && String(getSelection()) === '') {
			const row = box.current?.querySelector('.row.selected');
			if (row) copy([...row.children].map((cell) => cell.textContent?.trim()).join('\t'));
		}
		if (event.altKey || event.ctrlKey || event.metaKey) return;
		const page = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
		const moves: { [key: string]: number } = {
			ArrowDown: at + 1,
			ArrowUp: at < 0 ? 0 : at - 1,
			PageDown: at + page,
			PageUp: at - page,
			Home: 0,
			End: rows.length - 1,
		};
		const done = props.onKey?.(event, rows[at]) ?? false;
		const to = moves[event.key];
		if (!done && to !== undefined && rows.length > 0)
			props.onSelect(rows[Math.min(rows.length - 1, Math.max(0, to))]);
		if (done || to !== undefined) event.preventDefault();
	};

	return (
		<div
			class="table"
			ref={box}
			tabIndex={0}
			role={props.levelOf ? 'treegrid' : 'grid'}
			aria-label={props.label}
			aria-rowcount={rows.length + 1}
			aria-activedescendant={at >= 0 ? idOf(props, selected) : undefined}
			onKeyDown={onKeyDown}
			style={props.height ? { maxHeight: `${props.height}px`, minHeight: 0 } : undefined}
		>
			<div class="heading" role="row" aria-rowindex={1}>
				{columns.map((column, i) => (
					<div
						role="columnheader"
						class={classOf(column)}
						title={column.hint ?? HINTS[column.title]}
						data-unit={column.unit}
						aria-sort={i === order ? (column.number ? 'descending' : 'ascending') : 'none'}
					>
						{column.sort ? (
							<button
								tabIndex={-1}
								onClick={() => (props.onOrder ? props.onOrder(i) : keep(i))}
							>
								{column.title}
							</button>
						) : (
							column.title
						)}
					</div>
				))}
			</div>
			<div role="presentation" style={{ height: `${first * ROW_HEIGHT}px` }} />
			{rows.slice(first, last).map((row, i) => (
				<TableRow key={keyOf(row)} row={row} index={first + i} {...props} />
			))}
			<div role="presentation" style={{ height: `${(rows.length - last) * ROW_HEIGHT}px` }} />
		</div>
	);
}

function TableRow<Row>(props: TableProps<Row> & { row: Row; index: number }) {
	const { row, columns } = props;
	const key = props.keyOf(row);
	const tree = props.levelOf?.(row);
	return (
		<div
			id={idOf(props, key)}
			class={key === props.selected ? 'row selected' : 'row'}
			role="row"
			aria-rowindex={props.index + 2}
			aria-selected={key === props.selected}
			aria-level={tree?.level}
			aria-expanded={tree?.open}
			onClick={() => props.onSelect(row)}
		>
			{columns.map((column) => (
				<div role="gridcell" class={classOf(column)}>
					{column.cell(row)}
				</div>
			))}
		</div>
	);
}
