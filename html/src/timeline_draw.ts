// SPDX-License-Identifier: BSD-3-Clause
// Drawing of the timeline: strips of time, whose areas are times; call paths below them; curves; arrows.

import { inkOn } from './colors';
import type { Model } from './model';
import { shortName } from './short_name';
import { type Bar, eachPiece, type Range, type Row, type Track } from './timeline_data';

export const NAME = 14; // px, height of a row's name

// A range of time that is shown in a range of pixels.
export interface Frame extends Range {
	left: number; // px
	width: number;
}

// Colours by class: state, or rank of the function. Parts that were not chosen or found are pale.
export interface Paint {
	classOf: (track: Track, part: number) => number; // -1: nothing
	isLit: (track: Track, part: number) => boolean;
	colors: string[];
}

export function prepare(canvas: HTMLCanvasElement | null, width: number, height: number): CanvasRenderingContext2D | undefined {
	const context = canvas?.getContext('2d');
	if (!canvas || !context || width === 0) return undefined;
	const ratio = window.devicePixelRatio || 1;
	canvas.width = width * ratio;
	canvas.height = height * ratio;
	context.scale(ratio, ratio);
	context.font = `12px ${getComputedStyle(canvas).fontFamily}`;
	context.textBaseline = 'middle';
	return context;
}

// Returns as much of a text as fits, with a mark where it is cut.
export function fit(context: CanvasRenderingContext2D, text: string, width: number): string {
	if (context.measureText(text).width <= width) return text;
	let room = text.length - 1;
	while (room > 1 && context.measureText(`${text.slice(0, room)}\u2026`).width > width) room--;
	return `${text.slice(0, room)}\u2026`;
}

export const NARROW = 20; // px; narrower bars have no name
const LEGIBLE = 3; // letters and digits; fewer of a longer name are not legible

// Returns as much of a function's name as fits, the least significant parts left out first; '' if the rest is not
// legible.
export function nameIn(context: CanvasRenderingContext2D, text: string, width: number): string {
	let name = text;
	for (let wide = context.measureText(name).width; wide > width && name.length > 2; wide = context.measureText(name).width)
		name = shortName(text, Math.min(name.length - 1, Math.ceil((name.length * width) / wide)));
	for (let more = shortName(text, name.length + 1); more.length > name.length && context.measureText(more).width <= width; more = shortName(text, name.length + 1))
		name = more; // letters that were left out are wider than the others
	const says = name === text || name.replace(/[^\p{L}\p{N}]/gu, '').length >= LEGIBLE;
	return says && context.measureText(name).width <= width ? name : '';
}

// Returns px for names at the left: as much as the longest needs, but at most a third of the width.
export function roomFor(names: string[], width: number): number {
	const most = names.reduce((longest, name) => Math.max(longest, name.length), 0);
	return Math.floor(Math.min(8 + 7 * most, 220, width / 3));
}

// Like fit, for a name that ends in a number, which stays.
export function fitName(context: CanvasRenderingContext2D, name: string, width: number): string {
	const [, text, number] = /^(.*?)( \d+)?$/.exec(name) ?? [];
	if (!number || context.measureText(name).width <= width) return fit(context, name, width);
	return fit(context, text, width - context.measureText(number).width) + number;
}

// Draws names of rows at the left; if rows are lower than a line, as many as fit.
export function drawNames(context: CanvasRenderingContext2D, rows: number, nameOf: (row: number) => string, left: number, top: number, high: number): void {
	for (let row = 0; row < rows; row += Math.ceil(NAME / high)) context.fillText(fitName(context, nameOf(row), left - 6), 0, top + Math.max(NAME / 2, (row + 0.5) * high));
}

export const xOf = ({ from, to, left, width }: Frame, ns: number): number => left + ((ns - from) * (width - left)) / (to - from);
export const nsOf = ({ from, to, left, width }: Frame, x: number): number => from + ((x - left) * (to - from)) / (width - left);

// Returns the smallest 1, 2 or 5 times a power of ten that is at least `least`.
export function markStep(least: number): number {
	const power = 10 ** Math.floor(Math.log10(least));
	return power * ([1, 2, 5, 10].find((digit) => digit * power >= least) ?? 10);
}

// ---- strips ----

type Mix = Map<number, number>; // ns by class, doubled; odd: pale

