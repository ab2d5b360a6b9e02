// SPDX-License-Identifier: BSD-3-Clause
// Source lines and their own cost: the text if it was embedded, else the lines that cost something.

import { KIND } from './data';
import { baseName, format, percent } from './format';
import type { Line, Model } from './model';
import { Legend } from './legend';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

interface SourceLine {
	line: number;
	self: number;
	text: string;
}

function filesOf(lines: Line[]): { file: number; self: number }[] {
	const sums = new Map<number, number>();
	for (const { file, self } of lines) sums.set(file, (sums.get(file) ?? 0) + self);
	return [...sums].map(([file, self]) => ({ file, self })).sort((a, b) => b.self - a.self);
}

function linesOf(model: Model, file: number, lines: Line[]): SourceLine[] {
	const costs = new Map(lines.filter((line) => line.file === file).map((line) => [line.line, line.self]));
	const text = model.data.sources[String(file)];
	if (text !== undefined)
		return text
			.split('\n')
			.map((words, i) => ({ line: i + 1, self: costs.get(i + 1) ?? 0, text: words.replace(/\t/g, '    ') }));
	return [...costs].map(([line, self]) => ({ line, self, text: '' })).sort((a, b) => a.line - b.line);
}

// The line that was clicked, that of the selected function, or the one with most of the cost.
function lineToShow(model: Model, chosen: Selection, file: number, rows: SourceLine[]): number {
	const label = model.data.label[chosen.node];
	if (chosen.item > 0) return chosen.item; // a line that was clicked
	if (chosen.node > 0 && model.data.labels.file[label] === file) return model.data.labels.line[label];
	return rows.reduce((most, row) => (row.self > most.self ? row : most), { line: -1, self: 0, text: '' }).line;
}

function chooseFile(model: Model, chosen: Selection, files: { file: number }[]): number {
	const ofNode = model.data.labels.file[model.data.label[chosen.node]];
	if (files.some(({ file }) => file === chosen.file)) return chosen.file;
	if (chosen.node > 0 && files.some(({ file }) => file === ofNode)) return ofNode;
	// Text is there of the user's files alone.
	const { label, labels, siteNode, siteFile, sources } = model.data;
	const isOwn = (node: number) => labels.kind[label[node]] === KIND.FRAME && !labels.system[label[node]];
	const own = new Set(siteFile.filter((_, site) => isOwn(siteNode[site])));
	const first = files.find(({ file }) => sources[String(file)] !== undefined) ?? files.find(({ file }) => own.has(file)) ?? files[0];
	return first?.file ?? -1;
}

const MARGIN: [string, string, string][] = [
	['remote-accesses', 'remote', "number of accesses to other nodes' memory"],
	['same-node-accesses', 'same node', "number of accesses to other threads' memory on the node"],
];

// Accesses to shared memory by line, of the metrics that there are.
function marginOf(model: Model, thread: number, file: number): Column<SourceLine>[] {
	return MARGIN.filter(([metric]) => model.data.metrics.some(({ name }) => name === metric)).map(([metric, title, hint]) => {
		const counts = new Map(model.lines(metric, thread).filter((one) => one.file === file).map(({ line, self }) => [line, self]));
		const cell = ({ line }: SourceLine) => (counts.get(line) ? format(counts.get(line) ?? 0, '') : '');
		return { title, hint, number: true, minor: true, cell };
	});
}

export function Source({ model, chosen, unit }: { model: Model; chosen: Selection; unit: string }) {
	const { whole } = model.of(chosen.metric, chosen.thread);
	const lines = model.lines(chosen.metric, chosen.thread);
	const files = filesOf(lines);
	const file = chooseFile(model, chosen, files);
	if (file < 0)
		return (
			<section class="source">
				<p>No source line has a value of this metric.</p>
			</section>
		);
	const rows = linesOf(model, file, lines);
	const most = rows.reduce((highest, row) => Math.max(highest, row.self), 0);
	const embedded = model.data.sources[String(file)] !== undefined;
	return (
		<section class="source">
			<div class="tools">
				<label>
					file{' '}
					<select value={file} onChange={(event) => select({ file: Number(event.currentTarget.value), item: -1 })}>
						{files.map((one) => (
							<option value={one.file}>
								{percent(one.self, whole)} % {baseName(model.data.files[one.file])}
							</option>
						))}
					</select>
				</label>
				<span class="path">{model.data.files[file]}</span>
				{!embedded && <span>only the lines with a cost: heddle report --html --sources embeds the text</span>}
			</div>
			<Legend label="bar" colors={[[`${chosen.metric} of the line, compared with the most expensive one`, 'var(--hot)']]} />
			<Table
				label={`Source lines of ${model.data.files[file]} by ${chosen.metric}`}
				columns={[
					{ title: 'self %', number: true, cell: (row) => (row.self ? percent(row.self, whole) : '') },
					{ ...model.head(chosen.metric), number: true, minor: true, cell: (row) => (row.self ? format(row.self, unit) : '') },
					...marginOf(model, chosen.thread, file),
					{ title: 'line', number: true, cell: (row) => row.line },
					{
						title: 'source',
						cell: (row) => (
							<code
								class="heat"
								style={{ '--heat': most > 0 ? `${((100 * row.self) / most).toFixed(1)}%` : '0%' }}
							>
								{row.text === '' ? ' ' : row.text}
							</code>
						),
					},
				]}
				rows={rows}
				sorted
				order={-1}
				onOrder={() => undefined}
				keyOf={(row) => row.line}
				selected={lineToShow(model, chosen, file, rows)}
				onSelect={({ line }) => {
					const node = model.nodeAt(chosen.metric, chosen.thread, file, line);
					select({ file, item: line, ...(node > 0 ? { node } : {}) });
				}}
			/>
		</section>
	);
}
