// SPDX-License-Identifier: BSD-3-Clause
// Parallel efficiency: the time of the threads that remains after each factor, of the run, a phase or a parallel
// region.

import type { ComponentChildren } from 'preact';
import { meaningColor } from './colors';
import { fixed, format } from './format';
import { Whole } from './functions';
import type { Model } from './model';
import { LabelName } from './name';
import { passes } from './search';
import { select, type Selection } from './selection';
import type { Efficiency, EfficiencyScope } from './stored';
import { type Column, Table } from './table';

const MATTERS = 0.001; // of the time: the place of a smaller loss is not shown

const percent = (part: number) => fixed(100 * part, 1);
const usefulOf = ({ left }: EfficiencyScope) => left[left.length - 1];
const efficiencyOf = (scope: EfficiencyScope) => (scope.left[0] > 0 ? usefulOf(scope) / scope.left[0] : 0);
const factorOf = ({ left }: EfficiencyScope, factor: number) => (left[factor] > 0 ? left[factor + 1] / left[factor] : 1);

// A region's threads are only those in it: no thread works alone, and ranks do not wait for each other there.
function factorsOf({ factors }: Efficiency, { kind }: EfficiencyScope): number[] {
	return factors.flatMap(({ matters, inRegions }, factor) => (matters && (inRegions || kind !== 'region') ? [factor] : []));
}

// Returns the path with most of a label's time.
export function nodeOf(model: Model, label: number): number {
	const metric = model.of('wall-time', -1).whole > 0 ? 'wall-time' : 'cpu-time';
	const found = model.rows(metric, -1).find((row) => row.label === label) ?? model.rows('visits', -1).find((row) => row.label === label);
	return found?.node ?? Math.max(0, model.data.label.indexOf(label));
}

// A bar is as long as the share that the factors before leave; its filled part is the share that this factor leaves.
function Rung({ before, after }: { before: number; after: number }) {
	return (
		<div class="rung" aria-hidden="true">
			<span style={{ width: `${100 * after}%`, background: meaningColor('work') }} />
			{before > after && <span class="gone" style={{ width: `${100 * (before - after)}%` }} />}
		</div>
	);
}

interface RungProps {
	title: string;
	below?: boolean; // part of the factor above
	factor: number;
	before: number; // shares of all time
	after: number;
	loss: string;
	place?: ComponentChildren;
}

function LadderRow({ title, below, factor, before, after, loss, place }: RungProps) {
	return (
		<tr class={below ? 'below' : ''}>
			<th scope="row">{title}</th>
			<td>{percent(factor)}</td>
			<td>
				<Rung before={before} after={after} />
			</td>
			<td>
				{before - after >= MATTERS && `${percent(before - after)} %, to ${loss}`}
				{before - after >= MATTERS && place}
			</td>
		</tr>
	);
}

// The factors whose product is communication, below it.
function Network({ network, after }: { network: Efficiency['network']; after: number }) {
	if (!network) return null;
	const { transfer, serialization } = network;
	return (
		<>
			<LadderRow below title="transfer" factor={transfer} before={1} after={transfer} loss="the network and its library" />
			<LadderRow below title="serialization between ranks" factor={serialization} before={transfer} after={after} loss="waiting for data of other ranks" />
		</>
	);
}

function Ladder({ model, efficiency, scope }: { model: Model; efficiency: Efficiency; scope: EfficiencyScope }) {
	const { left, places } = scope;
	const whole = left[0] > 0 ? left[0] : 1;
	return (
		<table class="ladder">
			<thead>
				<tr>
					<th scope="col">factor</th>
					<th scope="col">%</th>
					<th scope="col">remaining</th>
					<th scope="col">lost</th>
				</tr>
			</thead>
			<tbody>
				{factorsOf(efficiency, scope).map((factor) => (
					<>
						<LadderRow
							title={efficiency.factors[factor].title}
							factor={factorOf(scope, factor)}
							before={left[factor] / whole}
							after={left[factor + 1] / whole}
							loss={efficiency.factors[factor].loss}
							place={
								places[factor] >= 0 && (
									<>
										, most at{' '}
										<button class="text" onClick={() => select({ node: nodeOf(model, places[factor]) })}>
											<LabelName model={model} label={places[factor]} search="" />
										</button>
									</>
								)
							}
						/>
						{factor === 0 && scope.kind === 'run' && <Network network={efficiency.network} after={left[1] / whole} />}
					</>
				))}
				<tr>
					<th scope="row">parallel efficiency</th>
					<td>{percent(efficiencyOf(scope))}</td>
					<td>
						<Rung before={efficiencyOf(scope)} after={efficiencyOf(scope)} />
					</td>
					<td>the product: {format(usefulOf(scope), 'ns')} are useful</td>
				</tr>
			</tbody>
		</table>
	);
}