// Draws classes one above the other, as high as their shares; if there is little room, only the one with most time.
function fillMix(context: CanvasRenderingContext2D, mix: Mix, { colors }: Paint, x: number, width: number, y: number, high: number): void {
	let whole = 0;
	let most = -1;
	mix.forEach((ns, key) => {
		whole += ns;
		if (most === -1 || ns > (mix.get(most) ?? 0)) most = key;
	});
	const fill = (key: number, top: number, tall: number) => {
		if (key < 0) return;
		context.globalAlpha = key & 1 ? 0.2 : 1;
		context.fillStyle = colors[key >> 1] ?? '';
		context.fillRect(x, top, width, tall);
	};
	if (high < 3 || mix.size === 1) fill(most, y, high);
	else {
		let top = y;
		for (const [key, ns] of [...mix].sort((a, b) => a[0] - b[0])) {
			fill(key, top, (ns * high) / whole);
			top += (ns * high) / whole;
		}
	}
}

function addParts(mix: Mix, of: Track, piece: number, share: number, { classOf, isLit }: Paint): void {
	for (let part = of.first[piece]; part < of.first[piece + 1]; part++) {
		const at = of.state[part] < 0 ? -1 : classOf(of, part);
		const key = at < 0 ? -2 : 2 * at + (isLit(of, part) ? 0 : 1);
		mix.set(key, (mix.get(key) ?? 0) + of.ns[part] * share);
	}
}

function drawTrack(context: CanvasRenderingContext2D, of: Track, frame: Frame, paint: Paint, y: number, high: number): void {
	const mix: Mix = new Map();
	let pixel = -1;
	const flush = () => {
		if (mix.size > 0) fillMix(context, mix, paint, pixel, 1, y, high);
		mix.clear();
	};
	eachPiece(of, frame, (piece, from, to, share) => {
		const [x, end] = [xOf(frame, from), xOf(frame, to)];
		if (end - x >= 1 || Math.floor(x) !== pixel) flush();
		pixel = Math.floor(x);
		addParts(mix, of, piece, share, paint);
		if (end - x < 1) return;
		const [begin, stop] = [Math.round(x), Math.round(end)];
		fillMix(context, mix, paint, begin, Math.max(1, stop - begin), y, high);
		mix.clear();
	});
	flush();
}

// Several threads together, pixel by pixel: ns by column and class. Of a piece, what it adds to the columns between its
// first and its last one is noted where it begins and ends, so that long pieces cost no more than short ones.
function drawTogether(context: CanvasRenderingContext2D, tracks: Track[], frame: Frame, paint: Paint, y: number, high: number): void {
	const count = Math.max(1, Math.ceil(frame.width - frame.left));
	const classes = 2 * paint.colors.length;
	const [own, change] = [new Float64Array(count * classes), new Float64Array((count + 1) * classes)];
	for (const of of tracks)
		eachPiece(of, frame, (piece, from, to, share) => {
			const [x, end] = [xOf(frame, from) - frame.left, xOf(frame, to) - frame.left];
			const low = Math.max(0, Math.min(count - 1, Math.floor(x)));
			const last = Math.max(low, Math.min(count - 1, Math.ceil(end) - 1));
			for (let part = of.first[piece]; part < of.first[piece + 1]; part++) {
				const at = of.state[part] < 0 || of.state[part] === of.left ? -1 : paint.classOf(of, part);
				if (at < 0) continue;
				const key = 2 * at + (paint.isLit(of, part) ? 0 : 1);
				const each = (of.ns[part] * share) / Math.max(1e-9, end - x); // of a whole column
				own[low * classes + key] += each * (Math.min(end, low + 1) - x);
				if (last === low) continue;
				own[last * classes + key] += each * (end - last);
				change[(low + 1) * classes + key] += each;
				change[last * classes + key] -= each;
			}
		});
	const mix: Mix = new Map();
	const running = new Float64Array(classes);
	for (let column = 0; column < count; column++) {
		mix.clear();
		for (let key = 0; key < classes; key++) {
			running[key] += change[column * classes + key];
			const ns = own[column * classes + key] + running[key];
			if (ns > 1e-6) mix.set(key, ns);
		}
		if (mix.size > 0) fillMix(context, mix, paint, frame.left + column, 1, y, high);
	}
}

export function drawStrip(context: CanvasRenderingContext2D, tracks: Track[], frame: Frame, paint: Paint, y: number, high: number): void {
	if (tracks.length === 1) drawTrack(context, tracks[0], frame, paint, y, high);
	else drawTogether(context, tracks, frame, paint, y, high);
	context.globalAlpha = 1;
}

