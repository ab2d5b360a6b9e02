// SPDX-License-Identifier: BSD-3-Clause
// What ranks exchanged, by communicator and by size, the operations that they never completed, and files.

import { format } from './format';
import type { Model } from './model';
import type { ExchangeFile, ExchangeSums, Exchanges as Stored } from './stored';
import { type Column, Table } from './table';

// Columns of `sums`: of messages, then of collectives.
const SUMS: [string, string, string][] = [
	['messages', '', 'sent'],
	['sent', 'bytes', 'in messages'],
	['time', 'ns', 'of the calls that send and receive them'],
	['collectives', '', 'collective calls, counted on each rank'],
	['shared', 'bytes', 'in collectives'],
	['collective time', 'ns', 'of these calls'],
];

interface Named extends ExchangeSums {
	name: string;
}

function SumsTable({ title, head, hint, rows }: { title: string; head: string; hint: string; rows: Named[] }) {
	const sums = SUMS.map(([name, unit, meaning], i): Column<Named> => {
		const sort = (row: Named) => row.sums[i];
		const none = (row: Named) => row.sums[i < 3 ? 0 : 3] === 0;
		return { title: name, hint: meaning, number: true, minor: i % 3 === 2 || i === 4, sort, cell: (row) => (none(row) ? '\u2013' : format(sort(row), unit)) };
	});
	return (
		<>
			<h2>{title}</h2>
			<Table
				name={title.replace(/ /g, '-')}
				label={title}
				columns={[...sums, { title: head, hint, cell: (row) => row.name }]}
				rows={rows}
				sorted
				order={-1}
				keyOf={(row) => rows.indexOf(row)}
				selected={-1}
				onSelect={() => undefined}
				height={320}
			/>
		</>
	);
}

function Unfinished({ rank, unfinished }: Pick<Stored, 'rank' | 'unfinished'>) {
	const count = unfinished.reduce((sum, one) => sum + one.count, 0);
	const nameOf = (number: number) => (number < 0 ? 'any' : `${rank} ${number}`);
	const title = `${format(count, '')} ${count === 1 ? 'operation was' : 'operations were'} never completed`;
	return (
		<>
			<h2>{title}</h2>
			<Table
				name="unfinished"
				label={title}
				columns={[
					{ title: 'operations', hint: 'nonblocking operations that no wait or test completed', number: true, sort: (one) => one.count, cell: (one) => format(one.count, '') },
					{ title: 'ranks', hint: 'the rank that started them, and its partner, if known; all: a collective', cell: (one) => `${nameOf(one.rank)} with ${one.with ?? nameOf(one.partner)}` },
					{ title: 'communicator', hint: 'by its name in the program; or the file', cell: (one) => one.communicator || '(not known)' },
				]}
				rows={unfinished}
				order={0}
				keyOf={(one) => unfinished.indexOf(one)}
				selected={-1}
				onSelect={() => undefined}
				height={240}
			/>
		</>
	);
}

// Columns of `counts` and `times`, in the order of the report: title, unit, value, meaning.
const FILE_COLUMNS: [string, string, (file: ExchangeFile) => number, string][] = [
	['ranks', '', (file) => file.counts[0], 'that used it'],
	['opens', '', (file) => file.counts[1], 'by all ranks'],
	['open, close', 'ns', (file) => file.times[0], 'elapsed, of all ranks'],
	['reads', '', (file) => file.counts[2], 'calls, by all ranks'],
	['read', 'bytes', (file) => file.counts[3], 'that were there: fewer than asked for at the end of a file'],
	['read time', 'ns', (file) => file.times[1], 'elapsed, of all ranks, with waiting for those that did not block'],
	['writes', '', (file) => file.counts[4], 'calls, by all ranks'],
	['written', 'bytes', (file) => file.counts[5], 'by all ranks'],
	['write time', 'ns', (file) => file.times[2], 'elapsed, of all ranks, with waiting for those that did not block'],
	['other', 'ns', (file) => file.times[3], 'elapsed in other calls with the file'],
	['per second', 'bytes', (file) => file.bandwidth, 'read and written, by the time of the rank that took longest'],
];

function Files({ files }: Pick<Stored, 'files'>) {
	const columns = FILE_COLUMNS.map(([title, unit, valueOf, hint]): Column<ExchangeFile> => {
		const cell = (file: ExchangeFile) => (valueOf(file) === 0 ? '\u2013' : format(valueOf(file), unit));
		return { title, hint, number: true, minor: title === 'ranks' || title === 'opens' || title === 'other', sort: valueOf, cell };
	});
	return (
		<>
			<h2>MPI-IO by file</h2>
			<Table
				name="files"
				label="MPI-IO by file"
				columns={[...columns, { title: 'file', hint: 'its path, as far as it distinguishes it', cell: (file) => <span title={file.name}>{file.shown}</span> }]}
				rows={files}
				sorted
				order={-1}
				keyOf={(file) => files.indexOf(file)}
				selected={-1}
				onSelect={() => undefined}
				height={320}
			/>
		</>
	);
}

export function Exchanges({ model }: { model: Model }) {
	const { exchanges } = model.data.more;
	if (!exchanges) return null;
	const { rank, communicators, sizes, unfinished, files } = exchanges;
	const below = (bytes: number) => (bytes > 0 ? format(bytes, 'bytes') : 'any');
	return (
		<>
			{unfinished.length > 0 && <Unfinished rank={rank} unfinished={unfinished} />}
			{files.length > 0 && <Files files={files} />}
			{communicators.length > 0 && (
				<>
					<SumsTable
						title="By communicator"
						head="communicator"
						hint="by its name in the program"
						rows={communicators.map((one) => ({ ...one, name: one.name || '(not known)' }))}
					/>
					<SumsTable
						title="By size"
						head="of a size below"
						hint="of one message, or of what a rank gives to a collective"
						rows={sizes.map((one) => ({ ...one, name: below(one.below) }))}
					/>
				</>
			)}
		</>
	);
}
