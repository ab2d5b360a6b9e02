// SPDX-License-Identifier: BSD-3-Clause
// Threads by time: in each piece of time, the state that took most of it and the path that it was on.

import { useEffect, useRef, useState } from 'preact/hooks';
import { PALETTE, stateColor } from './colors';
import { useWidth } from './flame';
import { format, percent, point } from './format';
import { Ways } from './functions';
import type { Model } from './model';
import { passes } from './search';
import type { Timeline } from './stored';
import { select, type Selection } from './selection';
import { Table } from './table';
import { byProcess, type Cells, decode } from './timeline_cells';
import { Overview, Paths } from './timeline_tracks';

const RULER = 18; // px

let decoded: Cells | undefined;
let folded: Cells | undefined;

// Keys by the number of cells from column `from` to `to` that have them, most first; -1: none.
function count(cells: Cells, from: number, to: number, keyOf: (row: number, at: number) => number): [number, number][] {
	const sums = new Map<number, number>();
	cells.state.forEach((_, row) => {
		for (let at = from; at < to; at++) sums.set(keyOf(row, at), (sums.get(keyOf(row, at)) ?? 0) + 1);
	});
	sums.delete(-1);
	return [...sums].sort((a, b) => b[1] - a[1]);
}

// 1, 2 or 5 times a power of ten.
function markStep(least: number): number {
	const power = 10 ** Math.floor(Math.log10(least));
	return power * ([1, 2, 5, 10].find((digit) => digit * power >= least) ?? 10);
}

