// SPDX-License-Identifier: BSD-3-Clause
// The data of pages as they are stored; this is their only description. export/html_data.c, the functions of
// export/html_views.h and export/html_diff.c write them, data.ts decodes them. The test page_schema reads these types,
// in the few forms that are used here, and checks that pages have these members and no others.

export interface Metric {
	name: string;
	unit: string;
	meaning: string;
}

export interface Thread {
	label: string;
	pid: number;
	rank: number; // its rank, from 1; 0: a thread without a rank
	threads: number; // number of the program's threads in the row; 0: Heddle's own
	wall: number; // ns
	'cpu-time': number[]; // by state, ns
	'wall-time': number[];
}

export interface Process {
	pid: number;
	host: string;
	start: number; // ns since 1970
	duration: number; // ns
	cpu: number; // ns
	periods: number; // periods that samples account for
	samples: number;
	hz: number;
	source: string;
	incomplete: boolean;
}

export interface Finding {
	text: string; // names are between backquotes
	brief: string; // a short form
	share: number; // of the threads' time, 0 to 1
	node: number; // -1: the whole program
	metric: string;
}

// [differences of ascending sites, values]
export type Sparse = [number[], number[]];
export type Values = { [metric: string]: Sparse };

export interface About {
	parent: number;
	program: string;
	directory: string;
	machine: string;
	ended: string;
	clock: string;
	unwinding: string;
	runtime: string;
	heddle: string;
	file: string;
	threads: number;
	found: number; // periods in the file
	paused: number; // arrived while measurement was off
	late: number; // periods whose time is in the next sample
	cut: number; // paths that were truncated
	own: number; // bytes of Heddle's memory
	memory: boolean; // measured; then, in bytes and ns:
	peak: number;
	peakAt: number;
	inUse: number;
	counters: { name: string; source: string }[];
	sources: { name: string; signals: number; cpu: number }[];
}

// A thread's time as pieces that follow each other, from the timeline's begin on. A piece has one part (a path), or
// several if it stands for many short spans: then the first part has what the others leave of its length.
export interface Track {
	thread: number; // -1: not in the profile
	helper: boolean; // without rank and number in a team, unlike others: mostly sleeps
	least: number; // ns; shorter spans were combined; 0: none were
	lengths: number[]; // ns, by piece
	counts: number[]; // parts, by piece
	nodes: number[]; // by part; -1: several other paths
	states: number[]; // by part; -1: the thread did not exist; the number of states: not measured
	times: number[]; // ns, without the first part of each piece
}

export interface Timeline {
	from: number; // ns since the beginning of the run
	to: number;
	records: number; // of these threads' traces
	kept: number[]; // from, to: a range in which no spans were combined
	damage: string[];
	threads: Track[];
	curves: { metric: string; unit: string; values: number[] }[]; // of all threads, by columns of equal length
	arrows: {
		messages: number; // number of all, of which those with most bytes are shown
		accesses: number;
		shown: number[]; // from track, to track, ns since `from`, ns until it arrives, bytes
	};
}

// Thread time in ns: elapsed time, then the time that remains after each factor; the last is useful time.
export interface EfficiencyScope {
	kind: string; // run, phase, region
	label: number; // -1: the run
	threads: number;
	elapsed: number; // ns
	left: number[];
	places: number[]; // labels: where each factor lost most; -1: unknown
}

export interface Efficiency {
	ipc: number; // of useful code; 0: not counted
	// The factors whose product is communication, the first factor, for several ranks with a trace; ideal: ns
	network: { ideal: number; transfer: number; serialization: number } | null;
	factors: { title: string; loss: string; matters: boolean; inRegions: boolean }[];
	scopes: EfficiencyScope[]; // the run, then phases and regions, the largest loss first
}

// Messages, their bytes and ns; then the same for collectives.
export interface ExchangeSums {
	sums: number[];
}

// What ranks exchanged.
export interface Exchanges {
	rank: string; // what the model calls one: "MPI"
	communicators: { name: string; sums: number[] }[]; // '': unknown
	sizes: { below: number; sums: number[] }[]; // bytes; 0: any
	unfinished: { count: number; rank: number; partner: number; communicator: string; with?: string }[]; // -1: any, or not known; communicator: or file; with: if no rank
	files: ExchangeFile[]; // by time, the largest first
}

