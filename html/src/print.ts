// SPDX-License-Identifier: BSD-3-Clause
// On paper all is as on a light page (style.css): what is drawn by script is drawn again before and after, at once.

import { options } from 'preact';
import { select } from './selection';

type Options = { debounceRendering?: (call: () => void) => void; requestAnimationFrame?: (call: () => void) => void };

export function redrawForPaper(): void {
	matchMedia('print').addEventListener('change', () => {
		const hooks = options as Options;
		const { debounceRendering, requestAnimationFrame } = hooks;
		hooks.debounceRendering = hooks.requestAnimationFrame = (call) => call();
		select({}, false);
		Object.assign(hooks, { debounceRendering, requestAnimationFrame });
	});
}