type Row = { index: number; scope: EfficiencyScope };

function Scopes({ model, chosen, efficiency, shown }: { model: Model; chosen: Selection; efficiency: Efficiency; shown: EfficiencyScope }) {
	const { factors, scopes } = efficiency;
	const { text } = model.data.labels;
	const whole = scopes[0].left[0];
	const rows = scopes.map((scope, index) => ({ index, scope })).filter(({ scope }) => scope.label >= 0 && passes(text[scope.label], chosen.search));
	const number = (title: string, hint: string, sort: (row: Row) => number, cell: (row: Row) => string, minor = false): Column<Row> =>
		({ title, hint, number: true, minor, sort, cell });
	const lost = ({ scope }: Row) => (whole > 0 ? (scope.left[0] - usefulOf(scope)) / whole : 0);
	const name = (row: Row) => text[row.scope.label];
	const worst = ({ scope }: Row) => {
		const gone = (factor: number) => scope.left[factor] - scope.left[factor + 1];
		const most = factors.map((_, factor) => factor).reduce((best, factor) => (gone(factor) > gone(best) ? factor : best));
		return gone(most) > 0 ? factors[most].loss : '';
	};
	if (scopes.length < 2) return null;
	return (
		<>
			<h2>Phases and parallel regions</h2>
			<Table
				label="Efficiency of phases and parallel regions"
				columns={[
					number('lost %', "of the run's time", lost, (row) => percent(lost(row))),
					number('effic. %', 'useful time divided by the time of the threads there', ({ scope }) => efficiencyOf(scope), ({ scope }) => percent(efficiencyOf(scope))),
					number('elapsed', 'of the rank with the longest time', ({ scope }) => scope.elapsed, ({ scope }) => format(scope.elapsed, 'ns'), true),
					{ title: 'phase, region', sort: name, cell: ({ scope }) => <LabelName model={model} label={scope.label} search={chosen.search} /> },
					{ title: 'main cause', minor: true, sort: worst, cell: worst },
				]}
				rows={rows}
				keyOf={({ index }) => index}
				selected={scopes.indexOf(shown)}
				onSelect={({ index, scope }) => select(scope === shown ? { item: -1 } : { item: index, node: nodeOf(model, scope.label) })}
				height={360}
			/>
		</>
	);
}

export function EfficiencyView({ model, chosen }: { model: Model; chosen: Selection }) {
	const { labels, more: { efficiency } } = model.data;
	if (!efficiency) return null;
	const { scopes } = efficiency;
	const ofPhase = chosen.phase < 0 ? undefined : scopes.find(({ kind, label }) => kind === 'phase' && label === chosen.phase);
	const scope = scopes[chosen.item] ?? ofPhase ?? scopes[0];
	return (
		<section class="efficiency">
			<p class="of">
				{scope.label < 0 ? 'The run' : labels.text[scope.label]}: {format(scope.threads, '')} {scope.threads === 1 ? 'thread' : 'threads'} for{' '}
				{format(scope.elapsed, 'ns')}, of whose time {percent(efficiencyOf(scope))} % is useful.{' '}
				{scope.label < 0 && efficiency.ipc > 0 && `Useful code executes ${efficiency.ipc.toFixed(2)} instructions per cycle. `}
				{scope.label >= 0 && (
					<button onClick={() => select({ item: -1, phase: -1 })}>
						the whole run
					</button>
				)}
			</p>
			<Whole chosen={chosen} thread />
			<Ladder model={model} efficiency={efficiency} scope={scope} />
			<Scopes model={model} chosen={chosen} efficiency={efficiency} shown={scope} />
		</section>
	);
}
