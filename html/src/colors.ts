// SPDX-License-Identifier: BSD-3-Clause
// Colours that differ in lightness, too, so that they are distinct without hues.

const GREY = '#6d6d6d';

// By the number of the state (format/ids.h): work, overhead, idle, barrier, lock, task, Heddle, ...; then: not measured.
export const STATE_COLORS = [
	...['#56a36c', '#d55e00', '#c9c9c9', '#cc79a7', '#7b3f61', '#e8b9d2', '#444444', '#8f8f8f', '#b3a16b', '#7f9fd1'],
	...['#a25c8b', '#2c6fb3', GREY, GREY, GREY, '#9a9a9a'],
];

// Okabe and Ito's (brown for black, which a dark page hides), for functions; the last one is for all others.
export const PALETTE = ['#e69f00', '#56b4e9', '#009e73', '#f0e442', '#0072b2', '#d55e00', '#cc79a7', '#7a5230', '#9a9a9a'];
