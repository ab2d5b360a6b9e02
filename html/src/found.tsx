// SPDX-License-Identifier: BSD-3-Clause
// The number and cost of found paths, and buttons for the next and the previous path: the same in all views.

import { percent } from './format';
import type { Model } from './model';
import { search } from './search';
import { select, type Selection } from './selection';

const foundOf = (model: Model, { metric, thread, search: wanted }: Selection) => search(model, model.of(metric, thread).total, wanted);

// Selects the found path after the selected one (step 1) or before it (-1), cyclically.
export function goTo(model: Model, chosen: Selection, step: number): void {
	const { nodes } = foundOf(model, chosen);
	const at = nodes.indexOf(chosen.node);
	const to = at < 0 && step < 0 ? nodes.length - 1 : (at + step + nodes.length) % nodes.length;
	if (nodes.length > 0) select({ node: nodes[to] });
}

export function Found({ model, chosen }: { model: Model; chosen: Selection }) {
	if (chosen.search === '') return null;
	const { nodes, sum } = foundOf(model, chosen);
	const share = model.data.diff ? '' : `, ${percent(sum, model.of(chosen.metric, chosen.thread).whole)} %`;
	return (
		<span class="found">
			<span role="status" title={`paths that contain a match, and their share of ${chosen.metric}`}>
				{nodes.length} {nodes.length === 1 ? 'path' : 'paths'}
				{nodes.length > 0 && share}
			</span>
			{[['previous', -1, '\u2191'] as const, ['next', 1, '\u2193'] as const].map(([name, step, arrow]) => (
				<button title={name} aria-label={`${name} match`} disabled={nodes.length === 0} onClick={() => goTo(model, chosen, step)}>
					{arrow}
				</button>
			))}
		</span>
	);
}
