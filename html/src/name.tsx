// SPDX-License-Identifier: BSD-3-Clause
// A node's name, coloured by what it is, with what was searched for marked.

import { KIND } from './data';
import { baseName } from './format';
import type { Model } from './model';

function Marked({ text, search }: { text: string; search: string }) {
	const at = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
	if (at < 0) return <>{text}</>;
	return (
		<>
			{text.slice(0, at)}
			<mark>{text.slice(at, at + search.length)}</mark>
			{text.slice(at + search.length)}
		</>
	);
}

export function classOf(model: Model, label: number): string {
	const kind = model.data.labels.kind[label];
	if (kind === KIND.STATE) return 'state';
	return kind === KIND.REGION || kind === KIND.PHASE ? 'region' : 'code';
}

export function LabelName({ model, label, search }: { model: Model; label: number; search: string }) {
	const { labels, files } = model.data;
	const line = labels.line[label];
	return (
		<span class={classOf(model, label)}>
			<Marked text={labels.text[label]} search={search} />
			{line > 0 && classOf(model, label) === 'code' && (
				<small>
					{' '}
					{baseName(files[labels.file[label]])}:{line}
				</small>
			)}
		</span>
	);
}

export function Name({ model, node, search }: { model: Model; node: number; search: string }) {
	return <LabelName model={model} label={model.data.label[node]} search={search} />;
}
