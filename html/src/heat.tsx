// SPDX-License-Identifier: BSD-3-Clause
// Threads by functions: the darker a cell, the more of the function's largest share the thread has, so that a column of
// one shade is even work. Any number of threads fits; the numbers of a cell are shown below.

import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type Cell, onCellKey } from './cells';
import { meaningColor, shade, isDark } from './colors';
import { useWidth } from './flame';
import { format, percent } from './format';
import { Legend } from './legend';
import type { Model } from './model';
import { select, type Selection, useKeptNumbers, usePassing } from './selection';
import { drawNames, nameIn, roomFor } from './timeline_draw';

const COLUMNS = 32; // functions
const HEAD = 220; // px at most, for their names
const LEAST = 15; // px of a column, so that its name can be read
const HIGH = 480; // px at most, for all threads
const STEPS = [0, 0.25, 0.5, 0.75, 1];

interface Heat {
	labels: number[]; // of the columns, the most expensive first
	nodes: number[]; // one path for each label
	values: Float64Array[]; // by column, thread: exclusive
	most: number[]; // by column
	sums: number[];
}

// The table that the page has instead of values by path, if these are too many: of one metric, for the whole run.
function storedHeat(model: Model, { values, labels }: NonNullable<Model['data']['heat']>): Heat {
	const nodes = new Map(model.rows(model.data.heat?.metric ?? '', -1).map(({ label, node }) => [label, node]));
	return {
		labels,
		nodes: labels.map((label) => nodes.get(label) ?? 0),
		values: values.map((of) => Float64Array.from(of)),
		most: values.map((of) => of.reduce((high, value) => Math.max(high, value), 0)),
		sums: values.map((of) => of.reduce((sum, value) => sum + value, 0)),
	};
}

export function heatOf(model: Model, metric: string): Heat {
	if (model.data.heat) return storedHeat(model, model.data.heat);
	const rows = model.rows(metric, -1).filter((row) => row.self > 0).sort((a, b) => b.self - a.self).slice(0, COLUMNS);
	const column = new Map(rows.map(({ label }, i) => [label, i]));
	const threads = model.data.byThread.length;
	const values = rows.map(() => new Float64Array(threads));
	for (let thread = 0; thread < threads; thread++)
		model.each(metric, thread, (node, value) => {
			const at = column.get(model.data.label[node]);
			if (at !== undefined) values[at][thread] += value;
		});
	return {
		labels: rows.map(({ label }) => label),
		nodes: rows.map(({ node }) => node),
		values,
		most: values.map((of) => of.reduce((high, value) => Math.max(high, value), 0)),
		sums: values.map((of) => of.reduce((sum, value) => sum + value, 0)),
	};
}

// Returns a colour between the page's background and the colour of work.
function heatColor(share: number): string {
	const color = meaningColor('work');
	return isDark() ? shade(shade(color, -88 * (1 - share)), 45 * share) : shade(shade(color, -45 * share), 92 * (1 - share));
}

export function HeatMap({ model, chosen, unit, order }: { model: Model; chosen: Selection; unit: string; order: number[] }) {
	const { ref, width } = useWidth();
	const heat = useMemo(() => heatOf(model, chosen.metric), [model, chosen.metric]);
	const [[row, column] = [0, 0], keep] = useKeptNumbers('cell', 2);
	const [under, hover] = usePassing<Cell | null>(null);
	const rows = order.length;
	const nameOf = (row: number) => model.threadName(order[row]);
	const high = Math.max(1, Math.min(18, HIGH / Math.max(1, rows)));
	const left = roomFor(order.map((_, row) => nameOf(row)), width);
	const { labels } = model.data;
	const count = Math.max(1, Math.min(heat.labels.length, Math.floor((width - left) / LEAST)));
	const columns = heat.labels.slice(0, count);
	const wide = Math.min(48, (width - left) / count);
	const head = Math.min(HEAD, 16 + 7 * columns.reduce((most, label) => Math.max(most, labels.text[label].length), 0));
	const valueOf = (row: number, column: number) => heat.values[column]?.[order[row]] ?? 0;
	const isCell = ({ row, column }: Cell) => row >= 0 && row < rows && column >= 0 && column < columns.length;
	const at = under ?? (isCell({ row, column }) ? { row, column } : { row: 0, column: 0 });
	const move = (to: Cell) => {
		hover(null);
		keep(to.row, to.column);
	};

	useLayoutEffect(() => {
		const context = ref.current?.getContext('2d');
		if (!ref.current || !context || width === 0) return;
		const ratio = window.devicePixelRatio || 1;
		const style = getComputedStyle(ref.current);
		ref.current.width = width * ratio;
		ref.current.height = (head + rows * high) * ratio;
		context.scale(ratio, ratio);
		context.font = `12px ${style.fontFamily}`;
		context.textBaseline = 'middle';
		context.fillStyle = style.color;
		columns.forEach((label, column) => {
			const text = labels.text[label];
			context.save();
			context.translate(left + (column + 0.5) * wide, head - 6);
			context.rotate(-Math.PI / 2);
			context.fillText(nameIn(context, text, head - 10), 0, 0);
			context.restore();
		});
		drawNames(context, rows, nameOf, left, head, high);
		for (let row = 0; row < rows; row++) {
			const y = head + row * high;
			heat.most.slice(0, count).forEach((most, column) => {
				context.fillStyle = heatColor(valueOf(row, column) / Math.max(1, most));
				context.fillRect(left + column * wide, y, wide - (wide > 6 ? 1 : 0), Math.max(1, high - (high > 6 ? 1 : 0)));
			});
		}
		context.strokeStyle = style.color;
		context.lineWidth = 2;
		context.strokeRect(left + at.column * wide, head + at.row * high, wide, Math.max(3, high));
	});

	const cellAt = (event: MouseEvent) => ({ row: Math.floor((event.offsetY - head) / high), column: Math.floor((event.offsetX - left) / wide) });
	const pick = (cell: Cell) => {
		const thread = model.data.byThread.length === 0 || order[cell.row] === chosen.thread ? -1 : order[cell.row];
		select({ node: heat.nodes[cell.column], thread });
	};
	const onKeyDown = (event: KeyboardEvent) => onCellKey(event, at, isCell, move, pick);
	const describe = () => {
		if (!isCell(at)) return '';
		const [value, sum] = [valueOf(at.row, at.column), heat.sums[at.column]];
		return `${nameOf(at.row)}, ${labels.text[heat.labels[at.column]]}: ${format(value, unit)}, ${percent(value, sum)} % of all threads' ${format(sum, unit)}`;
	};
	return (
		<section class="heatmap">
			<Legend label="share of what the busiest thread has" colors={STEPS.map((share) => [`${100 * share} %`, heatColor(share)])} />
			<canvas
				ref={ref}
				tabIndex={0}
				role="application"
				aria-roledescription="heat map"
				aria-label={`Threads by functions, ${chosen.metric} by themselves. At: ${describe()}. Arrow keys move, Enter selects.`}
				style={{ height: `${head + rows * high}px` }}
				onKeyDown={onKeyDown}
				onMouseMove={(event) => hover(isCell(cellAt(event)) ? cellAt(event) : null)}
				onMouseLeave={() => hover(null)}
				onClick={(event) => {
					if (!isCell(cellAt(event))) return;
					move(cellAt(event));
					pick(cellAt(event));
				}}
			/>
			<p class="describe" aria-live="polite">
				{describe()}
			</p>
		</section>
	);
}
