// SPDX-License-Identifier: BSD-3-Clause
// The call tree as a table, like `heddle report`: paths can be opened and closed by mouse or keys.

import { amount, share } from './format';
import type { Model } from './model';
import { Name } from './name';
import { select, type Selection, useFolds, useKeptNumbers } from './selection';
import { type Column, Table } from './table';

const OPEN_FROM = 0.05; // share of the whole: larger paths are open by default

// The columns before the path's name. Siblings are sorted by a column's key, the smallest first.
export interface TreeNumbers {
	columns: Column<number>[];
	keys: ((node: number) => number)[];
	has: (node: number) => boolean;
	share: (node: number) => number; // decides which paths are open at first
}

function numbersOf(model: Model, chosen: Selection, unit: string): TreeNumbers {
	const { self, total, whole } = model.of(chosen.metric, chosen.thread);
	const visits = model.of('visits', chosen.thread).self;
	return {
		columns: [
			{ title: 'total %', number: true, cell: (node) => share(total[node], whole) },
			{ title: 'self %', number: true, minor: true, cell: (node) => share(self[node], whole) },
			{ ...model.head(chosen.metric), number: true, cell: (node) => amount(total[node], unit) },
			{ title: 'visits', number: true, minor: true, cell: (node) => amount(visits[node], '') },
		],
		keys: [(node) => -total[node], (node) => -self[node], (node) => -total[node], (node) => -visits[node]],
		has: (node) => total[node] > 0 || visits[node] > 0,
		share: (node) => total[node] / whole,
	};
}

function listRows(model: Model, numbers: TreeNumbers, isOpen: (node: number) => boolean, order: number): number[] {
	const rows: number[] = [];
	const walk = [0];
	while (walk.length > 0) {
		const node = walk.pop() as number;
		rows.push(node);
		if (!isOpen(node)) continue;
		const children = model.children[node].filter(numbers.has);
		const key = numbers.keys[order];
		if (key) children.sort((a, b) => key(a) - key(b));
		else children.sort((a, b) => model.text(a).localeCompare(model.text(b)));
		walk.push(...children.reverse());
	}
	return rows;
}

export interface TreeProps {
	model: Model;
	chosen: Selection;
	unit: string;
	numbers?: TreeNumbers;
	order?: number; // initial column to sort by
}

export function Tree({ model, chosen, unit, numbers = numbersOf(model, chosen, unit), order: first = 0 }: TreeProps) {
	const [folds, keepFolds] = useFolds('folds');
	const [[kept] = [-1], setOrder] = useKeptNumbers('order', 1);
	const within = new Set(model.path(chosen.node).slice(0, -1)); // open, so that the selection is visible
	const isOpen = (node: number) => within.has(node) || (folds.get(node) ?? numbers.share(node) >= OPEN_FROM);
	const isParent = (node: number) => model.children[node].some(numbers.has);
	const toggle = (node: number, open: boolean) => {
		keepFolds(new Map(folds).set(node, open));
		if (within.has(node)) select({ node }); // otherwise the selection would keep it open
	};
	const order = kept >= 0 && kept <= numbers.columns.length ? kept : first;
	const number = () => 0; // the rows are already sorted as a tree
	const columns: Column<number>[] = [
		...numbers.columns.map((column) => ({ ...column, sort: number })),
		{
			title: 'call path',
			sort: number,
			cell: (node) => (
				<span style={{ paddingLeft: `min(${model.depth[node]}em, 25vw)` }}>
					{isParent(node) ? (
						<button
							class="fold"
							tabIndex={-1}
							aria-label={isOpen(node) ? 'close' : 'open'}
							onClick={(event) => {
								event.stopPropagation();
								toggle(node, !isOpen(node));
							}}
						>
							{isOpen(node) ? '\u25be' : '\u25b8'}
						</button>
					) : (
						<span class="fold" />
					)}
					<Name model={model} node={node} search={chosen.search} />
				</span>
			),
		},
	];
	const onKey = (event: KeyboardEvent, node: number | undefined) => {
		if (node === undefined) return false;
		if (event.key === 'ArrowRight' && isParent(node) && !isOpen(node)) toggle(node, true);
		else if (event.key === 'ArrowLeft' && isParent(node) && isOpen(node)) toggle(node, false);
		else if (event.key === 'ArrowLeft' && node > 0) select({ node: model.data.parent[node] });
		else return false;
		return true;
	};
	return (
		<Table
			label={`Call tree by ${chosen.metric}`}
			columns={columns}
			rows={listRows(model, numbers, isOpen, order)}
			sorted
			order={order}
			onOrder={setOrder}
			keyOf={(node) => node}
			selected={chosen.node}
			onSelect={(node) => select({ node })}
			onKey={onKey}
			levelOf={(node) => ({ level: model.depth[node] + 1, open: isParent(node) ? isOpen(node) : undefined })}
		/>
	);
}
