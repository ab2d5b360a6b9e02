// SPDX-License-Identifier: BSD-3-Clause
// The call tree as graphs draw it: all of it; or with recursion folded into the outermost call, and without the system's
// code, whose cost is then that of the user's function above it. Sums stay the same.

import type { Model } from './model';

export interface Shape {
	of: Int32Array; // by node: the bar that has its cost, as the number of the bar's first node
	parent: Int32Array; // by bar
	children: number[][];
}

export function shapeOf(model: Model, folded: boolean, userOnly: boolean): Shape {
	const { parent, label, labels } = model.data;
	if (!folded && !userOnly) return { of: Int32Array.from(parent, (_, node) => node), parent, children: model.children };
	const of = new Int32Array(parent.length);
	const above = new Int32Array(parent.length);
	const children: number[][] = parent.length > 0 ? Array.from(parent, () => []) : [];
	const outer = (node: number) => {
		let bar = of[parent[node]];
		while (bar > 0 && label[bar] !== label[node]) bar = above[bar];
		return bar;
	};
	const known = Array.from(parent, () => undefined as Map<number, number> | undefined);
	for (let node = 1; node < parent.length; node++) {
		const bar = of[parent[node]];
		const into = userOnly && labels.system[label[node]] ? bar : folded ? outer(node) : 0;
		const same = into > 0 || (userOnly && labels.system[label[node]]) ? into : known[bar]?.get(label[node]);
		of[node] = same ?? node;
		if (same !== undefined) continue;
		above[node] = bar;
		children[bar].push(node);
		(known[bar] ??= new Map()).set(label[node], node);
	}
	return { of, parent: above, children };
}

// Returns the inclusive values of bars, from the nodes' exclusive ones.
export function totalsOf(shape: Shape, self: Float64Array): Float64Array {
	const total = new Float64Array(self.length);
	self.forEach((value, node) => (total[shape.of[node]] += value));
	for (let bar = total.length - 1; bar > 0; bar--) if (shape.of[bar] === bar) total[shape.parent[bar]] += total[bar];
	return total;
}
