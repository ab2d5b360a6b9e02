// SPDX-License-Identifier: BSD-3-Clause
// What is shown: one selection for all views, and the values that single views keep in addition. It is the fragment of
// the page's address, so that a link restores it. A view has no other state than that of useKept and usePassing.

import { useLayoutEffect, useState } from 'preact/hooks';

export interface Selection {
	view: string;
	metric: string;
	thread: number; // -1: all
	node: number; // selected; the root: nothing
	zoom: number; // the node that a graph starts at
	search: string;
	file: number; // of the source view; -1: that of the selected node
	phase: number; // label; -1: the whole run
	by: string; // what the view's rows are; '': the view's default
	look: string; // of a graph: words separated by blanks
	item: number; // of the view: a variable, a process; -1: none
	from: number; // of the timeline: columns from, to; -1: all
	to: number;
	kept: { [name: string]: string }; // what useKept stores, by view and name: "tree.order"
}

type Numeric = 'thread' | 'node' | 'zoom' | 'file' | 'phase' | 'item' | 'from' | 'to';

let current: Selection;
let initial: Selection;
const listeners = new Set<() => void>();

const OFTEN = 100; // changes of the address in WHILE
const WHILE = 10000; // ms: browsers reject more, about twice as many
const LATER = 300; // ms until the last of too many changes is written
let written: number[] = []; // times of changes
let waiting = 0; // timer

function parse(fragment: string): Partial<Selection> {
	const found: Partial<Selection> = { kept: {} };
	for (const [name, text] of new URLSearchParams(fragment)) {
		if (name.includes('.')) found.kept = { ...found.kept, [name]: text };
		else if (name === 'view' || name === 'metric' || name === 'search' || name === 'by' || name === 'look') found[name] = text;
		else if (typeof initial[name as Numeric] === 'number' && /^-?\d+$/.test(text)) found[name as Numeric] = Number(text);
	}
	return found;
}

function fragmentOf(selection: Selection): string {
	const words = new URLSearchParams();
	for (const name of Object.keys(selection) as (keyof Selection)[])
		if (name !== 'kept' && (name === 'view' || selection[name] !== initial[name])) words.set(name, String(selection[name]));
	for (const [name, text] of Object.entries(selection.kept)) words.set(name, text);
	return words.toString();
}

// `check` corrects what an address requests and the data does not have.
export function startSelection(begin: Selection, check: (selection: Selection) => Selection): void {
	initial = begin;
	const read = () => {
		current = check({ ...initial, ...parse(location.hash.slice(1)) });
		listeners.forEach((listener) => listener());
	};
	window.addEventListener('hashchange', read);
	read();
}

// Returns the page's address, which has everything that is shown.
export function link(): string {
	return `${location.href.replace(/#.*/, '')}#${fragmentOf(current)}`;
}

function write(step: boolean): void {
	const now = performance.now();
	const address = `#${fragmentOf(current)}`;
	written = written.filter((one) => now - one < WHILE);
	clearTimeout(waiting);
	if (written.length >= OFTEN) {
		waiting = window.setTimeout(() => write(step), LATER);
		return;
	}
	if (address === location.hash) return;
	written.push(now);
	if (step) history.pushState(null, '', address);
	else history.replaceState(null, '', address);
}

// A new view or place is a step that the browser's Back undoes; a search or a turn of the wheel is not.
export function select(change: Partial<Selection>, step = !('search' in change)): void {
	current = { ...current, ...change };
	write(step);
	listeners.forEach((listener) => listener());
}

export function useSelection(): Selection {
	const [, redraw] = useState(0);
	useLayoutEffect(() => {
		const listener = () => redraw((n) => n + 1);
		listeners.add(listener);
		return () => {
			listeners.delete(listener);
		};
	}, []);
	return current;
}

// State of the shown view that a link restores, as a text; '': the view's default. `name` is unique in the view; with a
// dot, in the page.
export function useKept(name: string): [string, (text: string) => void] {
	const key = name.includes('.') ? name : `${current.view}.${name}`;
	const keep = (text: string) => {
		const { [key]: _, ...others } = current.kept;
		select({ kept: text === '' ? others : { ...others, [key]: text } }, false);
	};
	return [current.kept[key] ?? '', keep];
}

// Like useKept, for numbers separated by blanks; undefined: the view's default.
export function useKeptNumbers(name: string, count: number): [number[] | undefined, (...numbers: number[]) => void] {
	const [text, keep] = useKept(name);
	const numbers = text.split(' ').map(Number);
	const right = text !== '' && numbers.length === count && numbers.every(Number.isFinite);
	return [right ? numbers : undefined, (...to) => keep(to.join(' '))];
}

// Paths that the user opened and closed, by key, in spite of the view's default. `of` identifies the keys: if it
// changes, they are dropped.
export function useFolds(name: string, of = ''): [Map<number, boolean>, (folds: Map<number, boolean>) => void] {
	const [text, keep] = useKept(name);
	const [what, ...words] = text.split(' ');
	const folds = new Map(what === `${of}:` ? words.map((word) => [Number(word.slice(1)), word[0] === 'o']) : []);
	return [folds, (to) => keep(to.size === 0 ? '' : [`${of}:`, ...[...to].map(([key, open]) => `${open ? 'o' : 'c'}${key}`)].join(' '))];
}

// State that no link restores: sizes of the window, what is under the pointer or being dragged, whether help is open.
export const usePassing = useState;
