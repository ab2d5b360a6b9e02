// SPDX-License-Identifier: BSD-3-Clause
// Changes between measurements: graph, call tree and functions, with the numbers of `heddle diff`.

import type { Data } from './data';
import { type Change, changesOf, type Diff, magnitudes, rowsOf } from './diff_data';
import { Flame } from './flame';
import { amount, fixed, format } from './format';
import type { View, ViewProps } from './main';
import type { Model } from './model';
import { Name } from './name';
import { passes } from './search';
import { select } from './selection';
import { type Column, Table } from './table';
import { Tree } from './tree';

// ---- in words ----

function percentOf({ before, after, change }: Change): string {
	if (before === 0 && after === 0) return '-';
	if (before === 0) return 'new';
	if (after === 0) return 'gone';
	if (change >= 100 * before) return `${fixed(after / before, 0)}x`;
	return `${change < 0 ? '' : '+'}${fixed((100 * change) / before, 1)} %`;
}

function signed(value: number, unit: string): string {
	const magnitude = format(Math.abs(value), unit);
	if (Math.abs(value) < 0.5) return magnitude;
	return `${value < 0 ? '-' : '+'}${magnitude}`;
}

function significance({ p }: Change): string {
	if (p < 0) return '';
	if (p === 1) return 'not significant';
	return p === 0 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
}

function inWords(change: Change, unit: string): string {
	const { before, after } = change;
	const parts = [`${format(before, unit)} -> ${format(after, unit)}`, percentOf(change), significance(change)];
	return parts.filter((part) => part !== '').join(', ');
}

export function describeChange(model: Model, metric: string, node: number, unit: string): string {
	return inWords(changesOf(model, metric)(node), unit);
}

export function DiffFacts({ data, diff }: { data: Data; diff: Diff }) {
	return (
		<div class="title">
			<h1>{data.program}: what changed</h1>
			<p class="facts">before: {diff.before.join(', ')}</p>
			<p class="facts">after: {diff.after.join(', ')}</p>
		</div>
	);
}

// ---- colours ----

// From much less to much more, for light and dark pages: blue and orange, which also colour-blind users distinguish.
const SCALE: [number, string, string, string][] = [
	[-0.2, '#5b9bd5', '#2f6fb5', 'over 20 %'],
	[-0.05, '#9cc3e8', '#27527d', '5 to 20 %'],
	[-0.01, '#d3e4f5', '#243a50', '1 to 5 %'],
	[0.01, '#d0d0d0', '#4b4e53', 'under 1 %'],
	[0.05, '#fbe0c0', '#4d3822', '1 to 5 %'],
	[0.2, '#f5b971', '#7d4c17', '5 to 20 %'],
	[Infinity, '#ea8a35', '#ad5d0c', 'over 20 %'],
];
const UNSURE: [string, string] = ['#efefef', '#2c2e32'];

function isUnsure({ change, p }: Change): boolean {
	return p === 1 && change !== 0;
}

function colorOf(one: Change, dark: boolean): string {
	const { before, change } = one;
	if (isUnsure(one)) return UNSURE[dark ? 1 : 0];
	const share = before > 0 ? change / before : change;
	const step = SCALE.find(([limit]) => (limit < 0 ? share < limit : share <= limit)) ?? SCALE[6];
	return step[dark ? 2 : 1];
}

function Swatch({ colors, text }: { colors: [string, string]; text: string }) {
	return (
		<span>
			<i class="swatch" style={{ '--light': colors[0], '--dark': colors[1] }} /> {text}
		</span>
	);
}

function Legend({ unit, tested }: { unit: string; tested: boolean }) {
	const [less, more] = unit === 'ns' ? ['faster', 'slower'] : ['less', 'more'];
	return (
		<p class="legend">
			<b>{less}</b>
			{SCALE.map(([, light, dark, text]) => (
				<Swatch colors={[light, dark]} text={text} />
			))}
			<b>{more}</b>
			{tested && <Swatch colors={UNSURE} text="not significant" />}
		</p>
	);
}

