// SPDX-License-Identifier: BSD-3-Clause
// The page: what was measured, the findings, and the views, which share one selection.

import './style.css';
import { type ComponentChildren, render } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { About } from './about';
import { Blame } from './blame';
import { Callers } from './callers';
import { Communication } from './communication';
import { type Data, type Finding, KIND, load } from './data';
import { DIFF_VIEWS, DiffFacts, describeChange } from './diff';
import { EfficiencyView } from './efficiency';
import { Flame } from './flame';
import { baseName, format, percent } from './format';
import { Functions, Metrics } from './functions';
import { Memory } from './memory';
import { Messages } from './messages';
import { Model } from './model';
import { copy, Help } from './keys';
import { hasConstructs, OpenMP } from './openmp';
import { Found, goTo } from './found';
import { redrawForPaper } from './print';
import { link, select, type Selection, startSelection, useKept, usePassing, useSelection } from './selection';
import { Source } from './source';
import { Threads } from './threads';
import { TimelineView } from './timeline';
import { Tree } from './tree';
import { WaitsView } from './waits';

export interface ViewProps {
	model: Model;
	chosen: Selection;
	unit: string;
}

export interface View {
	name: string;
	title: string;
	own?: boolean; // it has metrics of its own
	show: (props: ViewProps) => ComponentChildren;
	has?: (model: Model) => boolean;
}

const hasMetric = (model: Model, names: string[]) => model.data.metrics.some(({ name }) => names.includes(name));

function Constructs(props: ViewProps) {
	return <Functions {...props} label="Constructs" only={({ label }) => props.model.data.labels.kind[label] === KIND.REGION} />;
}

const ACCESSES: [string, string][] = [['remote-accesses', 'remote'], ['same-node-accesses', 'same node'], ['local-accesses', 'local']];
const MOVED: [string, string][] = [['bytes-got', 'got'], ['bytes-put', 'put']];
const shownOf = (model: Model) => ACCESSES.filter(([name]) => hasMetric(model, [name]));

function Accesses(props: ViewProps) {
	return <Metrics {...props} label="Accesses to shared memory" shown={[...shownOf(props.model), ...MOVED]} />;
}

const VIEWS: View[] = [
	{ name: 'flame', title: 'Graph', show: (props) => <Flame {...props} /> },
	{ name: 'tree', title: 'Call tree', show: (props) => <Tree {...props} /> },
	{ name: 'functions', title: 'Functions', show: (props) => <Functions {...props} label="Functions and regions" /> },
	{ name: 'callers', title: 'Callers', show: (props) => <Callers {...props} /> },
	{ name: 'regions', title: 'Constructs', show: (props) => <Constructs {...props} />, has: ({ data }) => data.labels.kind.includes(KIND.REGION) },
	{ name: 'source', title: 'Source', show: (props) => <Source {...props} /> },
	{ name: 'threads', title: 'Threads', show: (props) => <Threads {...props} /> },
	{ name: 'efficiency', title: 'Efficiency', own: true, show: (props) => <EfficiencyView {...props} />, has: ({ data }) => data.more.efficiency !== null },
	{ name: 'accesses', title: 'Accesses', own: true, show: (props) => <Accesses {...props} />, has: (model) => shownOf(model).length > 0 },
	{ name: 'pairs', title: 'Communication', own: true, show: (props) => <Communication {...props} />, has: ({ data }) => data.more.pairs.cells.length > 0 || data.more.exchanges !== null },
	{ name: 'messages', title: 'Messages', own: true, show: (props) => <Messages {...props} />, has: ({ data }) => data.more.sizes.length > 0 },
	{ name: 'openmp', title: 'OpenMP', own: true, show: (props) => <OpenMP {...props} />, has: hasConstructs },
	{ name: 'blame', title: 'Blame', own: true, show: (props) => <Blame {...props} />, has: (model) => hasMetric(model, ['blame']) },
	{ name: 'memory', title: 'Memory', own: true, show: (props) => <Memory {...props} />, has: ({ data }) => data.more.about.processes.some((one) => one.memory) },
	{ name: 'waits', title: 'Waits', own: true, show: (props) => <WaitsView {...props} />, has: ({ data }) => data.more.waits !== null },
	{ name: 'timeline', title: 'Timeline', own: true, show: (props) => <TimelineView {...props} />, has: ({ data }) => data.more.timeline !== null },
	{ name: 'about', title: 'Measured', show: (props) => <About {...props} /> },
];

