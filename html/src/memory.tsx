// SPDX-License-Identifier: BSD-3-Clause
// Memory that the program allocated: who holds it at the end, and who asked for it.

import { format } from './format';
import { Metrics, Whole } from './functions';
import type { Model } from './model';
import type { Selection } from './selection';

const HELD: [string, string][] = [['bytes-held', 'held'], ['bytes-allocated', 'allocated'], ['bytes-freed', 'freed'], ['allocations', 'allocations']];

export function Memory({ model, chosen }: { model: Model; chosen: Selection }) {
	const { processes, more } = model.data;
	const measured = more.about.processes.map((about, i) => ({ ...about, pid: processes[i].pid })).filter(({ memory }) => memory);
	const highest = measured.reduce((most, one) => (one.peak > most.peak ? one : most));
	const bytes = (metric: string) => format(model.of(metric, -1).whole, 'bytes');
	const several = measured.length > 1;
	return (
		<section class="memory">
			<p>
				memory: {format(measured.reduce((all, one) => all + one.inUse, 0), 'bytes')} in use at the end
				{several && ` in ${measured.length} processes`}
				{` \u00b7 at most ${format(highest.peak, 'bytes')}, after ${format(highest.peakAt, 'ns')}`}
				{several && `, in process ${highest.pid}`}
			</p>
			<p>
				{format(model.of('allocations', -1).whole, '')} allocations of {bytes('bytes-allocated')} {'\u00b7'}{' '}
				{bytes('bytes-freed')} of it freed
			</p>
			<Whole chosen={chosen} thread />
			<Metrics model={model} chosen={{ ...chosen, thread: -1 }} label="Memory" shown={HELD} />
		</section>
	);
}
