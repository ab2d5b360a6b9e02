// SPDX-License-Identifier: BSD-3-Clause
// Above and below the timeline: the whole run with the part that is shown, and the call paths of one thread by time.

import { useEffect, useMemo } from 'preact/hooks';
import { colouring } from './flame_colors';
import { inkOn, stateColor } from './colors';
import { useWidth } from './flame';
import type { Model } from './model';
import { select } from './selection';
import { shortName } from './short_name';
import { type Cells, overall } from './timeline_cells';

const HIGH = 14; // px
const BAR = 16; // px
const LEVELS = 24;

function prepare(canvas: HTMLCanvasElement | null, width: number, height: number) {
	const context = canvas?.getContext('2d');
	if (!canvas || !context || width === 0) return undefined;
	const ratio = window.devicePixelRatio || 1;
	canvas.width = width * ratio;
	canvas.height = height * ratio;
	context.scale(ratio, ratio);
	context.font = `11px ${getComputedStyle(canvas).fontFamily}`;
	context.textBaseline = 'middle';
	return context;
}

export function Overview({ cells, from, to, columns }: { cells: Cells; from: number; to: number; columns: number }) {
	const { ref, width } = useWidth();
	const most = useMemo(() => overall(cells), [cells]);
	useEffect(() => {
		const context = prepare(ref.current, width, HIGH);
		if (!context || !ref.current) return;
		for (let at = 0, end = 0; at < columns; at = end) {
			while (end < columns && most[end] === most[at]) end++;
			if (most[at] < 0) continue;
			context.fillStyle = stateColor(most[at]);
			context.fillRect((at * width) / columns, 2, Math.max(1, ((end - at) * width) / columns), HIGH - 4);
		}
		context.strokeStyle = getComputedStyle(ref.current).color;
		context.lineWidth = 2;
		context.strokeRect((from * width) / columns + 1, 1, Math.max(4, ((to - from) * width) / columns) - 2, HIGH - 2);
	});
	// The part moves to where the pointer is.
	const move = (event: MouseEvent) => {
		const begin = Math.max(0, Math.min(columns - (to - from), Math.round((event.offsetX * columns) / width - (to - from) / 2)));
		if (event.buttons !== 0 && to - from < columns) select({ from: begin, to: begin + to - from }, false);
	};
	return (
		<canvas
			ref={ref}
			class="overview"
			role="img"
			aria-label="The whole run: what most threads do; the frame is the part that is shown"
			style={{ height: `${HIGH}px` }}
			onMouseDown={move}
			onMouseMove={move}
		/>
	);
}

interface Bar {
	node: number;
	level: number;
	from: number;
	to: number;
}

// Calls that go on from one piece of time to the next are one bar.
export function barsOf(model: Model, nodes: Int32Array, states: Int16Array, from: number, to: number): Bar[] {
	const bars: Bar[] = [];
	let open: Bar[] = [];
	for (let at = from; at < to; at++) {
		const path = states[at] < 0 ? [] : model.path(nodes[at]).slice(0, LEVELS);
		let same = 0;
		while (same < path.length && open[same]?.node === path[same]) open[same++].to = at + 1;
		open = open.slice(0, same);
		for (const node of path.slice(same)) {
			const bar = { node, level: open.length, from: at, to: at + 1 };
			open.push(bar);
			bars.push(bar);
		}
	}
	return bars;
}

type PathsProps = { model: Model; cells: Cells; row: number; name: string; from: number; to: number; left: number; picked: number };

export function Paths({ model, cells, row, name, from, to, left, picked }: PathsProps) {
	const { ref, width } = useWidth();
	const bars = useMemo(() => barsOf(model, cells.node[row], cells.state[row], from, to), [model, cells, row, from, to]);
	const colors = useMemo(() => colouring(model, 'state', new Float64Array(0)), [model]);
	const high = (bars.reduce((most, { level }) => Math.max(most, level), 0) + 1) * BAR;
	const xOf = (at: number) => left + ((at - from) * (width - left)) / (to - from);
	useEffect(() => {
		const context = prepare(ref.current, width, high);
		if (!context || !ref.current) return;
		const ink = getComputedStyle(ref.current).color;
		for (const bar of bars) {
			const [x, wide] = [xOf(bar.from), Math.max(1, xOf(bar.to) - xOf(bar.from))];
			const color = colors.of(bar.node);
			context.fillStyle = color;
			context.fillRect(x, bar.level * BAR, wide > 3 ? wide - 1 : wide, BAR - 1);
			context.strokeStyle = ink;
			if (bar.node === picked && picked > 0) context.strokeRect(x + 0.5, bar.level * BAR + 0.5, Math.max(1, wide - 2), BAR - 2);
			const room = Math.floor((wide - 6) / 6.2);
			const text = model.text(bar.node);
			context.fillStyle = inkOn(color);
			if (room >= 3) context.fillText(shortName(text, room), x + 3, bar.level * BAR + BAR / 2);
		}
	});
	return (
		<>
			<h2>Call paths of {name}</h2>
			<canvas
				ref={ref}
				class="paths"
				role="img"
				aria-label={`Call paths of ${name} by time, of each piece of time the one that took most of it`}
				style={{ height: `${high}px` }}
				onClick={(event) => {
					const level = Math.floor(event.offsetY / BAR);
					const bar = bars.find((one) => one.level === level && event.offsetX >= xOf(one.from) && event.offsetX < xOf(one.to));
					if (bar) select({ node: bar.node });
				}}
			/>
		</>
	);
}
