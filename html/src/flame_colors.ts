// SPDX-License-Identifier: BSD-3-Clause
// Colours the bars of the graph: by the state of a path's own time (work, waiting, ...), by module, or by the model
// that reports it.

import { inkOn, MEANINGS, meaningColor, meaningOf, PALETTE, shade, stateColor } from './colors';
import { KIND } from './data';
import { baseName } from './format';
import type { Model } from './model';

export const COLOURINGS = ['state', 'module', 'model'];

export interface Colouring {
	of: (node: number) => string;
	legend: [string, string][]; // name, colour
}

// Gives each name a colour, in order; those beyond the palette are "others". The legend has the colours that are drawn.
function byName(model: Model, names: string[], nameOf: (node: number) => string, isDrawn: (node: number) => boolean): Colouring {
	const last = PALETTE.length - 1;
	const rank = new Map(names.map((name, at) => [name, Math.min(at, last)]));
	const colorOf = (node: number) => PALETTE[rank.get(nameOf(node)) ?? last];
	const drawn = new Set<string>();
	model.data.label.forEach((_, node) => isDrawn(node) && drawn.add(nameOf(node)));
	const legend = names.slice(0, last).filter((name) => drawn.has(name)).map((name): [string, string] => [name, PALETTE[rank.get(name) ?? last]]);
	if (names.slice(last).some((name) => drawn.has(name))) legend.push(['others', PALETTE[last]]);
	return { of: (node) => vary(model, node, colorOf(node)), legend };
}

// Returns names by the first metric, the largest first, so that colours do not change with metric or thread.
function ranked(model: Model, nameOf: (node: number) => string): string[] {
	const sums = new Map<string, number>();
	model.of(model.data.metrics[0].name, -1).self.forEach((value, node) => sums.set(nameOf(node), (sums.get(nameOf(node)) ?? 0) + value));
	return [...sums].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

// Makes neighbours differ slightly, away from the text colour on them, which stays the same.
function vary(model: Model, node: number, color: string): string {
	return shade(color, (inkOn(color) === '#ffffff' ? -2 : 2) * ((model.data.label[node] * 2654435761) >>> 29));
}

function byState(model: Model, isDrawn: (node: number) => boolean): Colouring {
	const there = new Set(['work']);
	model.data.state.forEach((state, node) => isDrawn(node) && there.add(meaningOf(state)));
	const legend = Object.keys(MEANINGS).filter((meaning) => there.has(meaning));
	return {
		of: (node) => vary(model, node, stateColor(model.data.state[node])),
		legend: legend.map((meaning) => [meaning, meaningColor(meaning)]),
	};
}

export function colouring(model: Model, by: string, isDrawn: (node: number) => boolean): Colouring {
	const { label, labels, more } = model.data;
	if (by === 'module') {
		const moduleOf = (node: number) => baseName(labels.modules[labels.module[label[node]]]) || 'no module';
		return byName(model, ranked(model, moduleOf), moduleOf, isDrawn);
	}
	if (by !== 'model') return byState(model, isDrawn);
	const { models, model: modelOf, label: regions } = more.regions;
	const known = new Map(regions.map((one, i) => [one, models[modelOf[i]]]));
	const own = ['code', 'system code', 'states'];
	const nameOf = (node: number) => known.get(label[node]) || own[labels.system[label[node]] ? 1 : model.kind(node) === KIND.STATE ? 2 : 0];
	return byName(model, [...own, ...models], nameOf, isDrawn);
}
