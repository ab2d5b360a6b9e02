// SPDX-License-Identifier: BSD-3-Clause
// The page of `heddle scale`: call paths and functions, and for the chosen one its measured times over scale, with its
// law and the band of predictions. cli/report/scale_page.c writes the data.

import { fixed, format } from './format';
import './scale.css';

type Measured = [number, number]; // scale, value
type Predicted = [number, number, number, number]; // scale, value, low, high

interface Row {
	name: string;
	depth: number; // of a call path; 0: of a function
	loss: number | null;
	law: string;
	error: number | null;
	measured: Measured[];
	curve: Predicted[];
}

interface Data {
	unit: string;
	by: string;
	at: number;
	weak: boolean;
	own: boolean; // the user gave the scales, so nothing is ideal
	paths: Row[];
	functions: Row[];
}

const WIDTH = 640;
const HEIGHT = 380;
const LEFT = 70;
const RIGHT = 20;
const TOP = 15;
const BOTTOM = 45;

let data: Data;
let logarithmic = false;

// ---- elements ----

function element(name: string, attributes: { [name: string]: string }, ...children: (Node | string)[]): HTMLElement {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	made.append(...children);
	return made;
}

function drawn(name: string, attributes: { [name: string]: string | number }, text = ''): SVGElement {
	const made = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
	made.textContent = text;
	return made;
}

// ---- the chart ----

interface Axes {
	x: (scale: number) => number;
	y: (value: number) => number;
	ticks: number[];
}

// Returns powers of ten, or four steps of 1, 2 or 5.
function ticksOf(low: number, high: number): number[] {
	const ticks: number[] = [];
	if (logarithmic) {
		for (let tick = 10 ** Math.floor(Math.log10(low)); tick <= high; tick *= 10) if (tick >= low) ticks.push(tick);
		return ticks;
	}
	const rough = high / 4;
	const size = 10 ** Math.floor(Math.log10(rough));
	const step = ([1, 2, 5].find((factor) => factor * size >= rough) ?? 10) * size;
	for (let tick = 0; tick <= high * 1.0001; tick += step) ticks.push(tick);
	return ticks;
}

function axesOf(row: Row): Axes {
	const scales = [...row.measured.map(([scale]) => scale), data.at];
	const values = [...row.measured.map(([, value]) => value), ...row.curve.map(([, value]) => value)];
	const positive = values.filter((value) => value > 0);
	const first = Math.log2(Math.min(...scales));
	const last = Math.max(Math.log2(Math.max(...scales)), first + 0.1);
	const high = 1.1 * Math.max(1, ...values);
	const low = logarithmic && positive.length > 0 ? Math.min(...positive) / 1.5 : 0;
	const share = (value: number) =>
		logarithmic ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : Math.min(value, high) / high;
	return {
		x: (scale) => LEFT + ((Math.log2(scale) - first) / (last - first)) * (WIDTH - LEFT - RIGHT),
		y: (value) => HEIGHT - BOTTOM - Math.max(0, share(value)) * (HEIGHT - TOP - BOTTOM),
		ticks: ticksOf(Math.max(low, 1e-9), high),
	};
}

function line(axes: Axes, points: [number, number][]): string {
	return points.map(([scale, value]) => `${axes.x(scale).toFixed(1)},${axes.y(value).toFixed(1)}`).join(' ');
}

