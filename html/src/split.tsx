// SPDX-License-Identifier: BSD-3-Clause
// Time by state, work and each kind of waiting: of all threads, and of one thread as a bar.

import { stateColor } from './colors';
import { format, percent } from './format';
import type { Model } from './model';
import type { Selection } from './selection';

// Returns ns by state, of all threads or one; in a phase: of the nodes below it.
export function statesOf(model: Model, thread: number, metric: 'cpu-time' | 'wall-time'): number[] {
	const sums = model.data.states.map(() => 0);
	const threads = model.data.threads.filter((_, i) => thread < 0 || i === thread);
	if (model.phase < 0) threads.forEach((one) => one[metric].forEach((value, state) => (sums[state] += value)));
	else model.each(metric, thread, (node, value) => (sums[model.data.state[node]] += value));
	return sums;
}

export function Split({ model, chosen }: { model: Model; chosen: Selection }) {
	const metric = model.of('wall-time', -1).whole > 0 ? 'wall-time' : 'cpu-time';
	const sums = statesOf(model, chosen.thread, metric);
	const overhead = sums[model.data.states.indexOf('overhead')];
	const shares = [{ name: overhead > 0 ? `work (with ${format(overhead, 'ns')} of overhead)` : 'work', state: 0, value: 0 }];
	sums.forEach((value, state) => {
		const name = model.data.states[state];
		if (name.endsWith('wait') || name === 'idle') shares.push({ name, state, value });
		else shares[0].value += value;
	});
	const shown = shares.filter(({ value }) => value > 0);
	const whole = shown.reduce((all, { value }) => all + value, 0);
	return (
		<>
			<div class="bar split" aria-hidden="true">
				{shown.map(({ state, value }) => (
					<span style={{ width: `${(100 * value) / whole}%`, background: stateColor(state) }} />
				))}
			</div>
			<p class="legend">
				{metric} of {chosen.thread < 0 ? 'all threads' : 'the thread'}:{' '}
				{shown.map(({ name, state, value }) => (
					<span>
						<i style={{ background: stateColor(state) }} /> {name} {format(value, 'ns')} ({percent(value, whole)} %){' '}
					</span>
				))}
			</p>
		</>
	);
}

// A thread's times by state, as a bar whose length is relative to the longest thread.
export function StateBar({ values, longest, states }: { values: number[]; longest: number; states: string[] }) {
	const sum = values.reduce((all, value) => all + value, 0);
	const words = values
		.map((value, state) => (value > 0 ? `${states[state]} ${percent(value, sum)} %` : ''))
		.filter((text) => text !== '')
		.join(', ');
	return (
		<div class="bar" role="img" aria-label={words || 'nothing'} title={words}>
			{values.map((value, state) =>
				value > 0 ? <span style={{ width: `${(100 * value) / longest}%`, background: stateColor(state) }} /> : null,
			)}
		</div>
	);
}
