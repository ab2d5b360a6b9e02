// SPDX-License-Identifier: BSD-3-Clause
// What was measured, and how completely: processes, sampling, metrics, notes, as in `heddle info`.

import { format } from './format';
import type { Model } from './model';
import { select, type Selection } from './selection';
import { Table } from './table';

function factsOf(model: Model, index: number): [string, string][] {
	const process = model.data.processes[index];
	const about = model.data.more.about.processes[index];
	const sampled = process.source !== '' && process.source !== 'none';
	const rate = process.hz > 0 ? `, ${process.hz} Hz, ${about.clock} clock` : '';
	const whole = process.periods === about.found ? 'all' : 'NOT ALL, the measurement is incomplete';
	const facts: [string, string][] = [
		['process', `${process.pid} (child of ${about.parent})`],
		['program', about.program],
		['directory', about.directory],
		['host', `${process.host}, ${about.machine}`],
		['started', new Date(process.start / 1e6).toLocaleString('en-CA', { hour12: false })],
		['lasted', `${format(process.duration, 'ns')}, ${format(process.cpu, 'ns')} CPU`],
		['ended by', about.ended],
		['incomplete', process.incomplete ? 'written at that time; the process was killed later, could not write, or still runs' : ''],
		['threads', format(about.threads, '')],
		['sampling', sampled ? process.source + rate : 'none'],
		['samples', format(process.samples, '')],
		['periods', `${format(process.periods, '')} counted, ${format(about.found, '')} in the file: ${whole}`],
		['switched off', about.paused ? `${format(about.paused, '')} more samples arrived while measurement was off` : ''],
		['late', about.late ? `${format(about.late, '')} ${about.late === 1 ? 'period' : 'periods'} ended without a signal; the next sample accounts for ${about.late === 1 ? 'its' : 'their'} time` : ''],
		['paths cut', about.cut ? `${format(about.cut, '')}: the tree was full; their cost is attributed to the callers` : ''],
		...about.sources.map(({ name, signals, cpu }): [string, string] => ['sampled by', `${name}: ${format(signals, '')} signals, ${format(cpu, 'ns')} of CPU time`]),
		['unwinding', about.unwinding],
		...about.counters.map(({ name, source }): [string, string] => ['counter', `${name}, by ${source}`]),
		['memory', about.memory ? `at most ${format(about.peak, 'bytes')} (after ${format(about.peakAt, 'ns')}), ${format(about.inUse, 'bytes')} in use at the end` : ''],
		['OpenMP runtime', about.runtime || 'none that reports events'],
		['Heddle', `${about.heddle}, ${Math.floor(about.own / 1024)} KiB of memory in the program`],
		['file', about.file],
	];
	return facts.filter(([, text]) => text !== '');
}

export function About({ model, chosen }: { model: Model; chosen: Selection }) {
	const { processes, metrics, notes, more } = model.data;
	const { left, unnamed } = more.about;
	const at = chosen.item >= 0 && chosen.item < processes.length ? chosen.item : 0;
	const rows = processes.map((process, index) => ({ process, index, about: more.about.processes[index] }));
	const problems = [
		...left.map((path) => `left out, could not be read: ${path}`),
		...unnamed.map(({ path, unnamed: count, places }) => `without a name: ${count} of ${places} places of ${path || 'generated code'}`),
		...(more.timeline?.damage ?? []).map((text) => `trace: ${text}`),
		...(more.unread > 0 ? [`waits and critical path: the trace has ${format(more.unread, '')} events; heddle report --late --critical reads them`] : []),
		...notes.map((text) => `note: ${text}`),
	];
	return (
		<section class="about">
			<Table
				label="Processes"
				columns={[
					{ title: 'process', number: true, cell: ({ process }) => process.pid },
					{ title: 'lasted', number: true, cell: ({ process }) => format(process.duration, 'ns') },
					{ title: 'CPU', number: true, minor: true, cell: ({ process }) => format(process.cpu, 'ns') },
					{ title: 'threads', number: true, minor: true, cell: ({ about }) => format(about.threads, '') },
					{ title: 'samples', number: true, cell: ({ process }) => format(process.samples, '') },
					{ title: 'host', cell: ({ process }) => process.host },
				]}
				rows={rows}
				order={-1}
				keyOf={({ index }) => index}
				selected={at}
				onSelect={({ index }) => select({ item: index })}
				height={240}
			/>
			<dl>
				{factsOf(model, at).map(([name, text]) => (
					<>
						<dt>{name}</dt>
						<dd>{text}</dd>
					</>
				))}
			</dl>
			<h2>What may be missing</h2>
			{problems.length === 0 && <p>Nothing: all files were read, all code has names, and there are no notes.</p>}
			<ul>
				{problems.map((text) => (
					<li>{text}</li>
				))}
			</ul>
			<h2>Metrics</h2>
			<Table
				name="metrics"
				label="Metrics and their sums"
				columns={[
					{ title: 'sum', number: true, cell: ({ name, unit }) => format(model.of(name, chosen.thread).whole, unit) },
					{ title: 'metric', cell: ({ name }) => name },
					{ title: 'meaning', cell: ({ meaning }) => meaning },
				]}
				rows={metrics}
				order={-1}
				keyOf={(metric) => metrics.indexOf(metric)}
				selected={metrics.findIndex(({ name }) => name === chosen.metric)}
				onSelect={({ name }) => select({ metric: name })}
				height={420}
			/>
		</section>
	);
}
