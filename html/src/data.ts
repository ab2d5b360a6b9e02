// SPDX-License-Identifier: BSD-3-Clause
// The measurement that is embedded in the page, as export/html_data.c writes it, decoded into columns.

import { type Diff, type DiffFile, fromDiff } from './diff_data';
import type { More } from './more';

export interface Metric {
	name: string;
	unit: string;
	meaning: string;
}

export interface Thread {
	label: string;
	pid: number;
	rank: number; // of a rank, from 1; 0: another thread
	threads: number; // of the program that the row stands for; 0: Heddle's own
	wall: number; // ns
	'cpu-time': number[]; // by state, ns
	'wall-time': number[];
}

export interface Process {
	pid: number;
	host: string;
	start: number; // ns since 1970
	duration: number; // ns
	cpu: number; // ns
	samples: number;
	hz: number;
	source: string;
	incomplete: boolean;
}

export interface Finding {
	text: string; // names stand between backquotes
	node: number; // -1: the whole program
	metric: string;
}

// [differences of ascending sites, values]
export type Sparse = [number[], number[]];
export type Values = { [metric: string]: Sparse };

// Kinds of nodes: format/ids.h.
export const KIND = { ROOT: 1, FRAME: 2, RUNTIME_FRAME: 3, OUTLINED: 4, REGION: 5, STATE: 6, PHASE: 7, FUNCTION: 8 };

export interface Data {
	writer: string;
	program: string;
	arguments: string[];
	notes: string[];
	processes: Process[];
	findings: Finding[];
	metrics: Metric[];
	states: string[];
	threads: Thread[];
	labels: { text: string[]; kind: number[]; file: number[]; line: number[] };
	parent: Int32Array; // of each node; a parent comes before its children; the root is its own
	label: Int32Array;
	state: Uint8Array;
	siteNode: Int32Array;
	siteFile: Int32Array;
	siteLine: Int32Array;
	files: string[];
	sums: Values;
	byThread: Values[]; // empty: values of single threads were left out
	sources: { [file: string]: string };
	diff?: Diff; // several measurements: then sums are those after, and byThread has those before
	more: More;
}

// As it is stored: columns of differences instead of the typed ones.
type Decoded = 'parent' | 'label' | 'state' | 'siteNode' | 'siteFile' | 'siteLine';
interface File extends Omit<Data, Decoded> {
	version: number;
	nodes: { parent: number[]; label: number[]; state: number[] };
	sites: { node: number[]; file: number[]; line: number[] };
}

// TypeScript 4.8 does not know it yet.
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

function fromFile(file: File): Data {
	const { nodes, sites } = file;
	return {
		...file,
		parent: Int32Array.from(nodes.parent, (distance, i) => i - distance),
		label: addUp(nodes.label),
		state: Uint8Array.from(nodes.state),
		siteNode: addUp(sites.node),
		siteFile: addUp(sites.file),
		siteLine: addUp(sites.line),
	};
}

export async function load(base64: string): Promise<Data> {
	const file = JSON.parse(await decompress(bytesOf(base64))) as File | DiffFile;
	if (file.version !== 1) throw new Error(`data of version ${file.version}`);
	return 'nodes' in file ? fromFile(file) : fromDiff(file);
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
