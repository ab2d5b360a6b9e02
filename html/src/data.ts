// SPDX-License-Identifier: BSD-3-Clause
// The measurement that is embedded in the page (stored.ts), decoded into columns.

import { type Diff, fromDiff } from './diff_data';
import type { Sparse, StoredDiff, StoredPage, Values, Waits } from './stored';

export type { Finding, Thread } from './stored';

// Kinds of nodes, as in format/ids.h.
export const KIND = { ROOT: 1, FRAME: 2, RUNTIME_FRAME: 3, OUTLINED: 4, REGION: 5, STATE: 6, PHASE: 7, FUNCTION: 8 };

// Columns of differences are decoded into typed arrays.
export interface Data extends Omit<StoredPage, 'version' | 'nodes' | 'sites'> {
	parent: Int32Array; // by node; a parent comes before its children; the root is its own parent
	label: Int32Array;
	state: Uint8Array;
	siteNode: Int32Array;
	siteFile: Int32Array;
	siteLine: Int32Array;
	siteParent: Int32Array; // 0: the site of the program
	diff?: Diff; // of several measurements: then `sums` are those after, and byThread has those before
}

// TypeScript 4.8 does not declare it yet.
declare const DecompressionStream: new (format: 'gzip') => ReadableWritablePair<Uint8Array, BufferSource>;

function addUp(differences: number[]): Int32Array {
	const column = new Int32Array(differences.length);
	let sum = 0;
	for (let i = 0; i < column.length; i++) column[i] = sum += differences[i];
	return column;
}

function bytesOf(base64: string): Uint8Array {
	const text = atob(base64);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}

async function decompress(bytes: Uint8Array): Promise<string> {
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
	return new Response(stream).text();
}

// A metric of all threads that only the view of waits has, not the list of metrics, because its lines are unknown.
export const CRITICAL = 'critical-path';

function criticalSums({ critical: { nodes, times } }: Waits, siteNode: Int32Array): Sparse {
	const siteOf = new Map<number, number>();
	siteNode.forEach((node, site) => !siteOf.has(node) && siteOf.set(node, site));
	const sites = nodes.map((node, i) => [siteOf.get(node) ?? 0, times[i]]).sort(([a], [b]) => a - b);
	return [sites.map(([site], i) => site - (i > 0 ? sites[i - 1][0] : 0)), sites.map(([, ns]) => ns)];
}

// Returns the parent of each site, which is one of the sites of the parent's node.
function parentSites(siteNode: Int32Array, parent: Int32Array, ranks: number[]): Int32Array {
	const sitesOf = new Map<number, number[]>();
	return siteNode.map((node, site) => {
		const known = sitesOf.get(node);
		if (known) known.push(site);
		else sitesOf.set(node, [site]);
		return sitesOf.get(parent[node])?.[ranks[site]] ?? 0;
	});
}

function fromPage(file: StoredPage): Data {
	const { nodes, sites } = file;
	const siteNode = addUp(sites.node);
	const parent = Int32Array.from(nodes.parent, (distance, i) => i - distance);
	const { waits } = file.more;
	return {
		...file,
		parent,
		label: addUp(nodes.label),
		state: Uint8Array.from(nodes.state),
		siteNode,
		siteFile: addUp(sites.file),
		siteLine: addUp(sites.line),
		siteParent: parentSites(siteNode, parent, sites.parent),
		sums: waits ? { ...file.sums, [CRITICAL]: criticalSums(waits, siteNode) } : file.sums,
	};
}

export async function load(base64: string): Promise<Data> {
	const file = JSON.parse(await decompress(bytesOf(base64))) as StoredPage | StoredDiff;
	if (file.version !== 1) throw new Error(`data of version ${file.version}`);
	return 'nodes' in file ? fromPage(file) : fromDiff(file);
}

// Calls `each` with every site that has a value.
export function eachValue(values: Values | undefined, metric: string, each: (site: number, value: number) => void): void {
	const sparse = values?.[metric];
	if (!sparse) return;
	let site = 0;
	for (let i = 0; i < sparse[0].length; i++) {
		site += sparse[0][i];
		each(site, sparse[1][i]);
	}
}
