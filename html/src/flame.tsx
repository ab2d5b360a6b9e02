// SPDX-License-Identifier: BSD-3-Clause
// The call tree as a graph: each path is as wide as its cost. Downwards (icicle) or upwards (flame); children by cost, or
// in the order of the source.

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { KIND } from './data';
import { format, percent } from './format';
import type { Model } from './model';
import { find } from './search';
import { select, type Selection } from './selection';
import { factsOf, Tooltip } from './tooltip';

const BAR = 20; // px, height of a bar
const LEAST = 0.7; // px; narrower bars are not drawn

interface Box {
	node: number;
	x: number;
	width: number;
	level: number;
}

// How a graph shows something else than shares of the whole.
export interface Paint {
	color: (node: number, dark: boolean) => string;
	text: (node: number) => string; // in a bar
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

function childrenOf(model: Model, node: number, total: Float64Array, bySource: boolean): number[] {
	const children = model.children[node].filter((child) => total[child] > 0);
	const line = (child: number) => model.data.labels.line[model.data.label[child]];
	return children.sort((a, b) => (bySource ? line(a) - line(b) || a - b : total[b] - total[a]));
}

// The bars below `zoom`, which takes the whole width, and of those above it.
function layOut(model: Model, zoom: number, total: Float64Array, width: number, bySource: boolean): Box[] {
	const above = model.path(zoom);
	const boxes: Box[] = above.map((node, level) => ({ node, x: 0, width, level }));
	const scale = total[zoom] > 0 ? width / total[zoom] : 0;
	for (let i = above.length - 1; i < boxes.length; i++) {
		let { x } = boxes[i];
		for (const child of childrenOf(model, boxes[i].node, total, bySource)) {
			const wide = total[child] * scale;
			if (wide >= LEAST) boxes.push({ node: child, x, width: wide, level: boxes[i].level + 1 });
			x += wide;
		}
	}
	return boxes;
}

// Kinds differ in hue and in lightness, so that they are distinct without colours.
function colorOf(model: Model, node: number, dark: boolean): string {
	const kind = model.kind(node);
	const shade = ((model.data.label[node] * 2654435761) >>> 28) / 2; // 0 to 7.5: neighbours differ a little
	if (model.waits(node)) return dark ? `hsl(322 32% ${34 + shade}%)` : `hsl(322 45% ${74 + shade}%)`;
	if (kind === KIND.STATE) return dark ? `hsl(0 0% ${32 + shade}%)` : `hsl(0 0% ${76 + shade}%)`;
	if (kind === KIND.REGION || kind === KIND.PHASE)
		return dark ? `hsl(205 50% ${32 + shade}%)` : `hsl(205 70% ${76 + shade}%)`;
	return dark ? `hsl(36 55% ${30 + shade}%)` : `hsl(41 90% ${70 + shade}%)`;
}

function drawText(context: CanvasRenderingContext2D, text: string, x: number, y: number, width: number): void {
	const each = context.measureText('m').width;
	const room = Math.floor((width - 8) / each);
	if (room < 3) return;
	context.fillText(text.length > room ? `${text.slice(0, room - 1)}\u2026` : text, Math.max(x, 0) + 4, y);
}

function draw(canvas: HTMLCanvasElement, props: FlameProps, boxes: Box[], levels: number, up: boolean): void {
	const { model, chosen, paint } = props;
	const context = canvas.getContext('2d');
	if (!context) return;
	const ratio = window.devicePixelRatio || 1;
	const style = getComputedStyle(canvas);
	const dark = matchMedia('(prefers-color-scheme: dark)').matches
		? document.documentElement.dataset.theme !== 'light'
		: document.documentElement.dataset.theme === 'dark';
	canvas.width = canvas.clientWidth * ratio;
	canvas.height = levels * BAR * ratio;
	context.scale(ratio, ratio);
	context.font = `12px ${style.fontFamily}`;
	context.textBaseline = 'middle';
	for (const box of boxes) {
		const y = (up ? levels - 1 - box.level : box.level) * BAR;
		const found = find(model.text(box.node), chosen.search);
		context.globalAlpha = chosen.search !== '' && !found ? 0.35 : 1;
		context.fillStyle = paint ? paint.color(box.node, dark) : colorOf(model, box.node, dark);
		context.fillRect(box.x, y, Math.max(box.width - 1, LEAST), BAR - 1);
		if (box.node === chosen.node && chosen.node > 0) {
			context.strokeStyle = style.color;
			context.lineWidth = 2;
			context.strokeRect(box.x + 1, y + 1, Math.max(box.width - 3, 1), BAR - 3);
		}
		context.fillStyle = style.color;
		drawText(context, paint ? paint.text(box.node) : model.text(box.node), box.x, y + BAR / 2, box.width);
	}
	context.globalAlpha = 1;
}

export function useWidth() {
	const ref = useRef<HTMLCanvasElement>(null);
	const [width, setWidth] = useState(0);
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

// The node that a key moves to; -1: none.
function neighbour(model: Model, node: number, key: string, total: Float64Array, bySource: boolean): number {
	const siblings = node > 0 ? childrenOf(model, model.data.parent[node], total, bySource) : [node];
	const at = siblings.indexOf(node);
	const below = childrenOf(model, node, total, bySource);
	if (key === 'ArrowRight') return siblings[at + 1] ?? -1;
	if (key === 'ArrowLeft') return siblings[at - 1] ?? -1;
	if (key === 'deeper') return below[0] ?? -1;
	return key === 'back' && node > 0 ? model.data.parent[node] : -1;
}

export function Flame(props: FlameProps) {
	const { model, chosen, paint } = props;
	const { ref, width } = useWidth();
	const [up, setUp] = useState(false);
	const [bySource, setBySource] = useState(false);
	const [under, setUnder] = useState<{ node: number; x: number; y: number } | null>(null);
	const { total, whole } = model.of(chosen.metric, chosen.thread);
	const boxes = layOut(model, chosen.zoom, total, width, bySource);
	const levels = boxes.reduce((most, box) => Math.max(most, box.level), 0) + 1;

	useEffect(() => {
		if (ref.current) draw(ref.current, props, boxes, levels, up);
	});

	const boxAt = (event: MouseEvent): Box | undefined => {
		const level = Math.floor(event.offsetY / BAR);
		const wanted = up ? levels - 1 - level : level;
		return boxes.find((box) => box.level === wanted && event.offsetX >= box.x && event.offsetX < box.x + box.width);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const names: { [key: string]: string } = { ArrowDown: up ? 'back' : 'deeper', ArrowUp: up ? 'deeper' : 'back' };
		const to = neighbour(model, chosen.node, names[event.key] ?? event.key, total, bySource);
		if (to >= 0) select({ node: to });
		else if (event.key === 'Enter') select({ zoom: chosen.node });
		else if (event.key === 'Escape' || event.key === 'Backspace') select({ zoom: model.data.parent[chosen.zoom] });
		else return;
		event.preventDefault();
	};
	const describe = (node: number) =>
		`${model.text(node)}: ${
			paint ? paint.describe(node) : `${format(total[node], props.unit)}, ${percent(total[node], whole)} %`
		}`;

	return (
		<section class="flame">
			{paint?.legend}
			<div class="tools">
				{paint?.tools}
				<button type="button" aria-pressed={up} onClick={() => setUp(!up)}>
					upwards
				</button>
				{!paint && (
					<button type="button" aria-pressed={bySource} onClick={() => setBySource(!bySource)}>
						in the order of the source
					</button>
				)}
				<button type="button" disabled={chosen.zoom === 0} onClick={() => select({ zoom: 0 })}>
					whole program
				</button>
				<button type="button" disabled={chosen.node === 0} onClick={() => select({ zoom: chosen.node })}>
					zoom to selected
				</button>
			</div>
			<div class="graph">
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
			</p>
		</section>
	);
}