// ---- bars ----

export interface Bars {
	bars: Bar[];
	level: number; // px
	y: number;
	colorOf: (node: number) => string;
	picked: number; // node
}

// Bars with most of the time there, not all of it, are paler.
export function drawBars(context: CanvasRenderingContext2D, model: Model, frame: Frame, { bars, level, y, colorOf, picked }: Bars, ink: string): void {
	for (const bar of bars) {
		const x = Math.max(frame.left, xOf(frame, bar.from));
		const wide = Math.max(1, Math.min(frame.width, xOf(frame, bar.to)) - x);
		const top = y + bar.level * level;
		const color = colorOf(bar.node);
		context.globalAlpha = bar.mixed ? 0.6 : 1;
		context.fillStyle = color;
		context.fillRect(x, top, wide > 3 ? wide - 1 : wide, level - 1);
		context.globalAlpha = 1;
		context.strokeStyle = ink;
		if (bar.node === picked && picked > 0) context.strokeRect(x + 0.5, top + 0.5, Math.max(1, wide - 2), level - 2);
		context.fillStyle = bar.mixed ? ink : inkOn(color);
		if (wide >= NARROW) context.fillText(nameIn(context, model.text(bar.node), wide - 6), x + 3, top + level / 2);
	}
}

// ---- curves ----

// Draws the shown ones of the run's columns; the highest of all columns is as high as the curve.
export function drawCurve(context: CanvasRenderingContext2D, values: number[], run: Range, frame: Frame, y: number, high: number): void {
	const most = values.reduce((a, b) => Math.max(a, b), 0);
	const each = (run.to - run.from) / values.length;
	context.beginPath();
	context.moveTo(frame.left, y + high);
	values.forEach((value, column) => {
		const [from, to] = [run.from + column * each, run.from + (column + 1) * each];
		if (to <= frame.from || from >= frame.to) return;
		const top = y + high - (most > 0 ? (value * (high - 2)) / most : 0);
		context.lineTo(Math.max(frame.left, xOf(frame, from)), top);
		context.lineTo(Math.min(frame.width, xOf(frame, to)), top);
	});
	context.lineTo(frame.width, y + high);
	context.closePath();
	context.fill();
}

// ---- arrows ----

export interface Arrow {
	from: Track;
	to: Track;
	sent: number; // ns
	got: number;
	bytes: number;
}

const APART = 14; // px

// Keeps, of arrows between two tracks that would be drawn side by side, the first one, which has most bytes.
export function spread(arrows: Arrow[], x: (ns: number) => number): Arrow[] {
	const taken = new Set<string>();
	return arrows.filter(({ from, to, sent, got }) => {
		const key = [from.index, to.index, Math.round(x(sent) / APART), Math.round(x(got) / APART)].join(' ');
		return taken.has(key) ? false : taken.add(key);
	});
}

export function drawArrows(context: CanvasRenderingContext2D, arrows: Arrow[], rows: Row[], frame: Frame, [edge, ink]: string[]): void {
	const rowOf = new Map<Track, Row>();
	rows.forEach((row) => row.tracks.forEach((one) => (!row.process || row.folded) && rowOf.set(one, row)));
	context.save();
	context.beginPath();
	context.rect(frame.left, 0, frame.width - frame.left, 1e6);
	context.clip();
	for (const { from, to, sent, got } of arrows) {
		const [a, b] = [rowOf.get(from), rowOf.get(to)];
		if (!a || !b || a === b) continue;
		const [x, end] = [xOf(frame, sent), xOf(frame, got)];
		const [y, tip] = [a.y + a.high / 2, b.y + b.high / 2];
		const angle = Math.atan2(tip - y, end - x);
		const path = new Path2D();
		path.moveTo(x, y);
		path.lineTo(end, tip);
		for (const side of [-0.4, 0.4, 0]) path.lineTo(end - 8 * Math.cos(angle + side), tip - 8 * Math.sin(angle + side));
		path.lineTo(end, tip);
		// An edge separates it from tracks of any colour.
		for (const [color, wide] of [[edge, 3.5], [ink, 1.2]] as const) {
			context.strokeStyle = color;
			context.lineWidth = wide;
			context.stroke(path);
		}
		context.fillStyle = ink;
		context.fill(path);
	}
	context.restore();
}
