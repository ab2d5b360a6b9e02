// SPDX-License-Identifier: BSD-3-Clause
// Threads by time, down to events: tracks of processes and threads that fold, call paths in a thread's track, arrows of
// messages and accesses, phases, curves, and a table of the times that are shown. The shown part, and what is folded or
// open, are in the address.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { isDark, PALETTE, stateColor } from './colors';
import { KIND } from './data';
import { useWidth } from './flame';
import { colouring } from './flame_colors';
import { format, percent, point } from './format';
import { Ways } from './functions';
import { Legend } from './legend';
import type { Model } from './model';
import { passes } from './search';
import { select, type Selection, useKeptNumbers, usePassing } from './selection';
import type { Timeline } from './stored';
import { type Bar, barsOf, decode, mostOf, pieceAt, type Range, type Row, rowsOf, sumsOf, type Track } from './timeline_data';
import { type Arrow, drawArrows, spread, drawBars, drawStrip, fitName, type Frame, NAME, nsOf, type Paint, prepare, roomFor, xOf } from './timeline_draw';
import { useTop } from './table';
import { Arrows, coarseness, Resolution, Times } from './timeline_tables';
import { Head, Overview } from './timeline_tracks';
import { Tooltip } from './tooltip';

const LEAST = 20; // ns, shortest range that can be shown
const LEVEL = 14; // px, height of a call
const LEVELS = 16; // of calls
const ARROWS = 400; // in the table
const ARROWS_DRAWN = 1500;
const OTHERS = -1; // paths for which a piece has no room

let kept: { model: Model; tracks: Track[] } | undefined;

function tracksOf(model: Model, timeline: Timeline): Track[] {
	if (kept?.model.data !== model.data) kept = { model, tracks: decode(model, timeline) };
	return kept.tracks;
}

// Decodes the words of the address: what is folded, open, left out. Each word inverts a default.
function lookOf({ look }: Selection, few: boolean) {
	const words = look.split(' ').filter((word) => word !== '');
	const has = (word: string) => words.includes(word);
	const turn = (...turned: string[]) =>
		select({ look: turned.reduce((now, word) => (now.includes(word) ? now.filter((one) => one !== word) : [...now, word]), words).join(' ') }, false);
	const unfolded = words.filter((word) => word.startsWith('p') && word !== 'processes');
	return {
		folded: (pid: number) => has('processes') !== has(`p${pid}`),
		open: (track: Track) => (few && track.index === 0) !== has(`t${track.index}`),
		all: has('processes'),
		arrows: has('arrows'),
		curves: !has('nocurves'),
		turn,
		foldAll: () => turn('processes', ...unfolded),
	};
}

// What is coloured: states, or the functions with most time in the whole run.
function painting(model: Model, tracks: Track[], run: Range, chosen: Selection) {
	const byFunction = chosen.by === 'function';
	const keyOf = (of: Track, part: number) => {
		if (!byFunction) return of.state[part];
		return of.node[part] < 0 ? OTHERS : model.data.label[of.node[part]];
	};
	const ranked = sumsOf(tracks, run, keyOf).map(([key]) => key);
	const last = PALETTE.length - 1;
	const stateOf = new Map<number, number>(); // by label of a state
	model.data.label.forEach((label, node) => model.kind(node) === KIND.STATE && stateOf.set(label, model.data.state[node]));
	const named = ranked.filter((key) => key !== OTHERS && !stateOf.has(key)).slice(0, last);
	const rank = new Map(named.map((key, i) => [key, i]));
	const titleOf = (key: number) => {
		if (byFunction) return key === OTHERS ? 'other paths' : model.data.labels.text[key];
		return model.data.states[key] ?? 'not measured';
	};
	const ofStates = Array.from({ length: model.data.states.length + 1 }, (_, state) => stateColor(state));
	const colors = byFunction ? [...PALETTE, ...ofStates] : ofStates;
	const classFor = (key: number) => {
		if (!byFunction) return key;
		const state = stateOf.get(key);
		return state === undefined ? (rank.get(key) ?? last) : PALETTE.length + state;
	};
	const classOf = (of: Track, part: number) => classFor(keyOf(of, part));
	const slept = tracks.map((one) => one.left).find((state) => state >= 0 && !ranked.includes(state));
	const shown = byFunction ? ranked.filter((key) => classFor(key) !== last) : slept === undefined ? ranked : [...ranked, slept]; // also a state that is in no sum
	const legend = shown.map((key): [string, string] => [titleOf(key), colors[classFor(key)]]);
	if (byFunction && ranked.length > shown.length) legend.push(['others', PALETTE[last]]);
	return { keyOf, titleOf, classOf, colors, legend };
}

