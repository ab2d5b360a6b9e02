// SPDX-License-Identifier: BSD-3-Clause
// The call tree as a graph: each path is as wide as its cost. Downwards (icicle) or upwards (flame); children by cost, or
// in the order of the source; recursion folded, the system's code hidden (shape.ts). What it looks like is in the address.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { callsOf } from './callers';
import { inkOn, isDark } from './colors';
import { amountAndShare, format, percent } from './format';
import { colouring, type Colouring, COLOURINGS } from './flame_colors';
import type { Model } from './model';
import { find } from './search';
import { select, type Selection, usePassing } from './selection';
import { type Shape, shapeOf, totalsOf } from './shape';
import { Legend } from './legend';
import { useTop } from './table';
import { NARROW, nameIn } from './timeline_draw';
import { factsOf, Tooltip } from './tooltip';

const BAR = 20; // px, height of a bar
const LEAST = 0.7; // px; narrower bars are not drawn
const ZOOM = 200; // ms that a zoom takes

interface Box {
	node: number;
	x: number;
	width: number;
	level: number;
}

// Colours and texts of a graph that shows other values than shares of the whole.
export interface Paint {
	color: (node: number, dark: boolean) => string;
	behind: (node: number) => string; // after a bar's name, if there is room for all of it
	describe: (node: number) => string;
	legend: ComponentChildren;
	tools: ComponentChildren; // before the graph's own
}

export interface FlameProps {
	model: Model;
	chosen: Selection;
	unit: string;
	paint?: Paint;
}

interface Graph {
	model: Model;
	shape: Shape;
	total: Float64Array; // by bar
	bySource: boolean;
}

function childrenOf({ model, shape, total, bySource }: Graph, bar: number): number[] {
	const children = shape.children[bar].filter((child) => total[child] > 0);
	const line = (child: number) => model.data.labels.line[model.data.label[child]];
	return children.sort((a, b) => (bySource ? line(a) - line(b) || a - b : total[b] - total[a]));
}

function pathOf({ shape }: Graph, bar: number): number[] {
	const bars = [];
	for (let at = bar; at > 0; at = shape.parent[at]) bars.unshift(at);
	return [0, ...bars];
}

// Returns the bars below `zoom`, which is as wide as the graph, and those above it.
function layOut(graph: Graph, zoom: number, width: number): Box[] {
	const { total } = graph;
	const above = pathOf(graph, zoom);
	const boxes: Box[] = above.map((node, level) => ({ node, x: 0, width, level }));
	const scale = total[zoom] > 0 ? width / total[zoom] : 0;
	for (let i = above.length - 1; i < boxes.length; i++) {
		let { x } = boxes[i];
		for (const child of childrenOf(graph, boxes[i].node)) {
			const wide = total[child] * scale;
			if (wide >= LEAST) boxes.push({ node: child, x, width: wide, level: boxes[i].level + 1 });
			x += wide;
		}
	}
	return boxes;
}

// Returns a layout between two others, when `part` of the animation is over: bars of both move, others appear at once.
function between(from: Map<number, Box>, to: Box[], part: number): Box[] {
	const eased = part * (2 - part);
	return to.map((box) => {
		const before = from.get(box.node) ?? box;
		const mix = (a: number, b: number) => a + (b - a) * eased;
		return { ...box, x: mix(before.x, box.x), width: mix(before.width, box.width) };
	});
}

function drawText(context: CanvasRenderingContext2D, text: string, behind: string, x: number, y: number, width: number): void {
	if (width < NARROW) return;
	const beside = nameIn(context, text, width - 8 - context.measureText(behind).width);
	const shown = beside ? `${beside}${behind}` : nameIn(context, text, width - 8);
	if (shown) context.fillText(shown, Math.max(x, 0) + 4, y);
}

interface Drawing {
	boxes: Box[];
	levels: number;
	up: boolean;
	colors: Colouring;
}

