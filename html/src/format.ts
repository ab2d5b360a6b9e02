// SPDX-License-Identifier: BSD-3-Clause
// Numbers as `heddle report` prints them.

const STEPS: [number, string][] = [
	[1e9, 's'],
	[1e6, 'ms'],
	[1e3, 'us'],
];

// Rounds like printf: halves to the even digit.
export function fixed(number: number, digits: number): string {
	if (Math.abs((number * 2 ** (digits + 1)) % 2) !== 1) return number.toFixed(digits);
	const down = Math.floor(number * 10 ** digits);
	return ((down % 2 === 0 ? down : down + 1) / 10 ** digits).toFixed(digits);
}

const grouped = (number: number) => Math.round(number).toLocaleString('en-US');

function three(number: number): string {
	if (number >= 999.5) return grouped(Number(fixed(number, 0)));
	if (number >= 99.95) return fixed(number, 0);
	return fixed(number, number >= 9.995 ? 1 : 2);
}

function time(ns: number): string {
	for (const [size, unit] of STEPS) if (ns >= size * 0.9995) return `${three(ns / size)} ${unit}`;
	return `${Math.round(ns)} ns`;
}

// Formats a time of the run with as many digits as distinguish it from the time `step` later.
export function point(ns: number, step: number): string {
	if (ns === 0) return '0 s';
	const [size, unit] = STEPS.find(([least]) => ns >= least) ?? [1, 'ns'];
	return `${(ns / size).toFixed(Math.min(9, Math.max(0, Math.ceil(Math.log10(size / Math.max(1, step)) - 1e-9))))} ${unit}`;
}

function bytes(count: number): string {
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
	let unit = 0;
	while (count >= 999.5 && unit < units.length - 1) {
		count /= 1024;
		unit++;
	}
	return `${unit === 0 ? Math.round(count) : three(count)} ${units[unit]}`;
}

export function format(value: number, unit: string): string {
	if (unit === 'ns') return time(value);
	if (unit === 'bytes') return bytes(value);
	return grouped(value);
}

export function percent(part: number, whole: number): string {
	return whole > 0 ? fixed((100 * part) / whole, 1) : '0.0';
}

// Formats a share for a table, where zero is a dash.
export function share(part: number, whole: number): string {
	return part === 0 ? '\u2013' : percent(part, whole);
}

// Formats a value for a table, where zero is a dash.
export function amount(value: number, unit: string): string {
	return value === 0 ? '\u2013' : format(value, unit);
}

// Formats an amount with its share, for a sentence or a note; zero is a dash.
export function amountAndShare(value: number, unit: string, whole: number): string {
	return value === 0 ? '\u2013' : `${format(value, unit)}, ${percent(value, whole)} %`;
}

export function baseName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
