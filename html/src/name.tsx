// SPDX-License-Identifier: BSD-3-Clause
// A node's name, coloured by its kind, with the text that was searched for marked.

import { KIND } from './data';
import { baseName } from './format';
import type { Model } from './model';
import { find } from './search';
import { shortName } from './short_name';

// Characters of a name in a table. The rest is in the name's tooltip, and is shown if the search finds it.
const roomOf = () => (window.innerWidth > 600 ? 90 : 26);

function Marked({ text, search }: { text: string; search: string }) {
	const found = find(text, search);
	if (!found) return <>{text}</>;
	const [from, to] = found;
	return (
		<>
			{text.slice(0, from)}
			<mark>{text.slice(from, to)}</mark>
			{text.slice(to)}
		</>
	);
}

// Allows a long name to break between its parts: `std::`, `map<`, `int,`.
export function Breakable({ text }: { text: string }) {
	return (
		<>
			{text.split(/(?<=::|[<(,])(?=[^ ,<>()])/).flatMap((part, i) => (i > 0 ? [<wbr />, part] : [part]))}
		</>
	);
}

export function classOf(model: Model, label: number): string {
	const kind = model.data.labels.kind[label];
	if (kind === KIND.STATE) return 'state';
	return kind === KIND.REGION || kind === KIND.PHASE ? 'region' : 'code';
}

// A label's name with the position of its definition, or another one.
export function LabelName({ model, label, search, place }: { model: Model; label: number; search: string; place?: { file: number; line: number } }) {
	const { labels, files } = model.data;
	const { file, line } = place ?? { file: labels.file[label], line: labels.line[label] };
	const text = labels.text[label];
	const short = shortName(text, roomOf());
	return (
		<span class={classOf(model, label)} title={short === text ? undefined : text}>
			<Marked text={find(text, search) ? text : short} search={search} />
			{line > 0 && classOf(model, label) === 'code' && (
				<small>
					{' '}
					{baseName(files[file])}:{line}
				</small>
			)}
		</span>
	);
}

export function Name({ model, node, search }: { model: Model; node: number; search: string }) {
	return <LabelName model={model} label={model.data.label[node]} search={search} />;
}