function addGrid(chart: SVGElement, axes: Axes, row: Row) {
	for (const tick of axes.ticks) {
		const y = axes.y(tick);
		chart.append(
			drawn('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
			drawn('text', { x: LEFT - 6, y: y + 4, 'text-anchor': 'end' }, format(tick, data.unit)),
		);
	}
	for (const scale of new Set([...row.measured.map(([scale]) => scale), data.at]))
		chart.append(drawn('text', { x: axes.x(scale), y: HEIGHT - BOTTOM + 18, 'text-anchor': 'middle' }, String(scale)));
	chart.append(drawn('text', { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 8, 'text-anchor': 'middle' }, data.by));
}

// Returns what the time at the smallest scale becomes without losses.
function idealOf(row: Row): [number, number][] {
	const least = Math.min(...row.measured.map(([scale]) => scale));
	const first = row.measured.filter(([scale]) => scale === least).map(([, value]) => value);
	const mean = first.reduce((sum, value) => sum + value, 0) / first.length;
	if (data.own || !(mean > 0)) return [];
	const scales = row.curve.length > 0 ? row.curve.map(([scale]) => scale) : row.measured.map(([scale]) => scale);
	return scales.map((scale) => [scale, data.weak ? mean : (mean * least) / scale]);
}

function chartOf(row: Row): SVGElement {
	const axes = axesOf(row);
	const chart = drawn('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${row.name} by ${data.by}` });
	addGrid(chart, axes, row);
	if (row.curve.length > 0) {
		const low = row.curve.map(([scale, , value]): [number, number] => [scale, value]);
		const high = row.curve.map(([scale, , , value]): [number, number] => [scale, value]).reverse();
		chart.append(
			drawn('polygon', { class: 'band', points: line(axes, [...low, ...high]) }),
			drawn('polyline', { class: 'law', points: line(axes, row.curve.map(([scale, value]) => [scale, value])) }),
		);
	}
	chart.append(drawn('polyline', { class: 'ideal', points: line(axes, idealOf(row)) }));
	for (const [scale, value] of row.measured) {
		const point = drawn('circle', { class: 'measured', cx: axes.x(scale), cy: axes.y(value), r: 4 });
		point.append(drawn('title', {}, `${scale} ${data.by}: ${format(value, data.unit)}`));
		chart.append(point);
	}
	return chart;
}

// ---- the chosen row ----

function describe(row: Row): string {
	const last = row.curve[row.curve.length - 1];
	if (!last) return 'no law: fewer than two scales with values';
	const error = row.error === null ? '' : `, error ${fixed(100 * row.error, 1)} %`;
	const [, value, low, high] = last.map((number) => format(number, data.unit));
	return `${row.law}${error}; at ${data.at} ${data.by}: ${value} (${low} to ${high})`;
}

function choose(row: Row, button: HTMLElement | null) {
	for (const other of document.querySelectorAll('button.row')) other.setAttribute('aria-pressed', String(other === button));
	const scale = element('button', { 'aria-pressed': String(logarithmic) }, 'logarithmic');
	scale.addEventListener('click', () => {
		logarithmic = !logarithmic;
		choose(row, button);
	});
	document.querySelector('#chart')?.replaceChildren(
		element('h2', {}, row.name),
		element('p', { class: 'facts' }, describe(row)),
		chartOf(row),
		element(
			'p',
			{ class: 'legend' },
			element('span', {}, element('i', { class: 'dot' }), ' a run'),
			element('span', {}, element('i', { class: 'stroke' }), ' its law, with 95 % of predictions'),
			...(data.own ? [] : [element('span', {}, element('i', { class: 'dashes' }), ' ideal')]),
			scale,
		),
	);
}

function rowOf(row: Row): HTMLElement {
	const loss = row.loss === null ? [] : [element('span', { class: 'loss' }, `${fixed(100 * row.loss, 1)} %`)];
	const button = element(
		'button',
		{ class: 'row', 'aria-pressed': 'false' },
		...loss,
		element('span', { class: 'law', title: row.law }, row.law),
		element('span', { class: 'name', style: `padding-left: ${row.depth}em` }, row.name),
	);
	button.addEventListener('click', () => choose(row, button));
	return button;
}

function list(title: string, rows: Row[], heading: string): HTMLElement {
	return element('section', {}, element('h2', {}, title), element('p', { class: 'facts' }, heading), ...rows.map(rowOf));
}

function start() {
	data = JSON.parse(document.querySelector('#data')?.textContent ?? '');
	const law = data.unit === 'ns' ? 'law in seconds' : 'law';
	const loss = data.own ? '' : 'loss, ';
	document
		.querySelector('#views')
		?.replaceChildren(
			element('div', { id: 'chart' }),
			element(
				'div',
				{ id: 'lists' },
				list('Call paths', data.paths, `${loss}${law}, path`),
				list('Functions and regions, by themselves', data.functions, `${law}, name`),
			),
		);
	if (data.paths.length > 0) choose(data.paths[0], document.querySelector('button.row'));
	document.documentElement.dataset.ready = 'yes';
}

start();
