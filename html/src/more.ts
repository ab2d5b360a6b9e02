// SPDX-License-Identifier: BSD-3-Clause
// What single views need beyond values by path, as export/html_views.h writes it.

type Texts = 'program' | 'directory' | 'machine' | 'ended' | 'clock' | 'unwinding' | 'runtime' | 'heddle' | 'file';

export interface About extends Record<Texts, string> {
	parent: number;
	threads: number;
	found: number; // samples in the file
	paused: number; // arrived while measurement was off
	late: number; // periods whose time is in the next sample
	cut: number; // paths cut
	own: number; // bytes of Heddle's
	memory: boolean; // measured; then, in bytes and ns:
	peak: number;
	peakAt: number;
	inUse: number;
	counters: { name: string; source: string }[];
	sources: { name: string; signals: number; cpu: number }[];
}

export interface Timeline {
	from: number; // ns since the begin of the run
	to: number;
	columns: number;
	damage: string[];
	threads: { thread: number; runs: number[] }[]; // runs: columns, state (-1: none), difference of nodes
}

export interface More {
	about: {
		processes: About[]; // as Data.processes
		left: string[]; // files that could not be read
		unnamed: { path: string; unnamed: number; places: number }[];
	};
	regions: { models: string[]; label: number[]; model: number[] };
	sizes: number[][]; // node, accesses, least, most, sum, first bucket, buckets from there on
	pairs: {
		threads: number;
		groups: number; // of consecutive threads; one more: threads without a number
		variables: string[]; // none: all are together
		cells: number[][]; // variable, thread, owner, accesses, remote ones, bytes, ns
	};
	timeline: Timeline | null;
}