export interface ExchangeFile {
	name: string;
	shown: string; // the shortest end of it that no other file has
	counts: number[]; // ranks, opens, reads, bytes read, writes, bytes written
	times: number[]; // ns of opening and closing, reads, writes, other calls
	bandwidth: number; // bytes per second; 0: unknown
}

// A kind of waiting with a function or region, as a row of `heddle report --late`.
export interface WaitRow {
	kind: number; // of Waits.kinds
	label: number; // where the threads waited
	node: number; // the path with most waiting
	count: number; // barriers, collectives, messages
	waited: number; // ns
	longest: number; // ns, of one thread
	longestAt: number; // ns since the beginning of the run: when the thread that was waited for arrived
	longestFor: number; // that thread; -1: not in the profile
	causes: number[][]; // thread, label of where it was, times, ns; the longest first
	rest: number[]; // number of further threads, their times, ns
}

// From a trace: who waited for whom, and the critical path.
export interface Waits {
	part: boolean; // of the run
	kinds: { text: string; waited: number }[];
	elapsed: number; // ns, of all the program's threads
	rows: WaitRow[]; // most waiting first
	left: number[]; // number of further rows, their ns
	critical: {
		length: number; // ns
		changes: number; // changes of thread
		crowd: { share: number; threads: number; processors: number }; // share: wake-up latency of the path; threads 0: little
		threads: { thread: number; ns: number; states: number[] }[];
		nodes: number[];
		times: number[]; // ns of these nodes, exclusive
	};
}

// Data for single views, besides values by path.
export interface More {
	about: {
		processes: About[]; // in the order of StoredPage.processes
		left: string[]; // files that could not be read
		unnamed: { path: string; unnamed: number; places: number }[];
	};
	regions: { models: string[]; label: number[]; model: number[] };
	sizes: number[][]; // node, accesses, least, most, sum, first bucket, buckets from there on
	pairs: {
		rank: string; // what the model calls a thread with a number: "UPC", "PE"
		messages: boolean; // cells are messages from rank to rank, not accesses
		threads: number;
		groups: number; // groups of consecutive threads; one more: threads without a number
		variables: string[]; // empty: cells are sums over all variables
		cells: number[][]; // variable, thread, owner, accesses, remote ones, bytes, ns
	};
	exchanges: Exchanges | null;
	timeline: Timeline | null;
	waits: Waits | null;
	unread: number; // number of events of a trace that is too long to find waits in it; else 0
	efficiency: Efficiency | null;
}

// Exclusive values of single threads, for the functions and regions with the largest ones.
export interface Heat {
	metric: string;
	labels: number[];
	values: number[][]; // by label, then by thread
}

// A measurement. Columns named here are differences: `parent` to the node, others to the previous row.
export interface StoredPage {
	version: number;
	writer: string;
	processes: Process[];
	program: string;
	arguments: string[];
	notes: string[];
	findings: Finding[];
	metrics: Metric[];
	states: string[];
	threads: Thread[];
	labels: {
		text: string[];
		kind: number[];
		file: number[];
		line: number[];
		module: number[];
		system: number[]; // 1: system code
		modules: string[]; // paths
	};
	nodes: { parent: number[]; label: number[]; state: number[] };
	// parent: index among the sites of the parent's node
	sites: { node: number[]; file: number[]; line: number[]; parent: number[] };
	files: string[];
	sums: Values;
	byThread: Values[]; // empty: values of single threads are left out
	heat: Heat | null; // null unless byThread is left out
	sources: { [file: string]: string };
	more: More;
}

// Margins, and p: 1 is not significant, 0 below a thousandth; empty: a group had only one run.
export type Tests = [number[], number[]];

export interface DiffValues {
	before: Sparse; // sums over the runs, exclusive
	after: Sparse;
	paths: Tests;
	rows: Tests;
}

// A difference.
export interface StoredDiff {
	version: number;
	writer: string;
	before: string[]; // names of measurements
	after: string[];
	findings: Finding[];
	metrics: Metric[];
	parent: number[];
	row: number[]; // by path: its function or region
	label: number[];
	text: string[];
	kind: number[];
	diff: { [metric: string]: DiffValues };
}