// ---- what was measured ----

function Facts({ data }: { data: Data }) {
	const start = Math.min(...data.processes.map((process) => process.start));
	const end = Math.max(...data.processes.map((process) => process.start + process.duration));
	const sum = (of: (index: number) => number) => data.processes.reduce((all, _, i) => all + of(i), 0);
	const hosts = [...new Set(data.processes.map((process) => process.host).filter((host) => host !== ''))];
	const threads = data.threads.reduce((all, thread) => all + thread.threads, 0);
	// As in the text report: a sample may account for several periods. Old profiles have only the number of
	// periods.
	const samples = sum((i) => data.processes[i].samples);
	const facts = [
		new Date(start / 1e6).toLocaleString('en-CA', { hour12: false }),
		hosts.length > 1 ? `${hosts.length} hosts` : hosts.join(''),
		format(end - start, 'ns'),
		`${data.processes.length} ${data.processes.length === 1 ? 'process' : 'processes'}`,
		`${format(threads, '')} ${threads === 1 ? 'thread' : 'threads'}`,
		`${format(sum((i) => data.processes[i].cpu), 'ns')} CPU`,
		samples > 0 || data.processes.some((process) => process.hz > 0) ? `${format(samples, '')} sample${samples === 1 ? '' : 's'}` : 'not sampled',
	];
	const incomplete = data.processes.filter((process) => process.incomplete).length;
	return (
		<div class="title">
			<h1>{[baseName(data.program), ...data.arguments.slice(1)].join(' ')}</h1>
			<p class="facts">{facts.filter((fact) => fact !== '').join(' \u00b7 ')}</p>
			{incomplete > 0 && (
				<p class="note" title="the processes were killed, could not write, or still run">
					{incomplete} incomplete
				</p>
			)}
		</div>
	);
}

// The command marks omissions in names by two points, so that any terminal can show them; here they become an ellipsis.
const marked = (text: string) => text.split('(anonymous namespace)::').join('\u2026::').replace(/\.\.(?=[>):\s]|$)/g, '\u2026');

// Names in a finding are between backquotes.
function Sentence({ text }: { text: string }) {
	return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code>{marked(part)}</code> : part))}</>;
}

// Findings in a few words each; sentences and notes on request.
function Findings({ data: { findings, metrics, notes, more } }: { data: Data }) {
	const left = more.efficiency?.scopes[0]?.left;
	const useful = left && percent(left[left.length - 1], left[0]);
	const [sentences, unfold] = useKept('page.sentences');
	const folded = sentences === '';
	const count = findings.length + notes.length;
	if (count === 0 && useful === undefined) return null;
	const show = ({ node, metric }: Finding) => {
		const known = metrics.some(({ name }) => name === metric);
		select({ view: 'tree', node, zoom: 0, ...(known ? { metric } : {}) });
	};
	const bare = (text: string) => marked(text.split('`').join(''));
	return (
		<div class={folded ? 'findings folded' : 'findings'}>
			<div class="brief">
				<div class="chips">
					{useful !== undefined && (
						<button class="chip" title="parallel efficiency: share of the threads' time spent on the program's own work" onClick={() => showView('efficiency')}>
							{useful} % useful
							<i style={{ width: `${useful}%` }} />
						</button>
					)}
				{findings
					.filter(({ brief }) => brief !== '')
					.map((finding) => (
						<button class="chip" disabled={finding.node <= 0} title={bare(finding.text)} onClick={() => show(finding)}>
							{marked(finding.brief)}
							<i style={{ width: `${Math.min(100, 100 * finding.share)}%` }} />
						</button>
					))}
				</div>
				{count > 0 && (
					<button class="more" aria-expanded={!folded} onClick={() => unfold(folded ? 'all' : '')}>
						{folded ? `${count} ${count === 1 ? 'sentence' : 'sentences'}` : 'fold'}
					</button>
				)}
			</div>
			<ul>
				{findings.map((finding) => (
					<li>
						{finding.node > 0 ? (
							<button onClick={() => show(finding)}>
								<Sentence text={finding.text} />
							</button>
						) : (
							<Sentence text={finding.text} />
						)}
					</li>
				))}
				{notes.map((note) => (
					<li class="note">note: {note}</li>
				))}
			</ul>
		</div>
	);
}

