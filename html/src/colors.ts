// SPDX-License-Identifier: BSD-3-Clause
// The palette: one colour for each meaning, for light and dark pages. All differ in lightness or on the blue-yellow axis,
// so that they are distinct without hues, which the test page_palette holds.

// prettier-ignore
export const MEANINGS: { [meaning: string]: [string, string] } = {
	work: ['#8ecbf0', '#2a6f9e'],
	waiting: ['#f5b53d', '#c28a10'],
	communication: ['#7a3fa0', '#b58be0'],
	overhead: ['#b5401f', '#8a2c12'],
	idle: ['#dcdcdc', '#44474c'],
	'off CPU': ['#6b7075', '#9a9fa5'],
};

// By the number of the state (format/ids.h); the last one: not measured.
const OF_STATE = [
	...['work', 'overhead', 'idle', 'waiting', 'waiting', 'waiting', 'overhead', 'off CPU', 'work'],
	...['waiting', 'waiting', 'communication', 'idle', 'waiting', 'waiting', 'none'],
];
// States with the same meaning have its colour, lighter or darker.
const SHADES = [0, 0, 0, 0, -18, 14, 30, 0, 10, 26, -32, 0, 8, -26, 22, 0];

// Okabe and Ito's palette (brown instead of black, which a dark page hides), for items without a meaning of their own,
// such as functions and modules; the last colour is for all others.
export const PALETTE = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7', '#7a5230', '#9a9a9a'];

export function isDark(): boolean {
	if (matchMedia('print').matches) return false;
	const { theme } = document.documentElement.dataset;
	return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

const channels = (color: string) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

// Makes a colour lighter, by percent of the way to white, or darker.
export function shade(color: string, percent: number): string {
	const to = percent > 0 ? 255 : 0;
	const mixed = channels(color).map((one) => Math.round(one + ((to - one) * Math.abs(percent)) / 100));
	return `#${mixed.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
}

export const meaningOf = (state: number): string => OF_STATE[state] ?? 'none';

export function meaningColor(meaning: string): string {
	return (MEANINGS[meaning] ?? ['#f4f4f4', '#232528'])[isDark() ? 1 : 0];
}

export function stateColor(state: number): string {
	return shade(meaningColor(meaningOf(state)), SHADES[state] ?? 0);
}

// Returns black or white, whichever is more legible on the colour.
export function inkOn(color: string): string {
	const linear = channels(color).map((one) => (one / 255 <= 0.04 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
	return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18 ? '#111111' : '#ffffff';
}
