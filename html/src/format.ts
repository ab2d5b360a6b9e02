// SPDX-License-Identifier: BSD-3-Clause
// Numbers for people, as `heddle report` prints them.

const STEPS: [number, string][] = [
	[1e9, 's'],
	[1e6, 'ms'],
	[1e3, 'us'],
];

function three(number: number): string {
	if (number >= 100) return number.toFixed(0);
	return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

function time(ns: number): string {
	for (const [size, unit] of STEPS) if (ns >= size) return `${three(ns / size)} ${unit}`;
	return `${Math.round(ns)} ns`;
}

function bytes(count: number): string {
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
	let unit = 0;
	while (count >= 1024 && unit < units.length - 1) {
		count /= 1024;
		unit++;
	}
	return `${unit === 0 ? count : three(count)} ${units[unit]}`;
}

export function format(value: number, unit: string): string {
	if (unit === 'ns') return value === 0 ? '0' : time(value);
	if (unit === 'bytes') return bytes(value);
	return Math.round(value).toLocaleString('en-US');
}

export function percent(part: number, whole: number): string {
	return whole > 0 ? ((100 * part) / whole).toFixed(1) : '0.0';
}

export function baseName(path: string): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