// ---- controls ----

// Clears what `item` and `by` mean in one view, because they mean something else in another.
function showView(view: string): void {
	select({ view, by: '', item: -1, look: '' });
}

function Controls({ model, chosen, views }: { model: Model; chosen: Selection; views: View[] }) {
	const { data } = model;
	const search = useRef<HTMLInputElement>(null);
	const phases = phasesOf(data);
	const own = views.find(({ name }) => name === chosen.view)?.own ?? false;
	const [help, showHelp] = usePassing(false);
	const tabs = useRef<HTMLElement>(null);
	useLayoutEffect(() => tabs.current?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [chosen.view]);
	useLayoutEffect(() => {
		const onKeyDown = (event: KeyboardEvent) => {
			const target = event.target as HTMLElement;
			if (event.altKey || event.ctrlKey || event.metaKey || target.closest('input, select')) return;
			const at = views.findIndex(({ name }) => name === chosen.view);
			const to = { '[': at - 1, ']': at + 1 }[event.key] ?? Number(event.key) - 1;
			if (views[to]) showView(views[to].name);
			else if (event.key === '/') search.current?.focus();
			else if (event.key === '?') showHelp(true);
			else return;
			event.preventDefault();
		};
		window.addEventListener('keydown', onKeyDown);
		return () => window.removeEventListener('keydown', onKeyDown);
	}, [views, chosen.view]);
	return (
		<div class="controls">
			<nav ref={tabs} aria-label="Views">
				{views.map((view, i) => (
					<button
						aria-pressed={view.name === chosen.view}
						title={i < 9 ? `key ${i + 1}` : 'keys [ and ]'}
						onClick={() => showView(view.name)}
					>
						{view.title}
					</button>
				))}
			</nav>
			<div class="filters" role="search" aria-label="What is shown">
				<label>
					metric{' '}
					<select value={chosen.metric} disabled={own} onChange={(event) => select({ metric: event.currentTarget.value })}>
						{data.metrics.map((metric) => (
							<option value={metric.name} title={metric.meaning}>
								{metric.name}
							</option>
						))}
					</select>
				</label>
				{data.byThread.length > 1 && (
					<label>
						thread{' '}
						<select value={chosen.thread} onChange={(event) => select({ thread: Number(event.currentTarget.value) })}>
							<option value={-1}>all</option>
							{data.threads.map((_, i) => (
								<option value={i}>
									{model.threadName(i)}
								</option>
							))}
						</select>
					</label>
				)}
				{phases.length > 0 && (
					<label>
						phase{' '}
						<select value={chosen.phase} onChange={(event) => select({ phase: Number(event.currentTarget.value) })}>
							<option value={-1}>all</option>
							{phases.map((label) => (
								<option value={label}>{data.labels.text[label].replace(/^phase /, '')}</option>
							))}
						</select>
					</label>
				)}
				<label class="search">
					search{' '}
					<input
						ref={search}
						type="search"
						placeholder="text or /regex/"
						value={chosen.search}
						title="a text, or /a regular expression/; key /; Enter and Shift+Enter: the next and the previous path"
						onInput={(event) => select({ search: event.currentTarget.value })}
						onKeyDown={(event) => event.key === 'Enter' && goTo(model, chosen, event.shiftKey ? -1 : 1)}
					/>
				</label>
				<Found model={model} chosen={chosen} />
				<button onClick={switchTheme}>
					light or dark
				</button>
				<button title="copies an address that restores this view: selection, order, open rows, zoom and search" onClick={() => copy(link())}>
					copy link
				</button>
				<button title="keys" aria-label="help" onClick={() => showHelp(true)}>
					?
				</button>
				<Help open={help} onClose={() => showHelp(false)} />
			</div>
		</div>
	);
}

const phasesOf = ({ labels, diff }: Data) =>
	diff ? [] : labels.kind.map((_, label) => label).filter((label) => labels.kind[label] === KIND.PHASE);

