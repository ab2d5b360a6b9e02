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

// Without the namespaces and classes that it is in, nor its result's type.
function unqualified(text: string): string {
	const end = text.indexOf('(') < 0 ? text.length : text.indexOf('(');
	const at = text.lastIndexOf('::', end - 1);
	return at > 0 ? `\u2026${text.slice(at)}` : text;
}

// A region's name and its place, " @cg.upc:84", which distinguishes it from others of its kind.
const PLACE = /^(.+?)( @[^ ]+:\d+)$/;
const LEAST = 5; // characters of the name before its place

// What programs call std::string.
const STRING = 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >';

// In at most `room` characters: "(anonymous namespace)", arguments of templates and of functions, and what a name is in
// are left out before the end is.
export function shortName(whole: string, room: number): string {
	if (whole.length <= room) return whole;
	const [, name, place] = PLACE.exec(whole) ?? [];
	if (place && room - place.length >= LEAST) return `${shortName(name, room - place.length)}${place}`;
	const text = whole.split(STRING).join('std::string').split('(anonymous namespace)::').join('\u2026::');
	if (text.length <= room) return text;
	const operator = text.includes('operator<') || text.includes('operator>') || text.includes('operator()');
	const templates = operator ? text : fold(text, '<', '>', '<\u2026>');
	const short = templates.length <= room || operator || text.startsWith('(') ? templates : fold(templates, '(', ')', '(\u2026)');
	const last = short.length <= room || operator ? short : unqualified(short);
	if (last.length <= room) return last;
	const bare = last.replace(/^\u2026::/, '');
	return bare.length < room && bare !== last ? `\u2026${bare}` : `${bare.slice(0, Math.max(1, room - 1)).replace(/\u2026$/, '')}\u2026`;
}