function draw(canvas: HTMLCanvasElement, { model, chosen, paint }: FlameProps, { boxes, levels, up, colors }: Drawing): void {
	const context = canvas.getContext('2d');
	if (!context) return;
	const ratio = window.devicePixelRatio || 1;
	const style = getComputedStyle(canvas);
	const picked = chosen.node > 0 ? model.data.label[chosen.node] : -1;
	canvas.width = canvas.clientWidth * ratio;
	canvas.height = levels * BAR * ratio;
	context.scale(ratio, ratio);
	context.font = `12px ${style.fontFamily}`;
	context.textBaseline = 'middle';
	for (const box of boxes) {
		const y = (up ? levels - 1 - box.level : box.level) * BAR;
		const found = find(model.text(box.node), chosen.search);
		const color = paint ? paint.color(box.node, isDark()) : colors.of(box.node);
		context.globalAlpha = chosen.search !== '' && !found ? 0.35 : 1;
		context.fillStyle = color;
		context.fillRect(box.x, y, Math.max(box.width - 1, LEAST), BAR - 1);
		if (model.data.label[box.node] === picked) {
			context.strokeStyle = style.color;
			context.lineWidth = box.node === chosen.node ? 2.5 : 1;
			context.strokeRect(box.x + 1, y + 1, Math.max(box.width - 3, 1), BAR - 3);
		}
		context.fillStyle = chosen.search !== '' && !found ? style.color : inkOn(color);
		drawText(context, model.text(box.node), paint?.behind(box.node) ?? '', box.x, y + BAR / 2, box.width);
	}
	context.globalAlpha = 1;
}

export function useWidth() {
	const ref = useRef<HTMLCanvasElement>(null);
	const [width, setWidth] = usePassing(0);
	useLayoutEffect(() => {
		const canvas = ref.current;
		if (!canvas) return undefined;
		const observer = new ResizeObserver(() => setWidth(canvas.clientWidth));
		observer.observe(canvas);
		setWidth(canvas.clientWidth);
		return () => observer.disconnect();
	}, []);
	return { ref, width };
}

// Returns the bar that a key moves to; -1: none.
function neighbour(graph: Graph, bar: number, key: string): number {
	const siblings = bar > 0 ? childrenOf(graph, graph.shape.parent[bar]) : [bar];
	const at = siblings.indexOf(bar);
	if (key === 'ArrowRight') return siblings[at + 1] ?? -1;
	if (key === 'ArrowLeft') return siblings[at - 1] ?? -1;
	if (key === 'deeper') return childrenOf(graph, bar)[0] ?? -1;
	return key === 'back' && bar > 0 ? graph.shape.parent[bar] : -1;
}

// Describes the cost of all calls of the selected function; recursion counts once.
function matched({ model, chosen, unit }: FlameProps): string {
	const { total, whole } = model.of(chosen.metric, chosen.thread);
	if (chosen.node === 0) return '';
	const label = model.data.label[chosen.node];
	const count = model.data.label.filter((one, node) => one === label && total[node] > 0).length;
	if (count < 2) return '';
	const sum = callsOf(model, label, total).reduce((all, node) => all + total[node], 0);
	return ` It is on ${count} paths: matched ${percent(sum, whole)} %, ${format(sum, unit)}.`;
}

// Decodes the look in the address: words, and one of the colourings.
function lookOf({ look }: Selection) {
	const words = look.split(' ').filter((word) => word !== '');
	const has = (word: string) => words.includes(word);
	return {
		has,
		colours: COLOURINGS.find(has) ?? COLOURINGS[0],
		turn: (word: string) => select({ look: (has(word) ? words.filter((one) => one !== word) : [...words, word]).join(' ') }, false),
		colourBy: (word: string) =>
			select({ look: [...words.filter((one) => !COLOURINGS.includes(one)), ...(word === COLOURINGS[0] ? [] : [word])].join(' ') }, false),
	};
}

