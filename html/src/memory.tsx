// SPDX-License-Identifier: BSD-3-Clause
// Memory that the program allocated: by function, and by call path, with the memory in use at the end.

import { KIND } from './data';
import { amount, format, share } from './format';
import { Metrics, Whole } from './functions';
import type { Model } from './model';
import { LabelName } from './name';
import { passes } from './search';
import { select, type Selection } from './selection';
import { Table } from './table';

const HELD: [string, string][] = [['bytes-held', 'held'], ['bytes-allocated', 'allocated'], ['bytes-freed', 'freed'], ['allocations', 'allocations']];

interface Row {
	label: number;
	node: number; // with the largest allocation
	most: number;
	bytes: number;
	blocks: number;
}

// Returns the program's own function that allocates at a node: the C library and templates allocate on its behalf.
function ownerOf({ data: { parent, label, labels } }: Model, from: number): number {
	let node = from;
	while (node > 0 && labels.kind[label[node]] !== KIND.FRAME) node = parent[node];
	let user = node;
	while (user > 0 && labels.system[label[user]]) user = parent[user];
	return user > 0 ? user : node;
}

function allocators(model: Model): Row[] {
	const { label } = model.data;
	const blocks = model.of('allocations', -1).self;
	const rows = new Map<number, Row>();
	model.of('bytes-allocated', -1).self.forEach((bytes, from) => {
		if (bytes === 0) return;
		const at = ownerOf(model, from);
		const row = rows.get(label[at]) ?? { label: label[at], node: at, most: 0, bytes: 0, blocks: 0 };
		row.bytes += bytes;
		row.blocks += blocks[from];
		if (bytes > row.most) [row.node, row.most] = [at, bytes];
		rows.set(row.label, row);
	});
	return [...rows.values()];
}

interface Place {
	key: number;
	label: number;
	place: { file: number; line: number };
	node: number;
	bytes: number;
	blocks: number;
}

// Returns lines of the program: a region in system code counts for the line that called this code.
function places(model: Model): Place[] {
	const { label, labels, siteNode, siteParent, siteFile, siteLine } = model.data;
	const rows = new Map<string, Place>();
	const rowOf = (site: number): Place => {
		let at = labels.kind[label[siteNode[site]]] === KIND.REGION ? siteParent[site] : site;
		const inSystem = labels.system[label[siteNode[at]]] === 1;
		while (at > 0 && labels.system[label[siteNode[at]]]) at = siteParent[at];
		if (at === 0 || !inSystem) at = site;
		const node = siteNode[at];
		const frame = labels.kind[label[node]] === KIND.FRAME;
		const place = { file: siteFile[at], line: frame ? siteLine[at] : 0 };
		const key = `${label[node]} ${frame ? place.file : ''} ${place.line}`;
		const row = rows.get(key) ?? { key: rows.size, label: label[node], place, node, bytes: 0, blocks: 0 };
		rows.set(key, row);
		return row;
	};
	model.eachSite('bytes-allocated', -1, (site, bytes) => (rowOf(site).bytes += bytes));
	model.eachSite('allocations', -1, (site, blocks) => (rowOf(site).blocks += blocks));
	return [...rows.values()].filter(({ bytes }) => bytes > 0);
}

function Places({ model, chosen }: { model: Model; chosen: Selection }) {
	const { whole } = model.of('bytes-allocated', -1);
	const all = places(model);
	return (
		<>
			<h2>Lines that allocate most</h2>
			<Table<Place>
				name="places"
				label="Lines by the memory that they allocated"
				columns={[
					{ title: '% of all', hint: 'of all memory that was allocated', number: true, sort: ({ bytes }) => bytes, cell: ({ bytes }) => share(bytes, whole) },
					{ title: 'allocated', hint: 'bytes-allocated', number: true, sort: ({ bytes }) => bytes, cell: ({ bytes }) => amount(bytes, 'bytes') },
					{ title: 'allocations', hint: 'allocations', number: true, minor: true, sort: ({ blocks }) => blocks, cell: ({ blocks }) => amount(blocks, '') },
					{ title: 'place', hint: 'a line of the program, including system code that it calls', cell: ({ label, place }) => <LabelName model={model} label={label} place={place} search={chosen.search} /> },
				]}
				rows={all.filter(({ label }) => passes(model.data.labels.text[label], chosen.search))}
				keyOf={({ key }) => key}
				selected={all.find(({ node }) => node === chosen.node)?.key ?? -1}
				onSelect={({ node }) => select({ node })}
				height={260}
			/>
		</>
	);
}

function Allocators({ model, chosen }: { model: Model; chosen: Selection }) {
	const { whole } = model.of('bytes-allocated', -1);
	return (
		<>
			<h2>Functions that allocate most</h2>
			<Table<Row>
				name="allocators"
				label="Functions by the memory that they allocated"
				columns={[
					{ title: '% of all', hint: 'of all memory that was allocated', number: true, sort: ({ bytes }) => bytes, cell: ({ bytes }) => share(bytes, whole) },
					{ title: 'allocated', hint: 'bytes-allocated', number: true, sort: ({ bytes }) => bytes, cell: ({ bytes }) => amount(bytes, 'bytes') },
					{ title: 'allocations', hint: 'allocations', number: true, minor: true, sort: ({ blocks }) => blocks, cell: ({ blocks }) => amount(blocks, '') },
					{ title: 'function', hint: 'of the program, including system code that it calls', cell: ({ label }) => <LabelName model={model} label={label} search={chosen.search} /> },
				]}
				rows={allocators(model).filter(({ label }) => passes(model.data.labels.text[label], chosen.search))}
				keyOf={({ label }) => label}
				selected={chosen.node > 0 ? model.data.label[chosen.node] : -1}
				onSelect={({ node }) => select({ node })}
				height={260}
			/>
		</>
	);
}

export function Memory({ model, chosen }: { model: Model; chosen: Selection }) {
	const { processes, more } = model.data;
	const measured = more.about.processes.map((about, i) => ({ ...about, pid: processes[i].pid })).filter(({ memory }) => memory);
	const highest = measured.reduce((most, one) => (one.peak > most.peak ? one : most));
	const bytes = (metric: string) => format(model.of(metric, -1).whole, 'bytes');
	const several = measured.length > 1;
	return (
		<section class="memory">
			<p>
				memory: {format(measured.reduce((all, one) => all + one.inUse, 0), 'bytes')} in use at the end
				{several && ` in ${measured.length} processes`}
				{` \u00b7 at most ${format(highest.peak, 'bytes')}, after ${format(highest.peakAt, 'ns')}`}
				{several && `, in process ${highest.pid}`}
			</p>
			<p>
				{format(model.of('allocations', -1).whole, '')} allocations of {bytes('bytes-allocated')} {'\u00b7'}{' '}
				{bytes('bytes-freed')} of it freed
			</p>
			<Whole chosen={chosen} thread />
			<Allocators model={model} chosen={chosen} />
			<Places model={model} chosen={chosen} />
			<h2>Memory by call path: held at the end, and allocated</h2>
			<Metrics model={model} chosen={{ ...chosen, thread: -1 }} label="Memory" shown={HELD} owner={(node) => ownerOf(model, node)} />
		</section>
	);
}
