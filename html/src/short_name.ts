// SPDX-License-Identifier: BSD-3-Clause
// Names where there is little room: what says least goes first, and what is left out leaves a mark.

// Outermost brackets and what is in them become the mark; the same text where they don't match, as in `operator<`.
function fold(text: string, open: string, close: string, mark: string): string {
	let depth = 0;
	let kept = '';
	for (let i = 0; i < text.length; i++) {
		if (text[i] === open && depth++ === 0) kept += mark;
		else if (text[i] === close && text[i - 1] !== '-') depth--;
		else if (depth === 0) kept += text[i];
		if (depth < 0) return text;
	}
	return depth === 0 ? kept : text;
}

// In at most `room` characters: arguments of templates and of functions are left out before the end is.
export function shortName(text: string, room: number): string {
	if (text.length <= room) return text;
	const operator = text.includes('operator<') || text.includes('operator>') || text.includes('operator()');
	const templates = operator ? text : fold(text, '<', '>', '\u2039\u2026\u203a');
	const short = templates.length <= room || operator || text.startsWith('(') ? templates : fold(templates, '(', ')', '(\u2026)');
	return short.length <= room ? short : `${short.slice(0, Math.max(1, room - 1))}\u2026`;
}
