// SPDX-License-Identifier: BSD-3-Clause
// Above the timeline's tracks: the whole run with the shown range, and the time, phases and curves of that range.

import { useLayoutEffect, useMemo } from 'preact/hooks';
import { PALETTE } from './colors';
import { KIND } from './data';
import { useWidth } from './flame';
import { format, point } from './format';
import type { Model } from './model';
import { select } from './selection';
import type { Timeline } from './stored';
import { phasesOf, type Range, type Track } from './timeline_data';
import { drawBars, drawCurve, drawStrip, type Frame, markStep, type Paint, prepare, xOf } from './timeline_draw';

const HIGH = 18; // px
const RULER = 18;
const BAND = 15;
const CURVE = 34;

type OverviewProps = { tracks: Track[]; run: Range; shown: Range; paint: Paint; kept: number[] };

export function Overview({ tracks, run, shown, paint, kept }: OverviewProps) {
	const { ref, width } = useWidth();
	useLayoutEffect(() => {
		const context = prepare(ref.current, width, HIGH);
		if (!context || !ref.current) return;
		const frame = { ...run, left: 0, width };
		drawStrip(context, tracks, frame, paint, 3, HIGH - 6);
		context.fillStyle = context.strokeStyle = getComputedStyle(ref.current).color;
		if (kept[1] > kept[0]) context.fillRect(xOf(frame, kept[0]), HIGH - 2, Math.max(2, xOf(frame, kept[1]) - xOf(frame, kept[0])), 2);
		context.lineWidth = 2;
		context.strokeRect(xOf(frame, shown.from) + 1, 1, Math.max(4, xOf(frame, shown.to) - xOf(frame, shown.from)) - 2, HIGH - 3);
	});
	// Moves the shown range to the pointer.
	const move = (event: MouseEvent) => {
		const length = shown.to - shown.from;
		const middle = run.from + (event.offsetX * (run.to - run.from)) / width;
		const from = Math.round(Math.max(run.from, Math.min(run.to - length, middle - length / 2)));
		if (event.buttons !== 0 && length < run.to - run.from) select({ from, to: from + length }, false);
	};
	return (
		<canvas
			ref={ref}
			class="overview"
			role="img"
			aria-label="The whole run, all threads together; the frame is the part that is shown, the line below it where all events are"
			style={{ height: `${HIGH}px` }}
			onMouseDown={move}
			onMouseMove={move}
		/>
	);
}

type HeadProps = { model: Model; timeline: Timeline; tracks: Track[]; shown: Range; left: number; curves: Timeline['curves'] };

// Formats an amount per second; for a time, the number of processors.
function rate(value: number, ns: number, { unit, metric }: { unit: string; metric: string }): string {
	if (unit === 'ns') return `${metric}: ${(value / ns).toFixed(2)} CPUs`;
	return `${metric}: ${format((value * 1e9) / ns, unit === 'count' ? '' : unit)} per s`;
}

export function Head({ model, timeline, tracks, shown, left, curves }: HeadProps) {
	const { ref, width } = useWidth();
	const phases = useMemo(() => phasesOf(model, tracks, KIND.PHASE), [model, tracks]);
	const levels = phases.reduce((most, { level }) => Math.max(most, level + 1), 0);
	const high = RULER + levels * BAND + curves.length * CURVE;
	const frame: Frame = { ...shown, left, width };
	useLayoutEffect(() => {
		const context = prepare(ref.current, width, high);
		if (!context || !ref.current) return;
		const ink = getComputedStyle(ref.current).color;
		const step = markStep(((shown.to - shown.from) * 100) / Math.max(1, width - left));
		context.fillStyle = ink;
		for (let ns = Math.ceil(shown.from / step) * step; ns < shown.to; ns += step) {
			const x = xOf(frame, ns);
			const text = `|${point(ns, step)}`;
			if (x + context.measureText(text).width < width) context.fillText(text, x, RULER / 2);
		}
		const visible = phases.filter(({ from, to }) => to > shown.from && from < shown.to);
		const colorOf = (node: number) => PALETTE[model.data.label[node] % (PALETTE.length - 1)];
		if (levels > 0 && left > 0) context.fillText('phases', 0, RULER + BAND / 2);
		drawBars(context, model, frame, { bars: visible, level: BAND, y: RULER, colorOf, picked: -1 }, ink);
		curves.forEach((curve, i) => {
			const y = RULER + levels * BAND + i * CURVE;
			const column = (timeline.to - timeline.from) / curve.values.length;
			context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--region');
			context.globalAlpha = 0.45;
			drawCurve(context, curve.values, timeline, frame, y + 12, CURVE - 14);
			context.globalAlpha = 1;
			context.fillStyle = ink;
			const most = curve.values.reduce((a, b) => Math.max(a, b), 0);
			context.fillText(`${rate(most, column, curve)} at most`, left + 2, y + 6);
		});
	});
	return (
		<canvas
			ref={ref}
			class="above"
			role="img"
			aria-label={`Time${levels > 0 ? ', phases' : ''}${curves.map(({ metric }) => `, ${metric}`).join('')} of the part that is shown`}
			style={{ height: `${high}px` }}
		/>
	);
}

