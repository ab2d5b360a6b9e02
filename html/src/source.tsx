// SPDX-License-Identifier: BSD-3-Clause
// Source lines and their cost: the text if it was embedded, else only the lines that have a cost.

import { baseName, format, percent } from './format';
import type { Line, Model, SourceFile } from './model';
import { Legend } from './legend';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

interface SourceLine {
	line: number;
	self: number;
	total: number;
	cost: number;
	text: string;
}

function linesOf(model: Model, file: number, lines: Line[]): SourceLine[] {
	const costs = new Map(lines.filter((line) => line.file === file).map((line) => [line.line, line]));
	const row = (line: number, text: string) => ({ ...(costs.get(line) ?? { line, self: 0, total: 0, cost: 0 }), text });
	const text = model.data.sources[String(file)];
	if (text !== undefined)
		return text
			.split('\n')
			.map((words, i) => row(i + 1, words.replace(/\t/g, '    ')));
	return [...costs.keys()].sort((a, b) => a - b).map((line) => row(line, ''));
}

// Returns the line that was clicked, that of the selected function, or the one with most of the cost.
function lineToShow(model: Model, chosen: Selection, file: number, rows: SourceLine[]): number {
	const label = model.data.label[chosen.node];
	if (chosen.item > 0) return chosen.item; // a line that was clicked
	if (chosen.node > 0 && model.data.labels.file[label] === file) return model.data.labels.line[label];
	return rows.reduce((most, row) => (row.cost > most.cost ? row : most), { line: -1, self: 0, total: 0, cost: 0, text: '' }).line;
}

function chooseFile(model: Model, chosen: Selection, files: SourceFile[]): number {
	const ofNode = model.data.labels.file[model.data.label[chosen.node]];
	if (files.some(({ file }) => file === chosen.file)) return chosen.file;
	if (chosen.node > 0 && files.some(({ file }) => file === ofNode)) return ofNode;
	// Only the user's files have their text.
	const first = files.find(({ file }) => model.data.sources[String(file)] !== undefined) ?? files.find(({ own }) => own) ?? files[0];
	return first?.file ?? -1;
}

const MARGIN: [string, string, string][] = [
	['remote-accesses', 'remote', "number of accesses to other nodes' memory"],
	['same-node-accesses', 'same node', "number of accesses to other threads' memory on the node"],
];

// Columns of accesses to shared memory by line, for the metrics that were measured.
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
	const files = model.files(chosen.metric, chosen.thread);
	const file = chooseFile(model, chosen, files);
	if (file < 0)
		return (
			<section class="source">
				<p>No source line has a value of this metric.</p>
			</section>
		);
	const rows = linesOf(model, file, lines);
	const most = rows.reduce((highest, row) => Math.max(highest, row.cost), 0);
	const embedded = model.data.sources[String(file)] !== undefined;
	return (
		<section class="source">
			<div class="tools">
				<label>
					file{' '}
					<select value={file} onChange={(event) => select({ file: Number(event.currentTarget.value), item: -1 })}>
						{[true, false].map((own) => (
							<optgroup label={own ? 'files of the program, with system code that they call' : 'files of the system, by themselves'}>
								{files
									.filter((one) => one.own === own)
									.map((one) => (
										<option value={one.file}>
											{percent(one.cost, whole)} % {baseName(model.data.files[one.file])}
										</option>
									))}
							</optgroup>
						))}
					</select>
				</label>
				<span class="path">{model.data.files[file]}</span>
				{!embedded && <span>only lines with a cost; to embed the text: heddle report --html FILE --sources</span>}
			</div>
			<Legend label="bar" colors={[[`${chosen.metric} of the line and of system code that it calls, compared with the most expensive line`, 'var(--hot)']]} />
			<Table
				label={`Source lines of ${model.data.files[file]} by ${chosen.metric}`}
				columns={[
					{ title: 'self %', number: true, cell: (row) => (row.self ? percent(row.self, whole) : '') },
					{ title: 'total %', number: true, cell: (row) => (row.total ? percent(row.total, whole) : '') },
					{ ...model.head(chosen.metric), number: true, minor: true, cell: (row) => (row.self ? format(row.self, unit) : '') },
					...marginOf(model, chosen.thread, file),
					{ title: 'line', number: true, cell: (row) => row.line },
					{
						title: 'source',
						cell: (row) => (
							<code
								class="heat"
								style={{ '--heat': most > 0 ? `${((100 * row.cost) / most).toFixed(1)}%` : '0%' }}
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