function Graph({ model, chosen, unit }: ViewProps) {
	const change = changesOf(model, chosen.metric);
	const sides: [string, number][] = [
		['before', 0],
		['after', -1],
	];
	const text = (node: number) => (isUnsure(change(node)) ? 'not significant' : percentOf(change(node)));
	const paint = {
		color: (node: number, dark: boolean) => colorOf(change(node), dark),
		behind: (node: number) => ` ${text(node)}`,
		describe: (node: number) => inWords(change(node), unit),
		legend: <Legend unit={unit} tested={change(0).p >= 0} />,
		tools: (
			<>
				as wide as
				{sides.map(([name, thread]) => (
					<button aria-pressed={chosen.thread === thread} onClick={() => select({ thread })}>
						{name}
					</button>
				))}
			</>
		),
	};
	return <Flame model={model} chosen={chosen} unit={unit} paint={paint} />;
}

// ---- tables ----

// Changes that are not significant are marked in the last column, which narrow windows do not show, and in italics.
function columnsOf<Row>(of: (row: Row) => Change, unit: string, tested: boolean): (Column<Row> & { sort: (row: Row) => number })[] {
	const column = (title: string, text: (change: Change) => string, key: (change: Change) => number, minor = false) => ({
		title,
		number: true,
		minor,
		sort: (row: Row) => key(of(row)),
		cell: (row: Row) => <span class={of(row).p === 1 ? 'unsure' : undefined}>{text(of(row))}</span>,
	});
	const share = ({ before, change }: Change) => (before > 0 ? Math.abs(change / before) : Infinity);
	const columns = [
		column('before', ({ before }) => amount(before, unit), ({ before }) => before, true),
		column('after', ({ after }) => amount(after, unit), ({ after }) => after, true),
		column('change', ({ change }) => signed(change, unit), ({ change }) => Math.abs(change)),
		column('change %', percentOf, share),
	];
	if (!tested) return columns;
	columns.push(column('within +-', ({ margin }) => format(margin, unit), ({ margin }) => margin, true));
	columns.push(column('significance', significance, ({ p }) => -p, true));
	return columns;
}

const BY_CHANGE = 2; // index of the column

function ChangeTree({ model, chosen, unit }: ViewProps) {
	const change = changesOf(model, chosen.metric);
	const most = magnitudes(model, chosen.metric);
	const whole = Math.max(change(0).before, change(0).after);
	const columns = columnsOf(change, unit, change(0).p >= 0);
	const keys = columns.map(({ sort }, i) => (node: number) => -(i === BY_CHANGE ? most[node] : sort(node)));
	const has = (node: number) => change(node).before > 0 || change(node).after > 0;
	const numbers = { columns, keys, has, share: (node: number) => (most[node] >= 0.01 * whole ? 1 : 0) };
	return <Tree model={model} chosen={chosen} unit={unit} numbers={numbers} order={BY_CHANGE} />;
}

function ChangedFunctions({ model, chosen, unit }: ViewProps) {
	const rows = rowsOf(model, chosen.metric).filter(({ node }) => passes(model.text(node), chosen.search));
	const row = model.data.diff?.row ?? [];
	const columns: Column<Change>[] = [
		...columnsOf((one: Change) => one, unit, rows.some(({ p }) => p >= 0)),
		{
			title: 'function, by itself',
			sort: ({ node }) => model.text(node),
			cell: ({ node }) => <Name model={model} node={node} search={chosen.search} />,
		},
	];
	return (
		<Table
			label={`Functions and regions by change of ${chosen.metric}`}
			columns={columns}
			rows={rows}
			order={BY_CHANGE}
			keyOf={({ node }) => row[node]}
			selected={chosen.node > 0 ? row[chosen.node] : -1}
			onSelect={({ node }) => select({ node })}
		/>
	);
}

export const DIFF_VIEWS: View[] = [
	{ name: 'flame', title: 'Graph', show: (props) => <Graph {...props} /> },
	{ name: 'tree', title: 'Call tree', show: (props) => <ChangeTree {...props} /> },
	{ name: 'functions', title: 'Functions', show: (props) => <ChangedFunctions {...props} /> },
];
