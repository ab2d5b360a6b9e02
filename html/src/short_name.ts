// SPDX-License-Identifier: BSD-3-Clause
// Shortens names: the least significant parts are left out first, and marked.

// Replaces outermost brackets and their contents by the mark. Returns the text unchanged if they don't match, as in
// `operator<`.
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

// Returns a name without its namespaces, classes and result type.
function unqualified(text: string): string {
	const behind = text.lastIndexOf('(\u2026)');
	const end = behind < 0 ? text.length : behind;
	const at = text.lastIndexOf('::', end - 1);
	return at > 0 ? `\u2026${text.slice(at)}` : text;
}

// A region's name and its position, " @cg.upc:84", which distinguishes it from others of its kind.
const PLACE = /^(.+?)( @[^ ]+:\d+)$/;
const LEAST = 4; // characters of the name before its place, with the mark

// The symbols of operators have characters of brackets, which are replaced while brackets are searched for.
const OPERATOR = /(?<![A-Za-z0-9_])operator(\(\)|[<>=-]+)/g;
const OTHER: { [bracket: string]: string } = { '<': '\ue000', '>': '\ue001', '(': '\ue002', ')': '\ue003' };
const hidden = (text: string) => text.replace(OPERATOR, (operator) => operator.replace(/[<>()]/g, (bracket) => OTHER[bracket]));
const revealed = (text: string) => text.replace(/[\ue000-\ue003]/g, (other) => '<>()'[other.charCodeAt(0) - 0xe000]);

// Leaves out arguments of templates and of functions, and qualifiers, before the end of a name is cut.
function bare(text: string, room: number): string {
	const templates = fold(text, '<', '>', '<\u2026>');
	const short = templates.length <= room || text.startsWith('(') ? templates : fold(templates, '(', ')', '(\u2026)');
	return short.length <= room ? short : unqualified(short);
}

// Shortens a name to at most `room` characters: leaves out "(anonymous namespace)", arguments of templates and of
// functions, and qualifiers, before it cuts the end.
export function shortName(whole: string, room: number): string {
	if (whole.length <= room) return whole;
	const [, name, place] = PLACE.exec(whole) ?? [];
	if (place && room - place.length >= LEAST) return `${shortName(name, room - place.length)}${place}`;
	if (place) return shortName(name, room - 1).replace(/\u2026?$/, '\u2026');
	const text = whole.split('(anonymous namespace)::').join('\u2026::');
	if (text.length <= room) return text;
	const last = revealed(bare(hidden(text), room));
	if (last.length <= room) return last;
	const leaf = last.replace(/^\u2026::/, '');
	return leaf.length < room && leaf !== last ? `\u2026${leaf}` : `${leaf.slice(0, Math.max(1, room - 1)).replace(/[ \u2026]+$/, '')}\u2026`;
}
