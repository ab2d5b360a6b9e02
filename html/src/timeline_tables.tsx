// SPDX-License-Identifier: BSD-3-Clause
// Below the timeline: how much of the shown range is in the page, and tables of its times and arrows.

import { format, percent, point } from './format';
import type { Model } from './model';
import { select, type Selection } from './selection';
import type { Timeline } from './stored';
import { Table } from './table';
import { isWhole, type Range, type Track } from './timeline_data';
import type { Arrow } from './timeline_draw';

// Returns ns: in all tracks, shorter spans may have been combined.
export const coarseness = (tracks: Track[]): number => tracks.reduce((most, { least }) => Math.max(most, least), 0);

type ResolutionProps = { model: Model; timeline: Timeline; tracks: Track[]; shown: Range };

export function Resolution({ model, timeline, tracks, shown }: ResolutionProps) {
	const whole = isWhole(tracks, timeline, shown);
	const [low, high] = timeline.kept;
	const directory = (model.data.more.about.processes[0]?.file ?? '').replace(/\/[^/]*$/, '') || 'DIR';
	const command = `heddle report --html part.html --from ${Math.floor(shown.from / 1000)}us --to ${Math.ceil(shown.to / 1000)}us ${directory}`;
	return (
		<p class="resolution">
			<small>
				{whole ? (
					'Every event of the shown part is in the page. '
				) : (
					<>
						{`Spans shorter than ${format(coarseness(tracks), 'ns')} are merged, with the sum of each path. `}
						{high > low && (
							<>
								Every event is there{' '}
								<button class="text" title="shows that stretch, in which short waits take most" onClick={() => select({ from: low, to: high })}>
									from {point(low, high - low)} to {point(high, high - low)}
								</button>
								.{' '}
							</>
						)}
					</>
				)}
				{whole ? 'A page of it alone: ' : 'For every event of the shown part: '}
				<code>{command}</code>
			</small>
		</p>
	);
}

type TimesProps = { model: Model; chosen: Selection; helpers: number; listed: [number, number][]; titleOf: (key: number) => string };

export function Times({ model, chosen, helpers, listed, titleOf }: TimesProps) {
	const all = listed.reduce((sum, [, ns]) => sum + ns, 0);
	const byFunction = chosen.by === 'function';
	return (
		<>
			<h2>What took most of the time shown</h2>
			{helpers > 0 && <p class="note">{`Without the time off CPU of ${helpers === 1 ? '1 helper, a thread' : `${helpers} helpers, threads`} without a rank or a number in a team.`}</p>}
			<Table
				label="What took most of the time shown"
				columns={[
					{ title: 'time', hint: 'sum over the threads shown', number: true, sort: ([, ns]) => ns, cell: ([, ns]) => format(ns, 'ns') },
					{ title: '%', hint: 'of the time in this table', number: true, cell: ([, ns]) => percent(ns, all) },
					{ title: byFunction ? 'function' : 'state', hint: 'what the threads were in', cell: ([key]) => titleOf(key) },
				]}
				rows={listed}
				keyOf={([key]) => key}
				selected={byFunction && chosen.node > 0 ? model.data.label[chosen.node] : -2}
				onSelect={() => undefined}
				height={300}
			/>
		</>
	);
}

type ArrowsProps = {
	model: Model;
	timeline: Timeline;
	arrows: Arrow[];
	length: number; // ns that are shown
	keyOf: (arrow: Arrow) => number;
	onShow: (arrow: Arrow) => void;
};

export function Arrows({ model, timeline, arrows, length, keyOf, onShow }: ArrowsProps) {
	const { messages, accesses } = timeline.arrows;
	const nameOf = ({ thread }: Track) => model.threadName(thread);
	return (
		<>
			<h2>{messages > 0 ? 'Messages' : 'Accesses'} of the shown time</h2>
			<Table
				name="arrows"
				label="Messages and accesses of the shown time"
				columns={[
					{ title: 'bytes', number: true, sort: ({ bytes }) => bytes, cell: ({ bytes }) => format(bytes, 'bytes') },
					{
						title: 'in transit',
						hint: 'from send to receive',
						number: true,
						sort: ({ sent, got }) => got - sent,
						cell: ({ sent, got }) => (got > sent ? format(got - sent, 'ns') : '\u2013'),
					},
					{ title: 'at', hint: 'since the start of the run', number: true, sort: ({ sent }) => -sent, cell: ({ sent }) => point(sent, length / 1000) },
					{ title: 'from \u2192 to', cell: (one) => `${nameOf(one.from)} \u2192 ${nameOf(one.to)}` },
				]}
				rows={arrows}
				keyOf={keyOf}
				selected={-1}
				onSelect={onShow}
				height={260}
			/>
			<p>
				<small>
					{arrows.length} of {format(messages + accesses, '')} in all; of each {format((timeline.to - timeline.from) / 256, 'ns')} the page has the 16 with
					most bytes.
				</small>
			</p>
		</>
	);
}