export function TimelineView({ model, chosen }: { model: Model; chosen: Selection }) {
	const timeline = model.data.more.timeline as Timeline;
	const tracks = tracksOf(model, timeline);
	const { ref, width } = useWidth();
	const around = useRef<HTMLDivElement>(null);
	useTop(around);
	const [under, setUnder] = usePassing<{ x: number; y: number; left: number; top: number } | null>(null);
	const [[row, at] = [0, -1], setCursor] = useKeptNumbers('cursor', 2);
	const [dragged, setDragged] = usePassing<[number, number] | null>(null);
	const run: Range = timeline;
	const from = chosen.from >= run.from && chosen.from < run.to ? chosen.from : run.from;
	const shown: Range = { from, to: chosen.to > from ? Math.min(chosen.to, run.to) : run.to };
	const length = shown.to - shown.from;
	const look = lookOf(chosen, tracks.length <= 16);
	const grouped = new Set(tracks.map(({ pid }) => pid)).size;
	const several = grouped > 1 && grouped < tracks.length;
	const high = Math.max(5, Math.min(20, Math.floor(560 / (look.all ? grouped : tracks.length))));
	const bars = new Map<Track, Bar[]>();
	const names = tracks.map(({ thread, pid }) => (several ? `   ${model.data.threads[thread]?.label ?? 'thread'} ${look.all ? pid : ''}` : `\u25b8  ${model.threadName(thread)}`));
	const left = roomFor([...names, several ? '\u25be  process 123456' : ''], width - 16);
	const pixel = length / Math.max(1, width - left);
	tracks.filter(look.open).forEach((one) => bars.set(one, barsOf(model, one, shown, pixel, LEVELS)));
	const depthOf = (one: Track) => (bars.get(one) ?? []).reduce((most, { level }) => Math.max(most, level + 1), 0);
	const rows = rowsOf(tracks, { ...look, depthOf, high, level: LEVEL });
	const tall = rows[rows.length - 1] ? rows[rows.length - 1].y + rows[rows.length - 1].high + rows[rows.length - 1].paths : 0;
	const frame: Frame = { ...shown, left, width };
	const dark = isDark();
	const looks = useMemo(() => painting(model, tracks, run, chosen), [model, tracks, chosen.by, dark]);
	const lit = useMemo(() => model.data.labels.text.map((text) => passes(text, chosen.search)), [model, chosen.search]);
	const isLit = (of: Track, part: number) => {
		const node = of.node[part];
		if (chosen.thread >= 0 && of.thread !== chosen.thread) return false;
		return node < 0 ? chosen.search === '' && chosen.phase < 0 : lit[model.data.label[node]] && model.has(node);
	};
	const paint: Paint = { classOf: looks.classOf, isLit, colors: looks.colors };
	const states = useMemo(() => colouring(model, 'state', () => false), [model, dark]);
	const listed = useMemo(
		() => sumsOf(tracks, shown, (of, part) => (isLit(of, part) ? looks.keyOf(of, part) : undefined)),
		[tracks, shown.from, shown.to, looks, lit, chosen.thread],
	);
	const arrows = useMemo(() => {
		const { shown: stored } = timeline.arrows;
		return Array.from({ length: stored.length / 5 }, (_, i): Arrow => {
			const [a, b, at, long, bytes] = stored.slice(5 * i, 5 * i + 5);
			return { from: tracks[a], to: tracks[b], sent: run.from + at, got: run.from + at + long, bytes };
		});
	}, [tracks]);
	const arrowsShown = arrows
		.filter(({ sent, got }) => got >= shown.from && sent < shown.to)
		.sort((a, b) => b.bytes - a.bytes);
	const arrowsDrawn = spread(arrowsShown, (ns) => xOf(frame, ns)).slice(0, ARROWS_DRAWN);
	const barsIn = (row: Row) => (row.open ? (bars.get(row.tracks[0]) ?? []) : []);
	const cursor = { row: Math.max(0, Math.min(row, rows.length - 1)), at: Math.max(shown.from, Math.min(at, shown.to - 1)) };

	const nameOf = (row: Row) => {
		const { thread, pid } = row.tracks[0];
		return row.process ? `process ${pid}` : model.threadName(thread);
	};
	const marked = (row: Row) => {
		if (row.process) return `${row.folded ? '\u25b8' : '\u25be'} ${nameOf(row)}`;
		return `${several ? '   ' : ''}${row.open ? '\u25be' : '\u25b8'} ${several ? nameOf(row).replace(/^\d+ /, '') : nameOf(row)}`;
	};
	const turnRow = (row: Row) => look.turn(row.process ? `p${row.tracks[0].pid}` : `t${row.tracks[0].index}`);

	useEffect(() => {
		const context = prepare(ref.current, width, tall);
		if (!context || !ref.current) return;
		const ink = getComputedStyle(ref.current).color;
		let named = -NAME;
		rows.forEach((row, i) => {
			const gap = high > 7 ? 2 : 1;
			drawStrip(context, row.tracks, frame, paint, row.y + 1, high - gap);
			context.fillStyle = context.strokeStyle = ink;
			if (row.y - named >= NAME) {
				named = row.y;
				context.fillText(fitName(context, marked(row), left - 6), 0, Math.max(NAME, 2 * row.y + high) / 2);
			}
			if (row.open) {
				const colorOf = (node: number) => states.of(node);
				drawBars(context, model, frame, { bars: barsIn(row), level: LEVEL, y: row.y + high, colorOf, picked: chosen.node }, ink);
			}
			context.lineWidth = 1.5;
			context.strokeStyle = ink;
			if (i !== cursor.row) return;
			const piece = pieceAt(row.tracks[0], cursor.at);
			const { begin } = row.tracks[0];
			const [a, b] = piece < 0 || row.process ? [cursor.at, cursor.at] : [Math.max(shown.from, begin[piece]), Math.min(shown.to, begin[piece + 1])];
			context.strokeRect(xOf(frame, a), row.y + 0.5, Math.max(3, xOf(frame, b) - xOf(frame, a)), high - 1);
		});
		if (look.arrows) drawArrows(context, arrowsDrawn, rows, frame, [getComputedStyle(document.body).backgroundColor, ink]);
		if (!dragged) return;
		context.globalAlpha = 0.25;
		context.fillStyle = ink;
		context.fillRect(Math.min(...dragged), 0, Math.abs(dragged[1] - dragged[0]), tall);
	});

	// ---- pointer and keys ----

	const show = (begin: number, long: number, step = false) => {
		const wanted = Math.max(LEAST, Math.min(Math.round(long), run.to - run.from));
		const low = Math.round(Math.max(run.from, Math.min(run.to - wanted, begin)));
		select(wanted >= run.to - run.from ? { from: -1, to: -1 } : { from: low, to: low + wanted }, step);
	};
	const zoom = (by: number, middle: number) => show(middle - ((middle - shown.from) / length) * length * by, length * by, true);
	const rowAt = (y: number) => rows.findIndex((row) => y >= row.y && y < row.y + row.high + row.paths);
	const barAt = (row: Row, x: number, y: number): Bar | undefined => {
		const level = Math.floor((y - row.y - row.high) / LEVEL);
		const ns = nsOf(frame, x);
		return level < 0 ? undefined : barsIn(row).find((bar) => bar.level === level && ns >= bar.from && ns < bar.to);
	};
	const turn = (event: WheelEvent) => {
		if (event.offsetX < left) return;
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			show(shown.from + (Math.sign(event.deltaX || event.deltaY) * length) / 10, length);
		} else {
			const at = nsOf(frame, event.offsetX);
			const by = event.deltaY < 0 ? 0.8 : 1.25;
			show(at - (at - shown.from) * by, length * by);
		}
		event.preventDefault();
	};
	const pick = (row: Row, at: number) => {
		const piece = pieceAt(row.tracks[0], at);
		if (row.process || piece < 0) return;
		const part = mostOf(row.tracks[0], piece);
		if (row.tracks[0].state[part] >= 0) select({ node: Math.max(0, row.tracks[0].node[part]), thread: row.tracks[0].thread });
	};
	const click = (event: MouseEvent) => {
		const index = rowAt(event.offsetY);
		const row = rows[index];
		if (!row) return;
		if (event.offsetX < left) {
			turnRow(row);
			return;
		}
		const at = nsOf(frame, event.offsetX);
		const bar = barAt(row, event.offsetX, event.offsetY);
		setCursor(index, Math.round(at));
		if (bar) select({ node: bar.node });
		else pick(row, at);
	};
	// Returns the next or previous piece, but at least a two-hundredth of the shown range away.
	const beside = (by: number): number => {
		const [row, least] = [rows[cursor.row], length / 200];
		const piece = row.process ? -1 : pieceAt(row.tracks[0], cursor.at);
		if (piece < 0) return cursor.at + by * least;
		const { begin } = row.tracks[0];
		return by > 0 ? Math.max(begin[piece + 1], cursor.at + least) : Math.min(begin[piece] - 1, cursor.at - least);
	};
	const move = (row: number, at: number) => {
		if (row < 0 || row >= rows.length || at >= run.to) return;
		setCursor(row, Math.round(Math.max(run.from, at)));
		if (at < shown.from || at >= shown.to) show(at - length / 2, length);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const middle = (shown.from + shown.to) / 2;
		const keys: { [key: string]: () => void } = {
			ArrowLeft: () => move(cursor.row, beside(-1)),
			ArrowRight: () => move(cursor.row, beside(1)),
			ArrowUp: () => move(cursor.row - 1, cursor.at),
			ArrowDown: () => move(cursor.row + 1, cursor.at),
			Enter: () => pick(rows[cursor.row], cursor.at),
			f: () => turnRow(rows[cursor.row]),
			'+': () => zoom(0.5, cursor.at),
			'-': () => zoom(2, cursor.at),
			w: () => zoom(0.5, middle),
			s: () => zoom(2, middle),
			a: () => show(shown.from - length / 4, length),
			d: () => show(shown.from + length / 4, length),
			Escape: () => select({ from: -1, to: -1 }),
		};
		if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
		keys[event.key]();
		event.preventDefault();
	};

	// ---- words ----

	// Formats a time with so many digits that both ends of a range differ.
	const digits = (ns: number, long: number) => point(ns, Math.max(1, long / 10));
	// Returns what a row did in a range, most time first.
	const parts = (row: Row, range: Range): string[] => {
		const sums = sumsOf(row.tracks, range, (of, part) => of.state[part]);
		const whole = sums.reduce((sum, [, ns]) => sum + ns, 0);
		return sums.map(([state, ns]) => `${model.data.states[state] ?? 'not measured'}${sums.length > 1 ? ` ${percent(ns, whole)} %` : ''}`);
	};
	const pieceOf = (row: Row, at: number): Range => {
		const piece = row.process ? -1 : pieceAt(row.tracks[0], at);
		if (piece >= 0) return { from: row.tracks[0].begin[piece], to: row.tracks[0].begin[piece + 1] };
		return { from: at, to: at + Math.max(1, pixel) };
	};
	const pathText = (row: Row, at: number): string => {
		const piece = row.process ? -1 : pieceAt(row.tracks[0], at);
		if (piece < 0) return '';
		const part = mostOf(row.tracks[0], piece);
		const mixed = row.tracks[0].first[piece + 1] - row.tracks[0].first[piece] > 1;
		if (row.tracks[0].state[part] < 0 || row.tracks[0].node[part] < 0) return '';
		return `${mixed ? 'mostly ' : ''}${model.text(row.tracks[0].node[part])}`;
	};
	const describe = (row: Row, at: number): string => {
		const range = pieceOf(row, at);
		const long = range.to - range.from;
		const did = parts(row, range);
		const where = `${nameOf(row)}, ${digits(range.from, long)} to ${digits(range.to, long)} (${format(long, 'ns')}): `;
		return `${where}${[did.length > 0 ? did.join(', ') : 'no thread', pathText(row, at)].filter((text) => text !== '').join('; ')}`;
	};
	const tooltip = () => {
		const row = under && under.x >= left ? rows[rowAt(under.y)] : undefined;
		if (!under || !row) return null;
		const bar = barAt(row, under.x, under.y);
		const at = nsOf(frame, under.x);
		if (!bar && under.y > row.y + row.high) return null;
		const range = bar ?? pieceOf(row, at);
		const long = range.to - range.from;
		const facts: [string, string][] = [
			['from', digits(range.from, long)],
			['to', digits(range.to, long)],
			['length', format(long, 'ns')],
			['state', bar ? '' : parts(row, range).slice(0, 4).join(', ') || 'no thread'],
			['path', bar ? '' : pathText(row, at)],
			['', bar?.mixed ? 'most of this time, not all of it' : ''],
		];
		return <Tooltip x={under.left} y={under.top} title={bar ? model.text(bar.node) : nameOf(row)} facts={facts.filter(([, text]) => text !== '')} />;
	};
	const coarse = coarseness(tracks);
	const arrowCount = timeline.arrows.messages + timeline.arrows.accesses;
	const cursorRow = rows[cursor.row];

	return (
		<section class="timeline">
			<div class="tools">
				<Ways chosen={chosen} ways={[['', 'by state'], ['function', 'by function']]} />
				{several && (
					<button aria-pressed={look.all} title="one track for each process: all its threads together" onClick={look.foldAll}>
						fold processes
					</button>
				)}
				{arrowCount > 0 && (
					<button
						aria-pressed={look.arrows}
						title="messages from send to receive; accesses to other threads' memory: of many side by side, the one with most bytes"
						onClick={() => look.turn('arrows')}
					>
						{timeline.arrows.messages > 0 ? 'messages' : 'accesses'}
					</button>
				)}
				{timeline.curves.length > 0 && (
					<button aria-pressed={look.curves} title="what was counted, per second" onClick={() => look.turn('nocurves')}>
						curves
					</button>
				)}
				<button onClick={() => zoom(0.5, cursor.at)}>zoom in</button>
				<button disabled={length === run.to - run.from} onClick={() => zoom(2, (shown.from + shown.to) / 2)}>zoom out</button>
				<span>{`${point(shown.from, length / 1000)} to ${point(shown.to, length / 1000)}; drag over a range, or turn the wheel, to zoom`}</span>
			</div>
			{timeline.damage.map((text) => <p class="note">{text}</p>)}
			<Legend label={chosen.by === 'function' ? 'functions' : 'states'} colors={looks.legend} />
			<Overview tracks={tracks} run={run} shown={shown} paint={paint} kept={coarse > 0 ? timeline.kept : []} />
			<Head model={model} timeline={timeline} tracks={tracks} shown={shown} left={left} curves={look.curves ? timeline.curves : []} />
			<div class="tracks" ref={around}>
				<canvas
					ref={ref}
					tabIndex={0}
					role="application"
					aria-roledescription="timeline"
					aria-label={`Threads by time. At: ${cursorRow ? describe(cursorRow, cursor.at) : ''}. Arrow keys move, Enter selects, F folds a process or opens a thread's call paths, plus and minus or W and S zoom, A and D shift, Escape shows the whole.`}
					style={{ height: `${tall}px` }}
					onKeyDown={onKeyDown}
					onWheel={turn}
					onMouseDown={(event) => event.offsetX >= left && setDragged([event.offsetX, event.offsetX])}
					onMouseMove={(event) => {
						setUnder({ x: event.offsetX, y: event.offsetY, left: event.clientX, top: event.clientY });
						if (dragged) setDragged([dragged[0], Math.max(left, event.offsetX)]);
					}}
					onMouseUp={(event) => {
						const [a, b] = dragged ?? [event.offsetX, event.offsetX];
						setDragged(null);
						if (Math.abs(a - b) > 5) show(nsOf(frame, Math.min(a, b)), nsOf(frame, Math.max(a, b)) - nsOf(frame, Math.min(a, b)), true);
						else click(event);
					}}
					onMouseLeave={() => {
						setUnder(null);
						setDragged(null);
					}}
				/>
			</div>
			{!dragged && tooltip()}
			<p class="describe" aria-live="polite">
				{cursorRow && describe(cursorRow, cursor.at)}
			</p>
			<Resolution {...{ model, timeline, tracks, shown }} />
			<Times model={model} chosen={chosen} helpers={tracks.length > 1 ? tracks.filter((one) => one.left >= 0).length : 0} listed={listed} titleOf={looks.titleOf} />
			{look.arrows && arrowCount > 0 && (
				<Arrows
					{...{ model, timeline, length }}
					arrows={arrowsShown.slice(0, ARROWS)}
					keyOf={(one) => arrows.indexOf(one)}
					onShow={({ sent, got }) => show(sent - (got - sent + 1000), 3 * (got - sent + 1000), true)}
				/>
			)}
		</section>
	);
}
