// SPDX-License-Identifier: BSD-3-Clause
// The call tree as a table, like `heddle report`: paths are opened and closed, by mouse or keys.

import { useMemo, useState } from 'preact/hooks';
import { format, percent } from './format';
import type { Model } from './model';
import { Name } from './name';
import { select, type Selection } from './selection';
import { type Column, Table } from './table';

const OPEN_FROM = 0.05; // share of the whole: larger paths are open at first

// Open nodes: those with much of the cost, unless the user decided.
class Opened {
	private readonly decided = new Map<number, boolean>();
	isOpen(node: number, share: number, within: boolean): boolean {
		return this.decided.get(node) ?? (within || share >= OPEN_FROM);
	}
	set(node: number, open: boolean): void {
		this.decided.set(node, open);
	}
}

function listRows(model: Model, chosen: Selection, opened: Opened, order: number): number[] {
	const { self, total, whole } = model.of(chosen.metric, chosen.thread);
	const visits = model.of('visits', chosen.thread).self;
	const within = new Set(model.path(chosen.node).slice(0, -1));
	const keys = [
		(node: number) => -total[node],
		(node: number) => -self[node],
		(node: number) => -total[node],
		(node: number) => -visits[node],
	];
	const rows: number[] = [];
	const walk = [0];
	while (walk.length > 0) {
		const node = walk.pop() as number;
		rows.push(node);
		if (!opened.isOpen(node, total[node] / whole, within.has(node))) continue;
		const children = model.children[node].filter((child) => total[child] > 0 || visits[child] > 0);
		if (order === 4) children.sort((a, b) => model.text(a).localeCompare(model.text(b)));
		else children.sort((a, b) => keys[order](a) - keys[order](b));
		walk.push(...children.reverse());
	}
	return rows;
}

export function Tree({ model, chosen, unit }: { model: Model; chosen: Selection; unit: string }) {
	const opened = useMemo(() => new Opened(), []);
	const [order, setOrder] = useState(0);
	const [, redraw] = useState(0);
	const { self, total, whole } = model.of(chosen.metric, chosen.thread);
	const visits = model.of('visits', chosen.thread).self;
	const within = new Set(model.path(chosen.node).slice(0, -1));
	const isOpen = (node: number) => opened.isOpen(node, total[node] / whole, within.has(node));
	const isParent = (node: number) => model.children[node].some((child) => total[child] > 0 || visits[child] > 0);
	const toggle = (node: number, open: boolean) => {
		opened.set(node, open);
		redraw((n) => n + 1);
	};
	const number = () => 0; // the rows are sorted as a tree
	const columns: Column<number>[] = [
		{ title: 'total %', number: true, sort: number, cell: (node) => percent(total[node], whole) },
		{ title: 'self %', number: true, minor: true, sort: number, cell: (node) => percent(self[node], whole) },
		{ title: chosen.metric, number: true, sort: number, cell: (node) => format(total[node], unit) },
		{ title: 'visits', number: true, minor: true, sort: number, cell: (node) => (visits[node] ? format(visits[node], '') : '') },
		{
			title: 'call path',
			sort: number,
			cell: (node) => (
				<span style={{ paddingLeft: `${model.depth[node]}em` }}>
					{isParent(node) ? (
						<button
							type="button"
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
			rows={listRows(model, chosen, opened, order)}
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
