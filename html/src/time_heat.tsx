// SPDX-License-Identifier: BSD-3-Clause
// Threads by time: the stronger a cell, the more of its time the thread was in the chosen kind of state, so that a column
// of one shade is even. Any number of threads fits; the numbers of a cell are shown below.

import { useLayoutEffect, useMemo } from 'preact/hooks';
import { type Cell, onCellKey } from './cells';
import { MEANINGS, meaningColor, meaningOf } from './colors';
import { useWidth } from './flame';
import { percent, point } from './format';
import { Legend } from './legend';
import type { Model } from './model';
import { select, type Selection, useKeptNumbers, usePassing } from './selection';
import type { Timeline } from './stored';
import { decode, eachPiece, sumsOf, type Track } from './timeline_data';
import { drawNames, markStep, prepare, roomFor } from './timeline_draw';

const COLUMNS = 160; // of time
const HIGH = 320; // px at most, for all threads
const RULER = 18;
const STEPS = [0.25, 0.5, 0.75, 1];

// Returns by column: ns in states with that meaning, and in any state.
function sharesOf(track: Track, { from, to }: Timeline, meaning: string): { of: Float64Array; all: Float64Array } {
	const [of, all] = [new Float64Array(COLUMNS), new Float64Array(COLUMNS)];
	const each = (to - from) / COLUMNS;
	eachPiece(track, { from, to }, (piece, begin, end) => {
		const length = track.begin[piece + 1] - track.begin[piece];
		for (let column = Math.floor((begin - from) / each); column < COLUMNS && from + column * each < end; column++) {
			const inside = Math.min(end, from + (column + 1) * each) - Math.max(begin, from + column * each);
			for (let part = track.first[piece]; inside > 0 && part < track.first[piece + 1]; part++) {
				const ns = (track.ns[part] * inside) / length;
				if (track.state[part] < 0) continue;
				all[column] += ns;
				if (meaningOf(track.state[part]) === meaning) of[column] += ns;
			}
		}
	});
	return { of, all };
}

export function TimeHeat({ model, chosen }: { model: Model; chosen: Selection }) {
	const timeline = model.data.more.timeline as Timeline;
	const tracks = useMemo(() => decode(model, timeline), [model.data]);
	const there = useMemo(() => {
		const sums = sumsOf(tracks, timeline, (of, part) => of.state[part]).map(([state]) => meaningOf(state));
		return Object.keys(MEANINGS).filter((meaning) => sums.includes(meaning));
	}, [tracks]);
	const meaning = there.includes(chosen.by) ? chosen.by : there[0];
	const shares = useMemo(() => tracks.map((track) => sharesOf(track, timeline, meaning)), [tracks, meaning]);
	const { ref, width } = useWidth();
	const [[row, column] = [0, 0], keep] = useKeptNumbers('time', 2);
	const [under, hover] = usePassing<Cell | null>(null);
	const rows = tracks.length;
	const high = Math.max(1, Math.min(18, HIGH / Math.max(1, rows)));
	const nameOf = (row: number) => model.threadName(tracks[row].thread);
	const left = roomFor(tracks.map((_, row) => nameOf(row)), width);
	const wide = (width - left) / COLUMNS;
	const isCell = ({ row, column }: Cell) => row >= 0 && row < rows && column >= 0 && column < COLUMNS;
	const at = under ?? (isCell({ row, column }) ? { row, column } : { row: 0, column: 0 });
	const move = (to: Cell) => {
		hover(null);
		keep(to.row, to.column);
	};
	const time = (column: number) => timeline.from + ((timeline.to - timeline.from) * column) / COLUMNS;

	useLayoutEffect(() => {
		const context = prepare(ref.current, width, RULER + rows * high);
		if (!context || !ref.current) return;
		const ink = getComputedStyle(ref.current).color;
		context.fillStyle = ink;
		const step = markStep(((timeline.to - timeline.from) * 100) / Math.max(1, width - left));
		for (let ns = Math.ceil(timeline.from / step) * step; ns < timeline.to; ns += step) {
			const x = left + ((ns - timeline.from) * (width - left)) / (timeline.to - timeline.from);
			const text = `|${point(ns, step)}`;
			if (x + context.measureText(text).width < width) context.fillText(text, x, RULER / 2);
		}
		drawNames(context, rows, nameOf, left, RULER, high);
		for (let row = 0; row < rows; row++) {
			const y = RULER + row * high;
			context.fillStyle = meaningColor(meaning);
			shares[row].of.forEach((ns, column) => {
				context.globalAlpha = shares[row].all[column] > 0 ? ns / shares[row].all[column] : 0;
				context.fillRect(left + column * wide, y, wide + 0.5, Math.max(1, high - (high > 6 ? 1 : 0)));
			});
			context.globalAlpha = 1;
		}
		context.strokeStyle = ink;
		context.lineWidth = 1.5;
		context.strokeRect(left + at.column * wide, RULER + at.row * high, Math.max(3, wide), Math.max(3, high));
	});

	const cellAt = (event: MouseEvent) => ({ row: Math.floor((event.offsetY - RULER) / high), column: Math.floor((event.offsetX - left) / wide) });
	const pick = ({ row, column }: Cell) =>
		select({ view: 'timeline', by: '', look: '', item: -1, from: Math.floor(time(column)), to: Math.ceil(time(column + 1)), thread: tracks[row].thread });
	const onKeyDown = (event: KeyboardEvent) => onCellKey(event, at, isCell, move, pick);
	const describe = () => {
		if (!isCell(at)) return '';
		const { of, all } = shares[at.row];
		const each = (timeline.to - timeline.from) / COLUMNS;
		const said = all[at.column] > 0 ? `${meaning} ${percent(of[at.column], all[at.column])} %` : 'no thread';
		return `${nameOf(at.row)}, ${point(time(at.column), each)} to ${point(time(at.column + 1), each)}: ${said}`;
	};
	return (
		<section class="heatmap timeheat">
			<div class="tools">
				{there.map((one) => (
					<button aria-pressed={one === meaning} onClick={() => select({ by: one })}>
						{one}
					</button>
				))}
			</div>
			<Legend label="share of the time" colors={STEPS.map((share) => [`${100 * share} %`, `color-mix(in srgb, ${meaningColor(meaning)} ${100 * share}%, transparent)`])} />
			<canvas
				ref={ref}
				tabIndex={0}
				role="application"
				aria-roledescription="heat map"
				aria-label={`Threads by time, share of ${meaning}. At: ${describe()}. Arrow keys move, Enter shows that time in the timeline.`}
				style={{ height: `${RULER + rows * high}px` }}
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
