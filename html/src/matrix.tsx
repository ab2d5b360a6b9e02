// SPDX-License-Identifier: BSD-3-Clause
// A matrix of accesses to each other's memory: at most 64 rows and columns, each of a thread, a group of consecutive
// threads, or a host; any rectangle of it can be zoomed to.

import { useRef } from 'preact/hooks';
import { STEPS } from './cells';
import { format } from './format';
import { usePassing } from './selection';

const SIDE = 64; // rows and columns that are drawn
const NUMBERS_TO = 12; // with more, cells are too small for numbers

export interface Part {
	from: number; // items
	to: number;
}

export interface Shown {
	rows: Part;
	columns: Part;
}

// Returns the items of the row or column `i` that is drawn.
export function partOf({ from, to }: Part, i: number): Part {
	const [length, count] = [to - from, Math.min(SIDE, to - from)];
	return { from: from + Math.ceil((i * length) / count), to: from + Math.ceil(((i + 1) * length) / count) };
}

export const sideOf = ({ from, to }: Part): number => Math.min(SIDE, to - from);

// Returns the row or column of an item; -1: it is not shown.
export const placeOf = (part: Part, item: number): number => {
	if (item < part.from || item >= part.to) return -1;
	return Math.floor(((item - part.from) * sideOf(part)) / (part.to - part.from));
};

export interface MatrixProps {
	label: string;
	unit: string;
	values: [number, number, number][]; // row item, column item, value
	shown: Shown;
	name: (part: Part) => string;
	picked: [number, number] | null; // row and column as drawn
	onHover: (row: number, column: number) => void; // -1: nothing
	onPick: (row: number, column: number) => void;
	onZoom: (shown: Shown | null) => void; // null: all
}

export function Matrix({ label, unit, values, shown, name, picked, onHover, onPick, onZoom }: MatrixProps) {
	const [rows, columns] = [sideOf(shown.rows), sideOf(shown.columns)];
	const sums = new Float64Array(rows * columns);
	for (const [a, b, value] of values) {
		const [row, column] = [placeOf(shown.rows, a), placeOf(shown.columns, b)];
		if (row >= 0 && column >= 0) sums[row * columns + column] += value;
	}
	const highest = Math.max(1, sums.reduce((most, value) => Math.max(most, value), 0));
	const numbers = Math.max(rows, columns) <= NUMBERS_TO;
	const every = (side: number) => (side <= NUMBERS_TO ? 1 : Math.ceil(side / 8));
	const head = (part: Part, i: number, side: number) => (i % every(side) === 0 ? name(partOf(part, i)).replace(/-.*/, '') : '');
	const pressed = useRef<[number, number] | null>(null);
	const [dragged, drag] = usePassing<[number, number] | null>(null);
	const zoom = (a: [number, number], b: [number, number]) =>
		onZoom({
			rows: { from: partOf(shown.rows, Math.min(a[0], b[0])).from, to: partOf(shown.rows, Math.max(a[0], b[0])).to },
			columns: { from: partOf(shown.columns, Math.min(a[1], b[1])).from, to: partOf(shown.columns, Math.max(a[1], b[1])).to },
		});
	const isIn = (row: number, column: number) => {
		const [a, b] = [pressed.current, dragged];
		return a && b && row >= Math.min(a[0], b[0]) && row <= Math.max(a[0], b[0]) && column >= Math.min(a[1], b[1]) && column <= Math.max(a[1], b[1]);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const step = STEPS[event.key];
		const within = (at: number, side: number) => Math.min(side - 1, Math.max(0, at));
		if (step) onPick(picked ? within(picked[0] + step[0], rows) : 0, picked ? within(picked[1] + step[1], columns) : 0);
		else if (event.key === 'Enter' && picked) {
			const [down, across] = [Math.ceil(rows / 8), Math.ceil(columns / 8)];
			const low = [within(picked[0] - down, rows), within(picked[1] - across, columns)];
			const end = [within(picked[0] + down, rows), within(picked[1] + across, columns)];
			zoom([low[0], low[1]], [end[0], end[1]]);
		} else if (event.key === 'Escape') onZoom(null);
		else return;
		event.preventDefault();
	};
	const release = (at: [number, number] | null) => {
		const from = pressed.current;
		pressed.current = null;
		drag(null);
		if (!from || !at) return;
		if (from[0] === at[0] && from[1] === at[1]) onPick(at[0], at[1]);
		else zoom(from, at);
	};
	const indices = (count: number) => Array.from({ length: count }, (_, i) => i);
	return (
		<div
			class={numbers ? 'matrix numbers' : 'matrix'}
			tabIndex={0}
			role="application"
			aria-roledescription="matrix"
			aria-label={`${label}. Arrow keys move, Enter zooms, Escape shows all.`}
			style={{ gridTemplateColumns: `max-content repeat(${columns}, minmax(0, 1fr))` }}
			onKeyDown={onKeyDown}
			onMouseLeave={() => {
				onHover(-1, -1);
				release(null);
			}}
		>
			<small>from \ to</small>
			{indices(columns).map((column) => (
				<small>{head(shown.columns, column, columns)}</small>
			))}
			{indices(rows).flatMap((row) => [
				<small>{head(shown.rows, row, rows)}</small>,
				...indices(columns).map((column) => {
					const value = sums[row * columns + column];
					const mark = (picked && picked[0] === row && picked[1] === column) || isIn(row, column);
					return (
						<span
							class={mark ? 'picked' : ''}
							onMouseDown={(event) => {
								pressed.current = [row, column];
								event.preventDefault();
							}}
							onMouseEnter={() => (pressed.current ? drag([row, column]) : onHover(row, column))}
							onMouseUp={() => release([row, column])}
						>
							<i style={{ opacity: Math.sqrt(value / highest) }} />
							{numbers && value > 0 && <b>{format(value, unit)}</b>}
						</span>
					);
				}),
			])}
		</div>
	);
}
