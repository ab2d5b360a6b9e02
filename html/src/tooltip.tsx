// SPDX-License-Identifier: BSD-3-Clause
// The cost of a path, shown at the pointer.

import { amountAndShare, baseName, format, percent } from './format';
import type { Model } from './model';
import { Breakable } from './name';
import type { Selection } from './selection';
import { shortName } from './short_name';

const THREADS_TO = 16; // with more threads, adding up a path's values on each of them takes too long
const WIDE = 448; // px, as in style.css
const LONG = 240; // characters of a name
const HIGH = 190; // px, approximate

// The range of values of the threads that have one.
function spread(model: Model, { metric, thread }: Selection, node: number, unit: string): string {
	const threads = model.data.byThread.length;
	if (thread >= 0 || threads < 2 || threads > THREADS_TO || model.data.diff) return '';
	const values = model.data.byThread.map((_, i) => model.of(metric, i).total[node]).filter((value) => value > 0);
	if (values.length < 2) return '';
	return `${format(Math.min(...values), unit)} to ${format(Math.max(...values), unit)} on ${values.length} threads`;
}

export function factsOf(model: Model, chosen: Selection, node: number, unit: string): [string, string][] {
	const { self, total, whole } = model.of(chosen.metric, chosen.thread);
	const visits = model.of('visits', chosen.thread).self[node];
	const { parent, label, labels, files } = model.data;
	const line = labels.line[label[node]];
	const facts: [string, string][] = [
		['total', amountAndShare(total[node], unit, whole)],
		['self', amountAndShare(self[node], unit, whole)],
		['of its caller', node > 0 && total[node] > 0 ? `${percent(total[node], total[parent[node]])} %` : ''],
		['visits', visits > 0 ? format(visits, '') : ''],
		['threads', spread(model, chosen, node, unit)],
		['line', line > 0 ? `${baseName(files[labels.file[label[node]]])}:${line}` : ''],
	];
	return facts.filter(([, text]) => text !== '');
}

// Returns a position beside the pointer, within the window.
function placeOf(x: number, y: number) {
	const left = x + 14 + WIDE > innerWidth ? Math.max(4, x - 14 - WIDE) : x + 14;
	const top = y + 14 + HIGH > innerHeight ? Math.max(4, y - 14 - HIGH) : y + 14;
	return { left: `${left}px`, top: `${top}px` };
}

export function Tooltip({ x, y, title, facts }: { x: number; y: number; title: string; facts: [string, string][] }) {
	return (
		<div class="tooltip" aria-hidden="true" style={placeOf(x, y)}>
			<b>
				<Breakable text={shortName(title, LONG)} />
			</b>
			<dl>
				{facts.map(([name, text]) => (
					<>
						<dt>{name}</dt>
						<dd>{text}</dd>
					</>
				))}
			</dl>
		</div>
	);
}
