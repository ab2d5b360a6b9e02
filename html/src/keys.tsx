// SPDX-License-Identifier: BSD-3-Clause
// Help on keys, shown on `?`; and copying.

import { useEffect, useRef } from 'preact/hooks';

const KEYS: [string, string][] = [
	['1 to 9, [ and ]', 'go to a view; to the previous or next one'],
	['/', 'search; Enter and Shift+Enter there: next and previous match'],
	['arrows', 'move between rows, paths or cells; in trees also open and close'],
	['Ctrl+C', 'in a table: copy the selected row'],
	['Enter', 'graph, matrix: zoom to the selection; callers: show the callers of the row; timeline, heat map: select'],
	['Escape', 'graph, matrix: zoom out; timeline: the whole run'],
	['W S A D, + -', 'timeline: zoom in and out, pan left and right'],
	['F', "timeline: fold a process, open a thread's call paths"],
	['?', 'this help'],
];

export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (open && !dialog.current?.open) dialog.current?.showModal();
		if (!open) dialog.current?.close();
	}, [open]);
	return (
		<dialog ref={dialog} aria-label="Keys" onClose={onClose}>
			<h2>Keys</h2>
			<dl>
				{KEYS.map(([key, text]) => (
					<>
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{text}</dd>
					</>
				))}
			</dl>
			<button onClick={onClose}>
				close
			</button>
		</dialog>
	);
}

// Most browsers have a clipboard for pages of files; in others, the text of a selected element is copied.
export function copy(text: string): void {
	const select = () => {
		const area = document.createElement('textarea');
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	};
	if (navigator.clipboard) navigator.clipboard.writeText(text).catch(select);
	else select();
}