export function Flame(props: FlameProps) {
	const { model, chosen, paint } = props;
	const { ref, width } = useWidth();
	const around = useRef<HTMLDivElement>(null);
	useTop(around);
	const look = lookOf(chosen);
	const up = look.has('up');
	const [under, setUnder] = usePassing<{ node: number; x: number; y: number } | null>(null);
	const { self, total: whole } = model.of(chosen.metric, chosen.thread);
	const [folded, userOnly] = [!paint && look.has('recursion'), !paint && look.has('user')];
	const shape = useMemo(() => shapeOf(model, folded, userOnly), [model, folded, userOnly]);
	const total = useMemo(() => (folded || userOnly ? totalsOf(shape, self) : whole), [shape, self]);
	const graph = { model, shape, total, bySource: !paint && look.has('source') };
	const zoom = shape.of[chosen.zoom];
	const boxes = layOut(graph, zoom, width);
	const levels = boxes.reduce((most, box) => Math.max(most, box.level), 0) + 1;
	const colors = useMemo(() => colouring(model, look.colours, (node) => shape.of[node] === node && total[node] > 0), [model, look.colours, shape, total, isDark()]);
	const shown = useRef({ zoom, boxes, moving: 0 });

	// Before the browser paints, so that the first frame of a page has its graph.
	useLayoutEffect(() => {
		const before = shown.current;
		const paintAt = (part: number) =>
			ref.current && draw(ref.current, props, { boxes: part < 1 ? between(from, boxes, part) : boxes, levels, up, colors });
		const from = new Map(before.boxes.map((box) => [box.node, box]));
		const still = before.zoom === zoom || matchMedia('(prefers-reduced-motion: reduce)').matches;
		cancelAnimationFrame(before.moving);
		shown.current = { zoom, boxes, moving: 0 };
		if (still) {
			paintAt(1);
			return;
		}
		const start = performance.now();
		const step = () => {
			const part = Math.min(1, (performance.now() - start) / ZOOM);
			paintAt(part);
			if (part < 1) shown.current.moving = requestAnimationFrame(step);
		};
		step();
	});

	const boxAt = (event: MouseEvent): Box | undefined => {
		const level = Math.floor(event.offsetY / BAR);
		const wanted = up ? levels - 1 - level : level;
		return boxes.find((box) => box.level === wanted && event.offsetX >= box.x && event.offsetX < box.x + box.width);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const names: { [key: string]: string } = { ArrowDown: up ? 'back' : 'deeper', ArrowUp: up ? 'deeper' : 'back' };
		const to = neighbour(graph, shape.of[chosen.node], names[event.key] ?? event.key);
		if (to >= 0) select({ node: to });
		else if (event.key === 'Enter') select({ zoom: chosen.node });
		else if (event.key === 'Escape' || event.key === 'Backspace') select({ zoom: shape.parent[zoom] });
		else return;
		event.preventDefault();
	};
	const describe = (node: number) =>
		`${model.text(shape.of[node])}: ${paint ? paint.describe(node) : amountAndShare(total[shape.of[node]], props.unit, whole[0])}`;
	const ways: [string, string, string][] = [
		['up', 'upwards', 'flame graph, callees above their callers; otherwise icicle'],
		['source', 'source order', 'otherwise the most expensive first'],
		['recursion', 'fold recursion', 'recursive calls are merged into the outermost one'],
		['user', 'hide system code', 'the cost of system libraries and runtimes is attributed to the function that calls them'],
	];

	return (
		<section class="flame">
			{paint ? paint.legend : <Legend label={`Colours by ${look.colours}`} colors={colors.legend} />}
			<div class="tools">
				{paint?.tools}
				{ways.slice(0, paint ? 1 : undefined).map(([word, title, hint]) => (
					<button aria-pressed={look.has(word)} title={hint} onClick={() => look.turn(word)}>
						{title}
					</button>
				))}
				{!paint && (
					<label>
						colours{' '}
						<select value={look.colours} onChange={(event) => look.colourBy(event.currentTarget.value)}>
							{COLOURINGS.map((word) => (
								<option value={word}>by {word}</option>
							))}
						</select>
					</label>
				)}
				<button disabled={chosen.zoom === 0} onClick={() => select({ zoom: 0 })}>
					whole program
				</button>
				<button disabled={chosen.node === 0} onClick={() => select({ zoom: chosen.node })}>
					zoom to selected
				</button>
			</div>
			<div class="graph" ref={around}>
				<canvas
					ref={ref}
					tabIndex={0}
					role="application"
					aria-roledescription="flame graph"
					aria-label={`Call paths by ${chosen.metric}. Selected: ${describe(chosen.node)}. Arrow keys move, Enter zooms, Escape goes back.`}
					style={{ height: `${levels * BAR}px` }}
					onKeyDown={onKeyDown}
					onClick={(event) => {
						const box = boxAt(event);
						if (box) select({ node: box.node });
					}}
					onDblClick={(event) => {
						const box = boxAt(event);
						if (box) select({ node: box.node, zoom: box.node });
					}}
					onMouseMove={(event) => {
						const box = boxAt(event);
						setUnder(box ? { node: box.node, x: event.clientX, y: event.clientY } : null);
					}}
					onMouseLeave={() => setUnder(null)}
				/>
			</div>
			{under && (
				<Tooltip
					x={under.x}
					y={under.y}
					title={model.text(under.node)}
					facts={paint ? [['change', paint.describe(under.node)]] : factsOf(model, chosen, under.node, props.unit)}
				/>
			)}
			<p class="describe" aria-live="polite">
				{describe(chosen.node)}
				{!paint && matched(props)}
			</p>
		</section>
	);
}
