// SPDX-License-Identifier: BSD-3-Clause
// What is shown: one selection for all views. It is the fragment of the page's address, so a link restores it.

import { useLayoutEffect, useState } from 'preact/hooks';

export interface Selection {
	view: string;
	metric: string;
	thread: number; // -1: all
	node: number; // selected; the root: nothing
	zoom: number; // the node that a graph starts at
	search: string;
	file: number; // of the source view; -1: the one of the selected node
	phase: number; // label; -1: the whole run
	by: string; // what the view shows its rows by; '': as it likes
	look: string; // of a graph: words with a blank between
	item: number; // of the view: a variable, a process; -1: none
	from: number; // of the timeline: columns from, to; -1: all
	to: number;
}

type Numeric = 'thread' | 'node' | 'zoom' | 'file' | 'phase' | 'item' | 'from' | 'to';

let current: Selection;
let initial: Selection;
const listeners = new Set<() => void>();

function parse(fragment: string): Partial<Selection> {
	const found: Partial<Selection> = {};
	for (const [name, text] of new URLSearchParams(fragment)) {
		if (name === 'view' || name === 'metric' || name === 'search' || name === 'by' || name === 'look') found[name] = text;
		else if (typeof initial[name as Numeric] === 'number' && /^-?\d+$/.test(text)) found[name as Numeric] = Number(text);
	}
	return found;
}

function fragmentOf(selection: Selection): string {
	const words = new URLSearchParams();
	for (const name of Object.keys(selection) as (keyof Selection)[])
		if (name === 'view' || selection[name] !== initial[name]) words.set(name, String(selection[name]));
	return words.toString();
}

// `check` corrects what an address asks for and the data does not have.
export function startSelection(begin: Selection, check: (selection: Selection) => Selection): void {
	initial = begin;
	const read = () => {
		current = check({ ...initial, ...parse(location.hash.slice(1)) });
		listeners.forEach((listener) => listener());
	};
	window.addEventListener('hashchange', read);
	read();
}

export function selection(): Selection {
	return current;
}

// A new view or place is a step that the browser's Back undoes; a search or a turn of a wheel is not.
export function select(change: Partial<Selection>, step = !('search' in change)): void {
	current = { ...current, ...change };
	const address = `#${fragmentOf(current)}`;
	if (!step) history.replaceState(null, '', address);
	else if (address !== location.hash) history.pushState(null, '', address);
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