function switchTheme(): void {
	const root = document.documentElement;
	const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
	root.dataset.theme = dark ? 'light' : 'dark';
	select({});
}

function Path({ model, chosen }: { model: Model; chosen: Selection }) {
	const { total, whole } = model.of(chosen.metric, chosen.thread);
	const unit = model.data.metrics.find(({ name }) => name === chosen.metric)?.unit ?? '';
	return (
		<p class="path" aria-label="Selected path">
			{model.path(chosen.node).map((node, i) => (
				<>
					{i > 0 && ' \u203a '}
					<button class="text" onClick={() => select({ node })}>
						{model.text(node)}
					</button>
				</>
			))}{' '}
			<small>
				{model.data.diff
					? describeChange(model, chosen.metric, chosen.node, unit)
					: `${format(total[chosen.node], unit)}, ${percent(total[chosen.node], whole)} %`}
			</small>{' '}
			{chosen.node > 0 && (
				<button class="text minor" onClick={() => copy(model.path(chosen.node).map((node) => model.text(node)).join(';'))}>
					copy path
				</button>
			)}
		</p>
	);
}

function App({ model: whole }: { model: Model }) {
	const wanted = useSelection();
	const model = useMemo(() => (wanted.phase < 0 ? whole : new Model(whole.data, wanted.phase)), [wanted.phase]);
	const { data } = model;
	const views = (data.diff ? DIFF_VIEWS : VIEWS).filter((view) => view.has?.(model) ?? true);
	const view = views.find(({ name }) => name === wanted.view) ?? views[0];
	const chosen = { ...wanted, view: view.name };
	const metric = data.metrics.find(({ name }) => name === chosen.metric);
	return (
		<>
			<header>
				{data.diff ? <DiffFacts data={data} diff={data.diff} /> : <Facts data={data} />}
				<Findings data={data} />
			</header>
			<Controls model={model} chosen={chosen} views={views} />
			<main>
				<p class={view.own ? 'meaning own' : 'meaning'}>{view.own ? 'The metric selector does not apply to this view.' : metric?.meaning}</p>
				{!view.own && model.of(chosen.metric, chosen.thread).whole === 0 && <p class="note">The selection has no values of this metric.</p>}
				<Path model={model} chosen={chosen} />
				{view.show({ model, chosen, unit: metric?.unit ?? '' })}
			</main>
			<footer>Heddle {data.writer}. Keys: ? shows them.</footer>
		</>
	);
}

// ---- the start ----

function checked(data: Data, wanted: Selection): Selection {
	const within = (number: number, count: number) => (number >= 0 && number < count ? number : 0);
	return {
		...wanted,
		view: VIEWS.some(({ name }) => name === wanted.view) ? wanted.view : VIEWS[0].name,
		metric: data.metrics.some(({ name }) => name === wanted.metric) ? wanted.metric : data.metrics[0].name,
		thread: wanted.thread >= 0 && wanted.thread < data.byThread.length ? wanted.thread : -1,
		phase: phasesOf(data).includes(wanted.phase) ? wanted.phase : -1,
		node: within(wanted.node, data.parent.length),
		zoom: within(wanted.zoom, data.parent.length),
	};
}

async function main(): Promise<void> {
	const page = document.getElementById('page');
	const text = document.getElementById('data')?.textContent;
	if (!page || !text) return;
	const data = await load(text);
	if (data.metrics.length === 0) return; // nothing was measured, as the page without a script says
	const begin = { view: 'flame', metric: data.metrics[0].name, thread: -1, node: 0, zoom: 0, search: '', file: -1, phase: -1 };
	startSelection({ ...begin, by: '', look: '', item: -1, from: -1, to: -1, kept: {} }, (wanted) => checked(data, wanted));
	page.textContent = '';
	redrawForPaper();
	render(<App model={new Model(data)} />, page);
	document.documentElement.dataset.ready = 'yes';
	performance.mark('ready');
}

main().catch((error: unknown) => {
	const line = document.createElement('p');
	line.className = 'note';
	line.textContent = `This browser can't show the views (${String(error)}): it needs DecompressionStream (2023 or later).`;
	document.body.prepend(line);
});
