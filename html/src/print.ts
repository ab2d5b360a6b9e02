// SPDX-License-Identifier: BSD-3-Clause
// Paper looks like a light page (style.css): what a script draws is drawn again, synchronously, before and after
// printing.

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
