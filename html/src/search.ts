// SPDX-License-Identifier: BSD-3-Clause
// The search, the same in every view: a text in any case, or a regular expression between slashes. Finds paths, and
// their cost.

import type { Model } from './model';

function compile(wanted: string): RegExp | undefined {
	if (wanted === '') return undefined;
	const slashes = /^\/(.+?)\/?$/.exec(wanted);
	try {
		return new RegExp(slashes ? slashes[1] : wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i');
	} catch {
		return undefined; // not complete yet
	}
}

let last: { wanted: string; search?: RegExp } = { wanted: '' };

function expression(wanted: string): RegExp | undefined {
	if (last.wanted !== wanted) last = { wanted, search: compile(wanted) };
	return last.search;
}

// Returns where the match begins and ends in the text; undefined: no match.
export function find(text: string, wanted: string): [number, number] | undefined {
	const found = expression(wanted)?.exec(text);
	return found?.[0] ? [found.index, found.index + found[0].length] : undefined;
}

// True if the text matches, or nothing is searched for.
export function passes(text: string, wanted: string): boolean {
	return expression(wanted)?.test(text) ?? true;
}

export interface Found {
	nodes: number[]; // in the order of the tree, the most expensive child first
	sum: number; // of the paths through any of them; nested ones count once
}

export function search(model: Model, total: Float64Array, wanted: string): Found {
	const found: Found = { nodes: [], sum: 0 };
	if (!expression(wanted)) return found;
	const { text } = model.data.labels;
	const has = text.map((one) => passes(one, wanted));
	const walk = [{ node: 0, within: false }];
	for (let next = walk.pop(); next; next = walk.pop()) {
		const { node, within } = next;
		const hit = has[model.data.label[node]];
		if (hit) found.nodes.push(node);
		if (hit && !within) found.sum += total[node];
		const below = model.children[node].filter((child) => total[child] > 0).sort((a, b) => total[a] - total[b]);
		walk.push(...below.map((child) => ({ node: child, within: hit || within })));
	}
	return found;
}
