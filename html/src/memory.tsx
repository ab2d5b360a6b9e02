// SPDX-License-Identifier: BSD-3-Clause
// Memory that the program allocated: who holds it at the end, and who asked for it.

import { Costs, Whole } from './costs';
import { format } from './format';
import type { Model } from './model';
import type { Selection } from './selection';

export function Memory({ model, chosen }: { model: Model; chosen: Selection }) {
	const { processes } = model.data;
	const measured = model.data.more.about.processes
		.map((about, i) => ({ ...about, pid: processes[i].pid }))
		.filter((about) => about.memory);
	const highest = measured.reduce((most, one) => (one.peak > most.peak ? one : most));
	const sum = (metric: string) => model.of(metric, -1).whole;
	const several = measured.length > 1;
	return (
		<section class="memory">
			<p>
				{format(measured.reduce((all, one) => all + one.inUse, 0), 'bytes')} in use at the end
				{several && ` in ${measured.length} processes`}
				{` \u00b7 at most ${format(highest.peak, 'bytes')}, after ${format(highest.peakAt, 'ns')}`}
				{several && `, in process ${highest.pid}`}
			</p>
			<p>
				{format(sum('allocations'), '')} allocations of {format(sum('bytes-allocated'), 'bytes')}
				{` \u00b7 ${format(sum('bytes-freed'), 'bytes')} of them given back`}
			</p>
			<Whole chosen={chosen} thread />
			<Costs
				model={model}
				chosen={{ ...chosen, thread: -1 }}
				label="Memory that is held and was asked for"
				shown={[
					{ metric: 'bytes-held', title: 'held' },
					{ metric: 'bytes-allocated', title: 'allocated' },
					{ metric: 'bytes-freed', title: 'freed' },
					{ metric: 'allocations', title: 'allocations' },
				]}
			/>
		</section>
	);
}