export function TimelineView({ model, chosen }: { model: Model; chosen: Selection }) {
	const timeline = model.data.more.timeline as Timeline;
	const threads = (decoded ??= decode(model, timeline));
	const several = new Set(threads.pid).size > 1 && new Set(threads.pid).size < threads.pid.length;
	const fold = several && chosen.look === 'processes';
	const cells = fold ? (folded ??= byProcess(threads)) : threads;
	const { ref, width } = useWidth();
	const [under, setUnder] = useState<{ row: number; at: number } | null>(null);
	const [moved, setCursor] = useState({ row: 0, at: 0 });
	const pressed = useRef(-1);
	const from = chosen.from >= 0 && chosen.from < chosen.to ? chosen.from : 0;
	const to = chosen.to > from ? Math.min(chosen.to, timeline.columns) : timeline.columns;
	const rows = cells.state.length;
	const cursor = { row: Math.min(moved.row, rows - 1), at: Math.max(from, Math.min(moved.at, to - 1)) };
	const high = Math.max(4, Math.min(22, Math.floor(640 / rows)));
	const names = high < 12 ? 0 : Math.min(150, width / 4);
	const byFunction = chosen.by === 'function';
	const label = (node: number) => model.data.label[node];
	const keyIn = ({ state, node }: Cells, row: number, at: number) => (state[row][at] >= 0 && byFunction ? label(node[row][at]) : state[row][at]);
	const keyOf = (row: number, at: number) => keyIn(cells, row, at);
	const isIn = (of: Cells, row: number, at: number) => model.has(of.node[row][at]) && (chosen.thread < 0 || of.thread[row] === chosen.thread);
	const isChosen = (row: number, at: number) =>
		fold ? chosen.thread < 0 || model.data.threads[chosen.thread]?.pid === cells.pid[row] : isIn(cells, row, at);
	const ranked = count(threads, from, to, (row, at) => keyIn(threads, row, at));
	const listed = count(threads, from, to, (row, at) => (isIn(threads, row, at) ? keyIn(threads, row, at) : -1));
	const colorOf = (key: number) => {
		const rank = byFunction ? ranked.findIndex(([one]) => one === key) : -1;
		return byFunction ? PALETTE[Math.min(rank, PALETTE.length - 1)] : stateColor(key);
	};
	const titleOf = (key: number) => (byFunction ? model.data.labels.text[key] : (model.data.states[key] ?? 'not measured'));
	const nameOf = (row: number) => {
		const thread = model.data.threads[cells.thread[row]];
		if (fold) return `process ${cells.pid[row]}`;
		return thread ? `${thread.pid} ${thread.label}` : 'thread';
	};
	const time = (at: number) => timeline.from + ((timeline.to - timeline.from) * at) / timeline.columns;
	const piece = (timeline.to - timeline.from) / timeline.columns;
	const short = (at: number) => point(time(at), piece);
	const xOf = (at: number) => names + ((at - from) * (width - names)) / (to - from);

	useEffect(() => {
		const canvas = ref.current;
		const context = canvas?.getContext('2d');
		if (!canvas || !context || width === 0) return;
		const ratio = window.devicePixelRatio || 1;
		const style = getComputedStyle(canvas);
		const colors = new Map(ranked.map(([key]) => [key, colorOf(key)]));
		canvas.width = width * ratio;
		canvas.height = (RULER + rows * high) * ratio;
		context.scale(ratio, ratio);
		context.font = `12px ${style.fontFamily}`;
		context.textBaseline = 'middle';
		context.fillStyle = style.color;
		const step = markStep(((timeline.to - timeline.from) * (to - from) * 80) / (timeline.columns * Math.max(1, width - names)));
		for (let ns = Math.ceil(time(from) / step) * step; ns < time(to); ns += step) {
			const x = xOf(((ns - timeline.from) * timeline.columns) / (timeline.to - timeline.from));
			if (x + 50 < width) context.fillText(`|${point(ns, step)}`, x, RULER / 2);
		}
		cells.state.forEach((states, row) => {
			const y = RULER + row * high;
			context.globalAlpha = 1;
			context.fillStyle = style.color;
			if (names > 0) context.fillText(nameOf(row), 0, y + high / 2, names - 6);
			for (let at = from, end = from; at < to; at = end) {
				const [state, node] = [states[at], cells.node[row][at]];
				while (end < to && states[end] === state && cells.node[row][end] === node) end++;
				const lit = isChosen(row, at) && passes(model.text(node), chosen.search);
				context.globalAlpha = lit ? 1 : 0.2;
				context.fillStyle = colors.get(keyOf(row, at)) ?? '';
				const [x, next] = [Math.round(xOf(at)), Math.round(xOf(end))];
				if (state >= 0) context.fillRect(x, y, Math.max(1, next - x), high - (high > 6 ? 2 : 0));
			}
			context.globalAlpha = 1;
			context.strokeStyle = style.color;
			if (row === cursor.row) context.strokeRect(xOf(cursor.at), y - 1, Math.max(3, xOf(cursor.at + 1) - xOf(cursor.at)), high);
		});
	});

	const cellAt = (event: MouseEvent) => ({
		row: Math.floor((event.offsetY - RULER) / high),
		at: Math.floor(from + ((event.offsetX - names) * (to - from)) / (width - names)),
	});
	const isCell = ({ row, at }: { row: number; at: number }) => row >= 0 && row < rows && at >= from && at < to;
	const pick = (cell: { row: number; at: number }) => {
		setCursor(cell);
		if (cells.state[cell.row][cell.at] >= 0) select({ node: cells.node[cell.row][cell.at], thread: fold ? -1 : cells.thread[cell.row] });
	};
	const zoom = (by: number, middle: number) => {
		const length = Math.max(8, Math.round((to - from) * by));
		const begin = Math.max(0, Math.min(timeline.columns - length, Math.round(middle - length / 2)));
		select(length >= timeline.columns ? { from: -1, to: -1 } : { from: begin, to: begin + length });
	};
	// By a wheel, around what is at the pointer.
	const turn = (event: WheelEvent) => {
		if (event.offsetX < names || event.deltaY === 0) return;
		const at = from + ((event.offsetX - names) * (to - from)) / (width - names);
		const length = Math.max(8, Math.min(timeline.columns, Math.round((to - from) * (event.deltaY < 0 ? 0.8 : 1.25))));
		const begin = Math.max(0, Math.min(timeline.columns - length, Math.round(at - ((at - from) * length) / (to - from))));
		select(length === timeline.columns ? { from: -1, to: -1 } : { from: begin, to: begin + length }, false);
		event.preventDefault();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const steps: { [key: string]: [number, number] } = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
		const step = steps[event.key];
		const next = step && { row: cursor.row + step[0], at: Math.max(from, cursor.at) + step[1] };
		if (next && next.row >= 0 && next.row < rows && next.at >= 0 && next.at < timeline.columns) {
			setCursor(next);
			if (!isCell(next)) zoom(1, next.at); // moves on
		}
		if (event.key === 'Enter') pick(cursor);
		else if (event.key === '+') zoom(0.5, cursor.at);
		else if (event.key === '-') zoom(2, cursor.at);
		else if (event.key === 'w' || event.key === 's') zoom(event.key === 'w' ? 0.5 : 2, (from + to) / 2);
		else if (event.key === 'a' || event.key === 'd') zoom(1, (from + to) / 2 + ((to - from) / 4) * (event.key === 'a' ? -1 : 1));
		else if (event.key === 'Escape') select({ from: -1, to: -1 });
		else if (!step) return;
		event.preventDefault();
	};
	const describe = ({ row, at }: { row: number; at: number }) => {
		const state = cells.state[row][at];
		const where = `${nameOf(row)}, ${short(at)} to ${short(at + 1)}: `;
		if (state < 0) return `${where}no thread`;
		return `${where}mostly ${model.data.states[state] ?? 'not measured'}, ${model.text(cells.node[row][at])}`;
	};
	const directory = (model.data.more.about.processes[0]?.file ?? '').replace(/\/[^/]*$/, '') || 'DIR';
	const command = `heddle report --html part.html --from ${Math.floor(time(from) / 1000)}us --to ${Math.ceil(time(to) / 1000)}us ${directory}`;
	const all = listed.reduce((sum, [, cellsOf]) => sum + cellsOf, 0);
	return (
		<section class="timeline">
			<div class="tools">
				<Ways chosen={chosen} ways={[['', 'by state'], ['function', 'by function']]} />
				{several && (
					<button
						type="button"
						aria-pressed={fold}
						title="one track for each process: what most of its threads do"
						onClick={() => select({ look: fold ? '' : 'processes' }, false)}
					>
						fold processes
					</button>
				)}
				<button type="button" onClick={() => zoom(0.5, isCell(cursor) ? cursor.at : (from + to) / 2)}>zoom in</button>
				<button type="button" disabled={to - from === timeline.columns} onClick={() => zoom(2, (from + to) / 2)}>zoom out</button>
				<span>{`${short(from)} to ${short(to)}; drag over a range, or turn the wheel, to zoom`}</span>
			</div>
			{timeline.damage.map((text) => <p class="note">{text}</p>)}
			<p class="legend">
				{ranked.slice(0, byFunction ? PALETTE.length : undefined).map(([key], rank) => (
					<span>
						<i style={{ background: colorOf(key) }} /> {byFunction && rank === PALETTE.length - 1 ? 'others' : titleOf(key)}{' '}
					</span>
				))}
			</p>
			<Overview cells={threads} from={from} to={to} columns={timeline.columns} />
			<canvas
				ref={ref}
				tabIndex={0}
				role="application"
				aria-roledescription="timeline"
				aria-label={`Threads by time. At: ${describe(cursor)}. Arrow keys move, Enter selects, plus and minus or W and S zoom, A and D shift, Escape shows the whole.`}
				style={{ height: `${RULER + rows * high}px` }}
				onKeyDown={onKeyDown}
				onWheel={turn}
				onMouseDown={(event) => (pressed.current = cellAt(event).at)}
				onMouseUp={(event) => {
					const cell = cellAt(event);
					const [low, end] = [Math.min(pressed.current, cell.at), Math.max(pressed.current, cell.at)];
					if (end - low > 2) select({ from: Math.max(from, low), to: Math.min(to, end + 1) });
					else if (isCell(cell)) pick(cell);
				}}
				onMouseMove={(event) => setUnder(cellAt(event))}
				onMouseLeave={() => setUnder(null)}
			/>
			<p class="describe" aria-live="polite">
				{describe(under && isCell(under) ? under : cursor)}
			</p>
			<p>
				<small>
					The page has pieces of {point(piece, piece / 100)}; a page with finer ones of this part: <code>{command}</code>
				</small>
			</p>
			{!fold && <Paths {...{ model, cells, from, to }} row={cursor.row} name={nameOf(cursor.row)} left={names} picked={chosen.node} />}
			<h2>What took most of the shown time</h2>
			<Table
				label="What took most of the shown time"
				columns={[
					{ title: 'time', hint: 'of all shown threads; each piece of time counts as what took most of it', number: true, cell: ([, cellsOf]) => format(cellsOf * piece, 'ns') },
					{ title: '%', number: true, cell: ([, cellsOf]) => percent(cellsOf, all) },
					{ title: byFunction ? 'function' : 'state', cell: ([key]) => titleOf(key) },
				]}
				rows={listed}
				order={-1}
				keyOf={([key]) => key}
				selected={byFunction && chosen.node > 0 ? label(chosen.node) : -1}
				onSelect={() => undefined}
				height={300}
			/>
		</section>
	);
}
