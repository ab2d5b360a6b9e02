// SPDX-License-Identifier: BSD-3-Clause
// Keys of tables that are drawn on a canvas: arrows move a cell, Enter picks it.

export type Cell = { row: number; column: number };

// Rows and columns that an arrow moves by.
export const STEPS: { [key: string]: [number, number] } = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] };

// Handles a key in a table with its cursor at `at`; other keys are left to the browser.
export function onCellKey(event: KeyboardEvent, at: Cell, isCell: (cell: Cell) => boolean, move: (to: Cell) => void, pick: (cell: Cell) => void): void {
	const step = STEPS[event.key];
	const to = step && { row: at.row + step[0], column: at.column + step[1] };
	if (to && isCell(to)) move(to);
	else if (event.key === 'Enter' && isCell(at)) pick(at);
	else if (!step) return;
	event.preventDefault();
}
