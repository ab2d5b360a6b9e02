// SPDX-License-Identifier: BSD-3-Clause
// How the graph colours its bars: by what a path's own time is (work, waiting, ...), by module, or by the model that
// reports it.

import { inkOn, MEANINGS, meaningColor, meaningOf, PALETTE, shade, stateColor } from './colors';
import { baseName } from './format';
import type { Model } from './model';

export const COLOURINGS = ['state', 'module', 'model'];

export interface Colouring {
	of: (node: number) => string;
	legend: [string, string][]; // name, colour
}

// Names of nodes, those with most of the cost first; of all beyond the palette: others.
function byName(model: Model, self: Float64Array, nameOf: (node: number) => string): Colouring {
	const sums = new Map<string, number>();
	self.forEach((value, node) => sums.set(nameOf(node), (sums.get(nameOf(node)) ?? 0) + value));
	const names = [...sums].sort((a, b) => b[1] - a[1]).map(([name]) => name);
	const last = PALETTE.length - 1;
	const colors = new Map(names.map((name, rank) => [name, PALETTE[Math.min(rank, last)]]));
	const legend = names.slice(0, last).map((name): [string, string] => [name, colors.get(name) ?? '']);
	if (names.length > last) legend.push(['others', PALETTE[last]]);
	return { of: (node) => vary(model, node, colors.get(nameOf(node)) ?? PALETTE[last]), legend };
}

// Neighbours differ a little: away from the ink on them, which is the same on all.
function vary(model: Model, node: number, color: string): string {
	return shade(color, (inkOn(color) === '#ffffff' ? -2 : 2) * ((model.data.label[node] * 2654435761) >>> 29));
}

function byState(model: Model, self: Float64Array): Colouring {
	const there = new Set(['work']);
	self.forEach((value, node) => value > 0 && there.add(meaningOf(model.data.state[node])));
	const legend = Object.keys(MEANINGS).filter((meaning) => there.has(meaning));
	return {
		of: (node) => vary(model, node, stateColor(model.data.state[node])),
		legend: legend.map((meaning) => [meaning, meaningColor(meaning)]),
	};
}

export function colouring(model: Model, by: string, self: Float64Array): Colouring {
	const { label, labels, more } = model.data;
	const modelOf = new Map(more.regions.label.map((one, i) => [one, more.regions.models[more.regions.model[i]]]));
	if (by === 'module') return byName(model, self, (node) => baseName(labels.modules[labels.module[label[node]]]) || 'regions and states');
	if (by === 'model') return byName(model, self, (node) => modelOf.get(label[node]) || (labels.system[label[node]] ? "the system's code" : 'code'));
	return byState(model, self);
}
