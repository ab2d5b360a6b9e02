/* SPDX-License-Identifier: BSD-3-Clause */
/* What the profile contains about the process as a whole: its program, host, times, and how it was sampled. */
#ifndef HEDDLE_CORE_PROCESS_INFO_H
#define HEDDLE_CORE_PROCESS_INFO_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define HEDDLE_SAMPLE_SOURCES 4

/* A source of samples, and what it delivered. */
struct heddle_sample_source {
	const char *name; /* NULL: not used */
	bool kernel;      /* time in the kernel is sampled, too */
	_Atomic uint64_t signals, cpu_ns;
};

#define HEDDLE_PROCESSOR_BYTES 1024

/* Front ends may set the members after the first empty line while they start. */
struct heddle_process {
	char program[PATH_MAX]; /* absolute path */
	char arguments[4096];   /* each ended by a null byte */
	uint32_t arguments_size;
	char host[65];
	char machine[65];
	char directory[PATH_MAX]; /* at the start; empty: not known */
	char output[PATH_MAX];    /* absolute path of the measurement; empty until known */
	pid_t pid;                /* the measured process; differs from getpid() in a child that no fork handler saw */
	uint64_t start_unix_ns, start_ns, start_cpu_ns;
	uint64_t before_cpu_ns; /* the CPU clock at the start: start_cpu_ns and what is excluded */
	uint64_t frozen_cpu_ns; /* the CPU clock, less what is excluded, when measurement was frozen
				   (core/threads/control.h) */
	uint64_t start_ticks;
	_Atomic uint64_t samples_paused;
	unsigned char processors[HEDDLE_PROCESSOR_BYTES]; /* bit mask of processors that it could run on at the start */
	uint32_t processors_size;                         /* bytes up to the last that is not 0 */
	_Atomic uint64_t samples_late;                    /* periods that ended without a signal */
	struct heddle_sample_source sample_sources[HEDDLE_SAMPLE_SOURCES];

	const char *sample_source, *sample_clock, *unwinder;
	uint64_t sample_hz;
	char runtime[128];      /* version string of the runtime that reports events by its own interface */
	_Atomic uint32_t rank;  /* rank + 1, if each process has one rank; 0: none */
	_Atomic uint32_t ranks; /* number of ranks of the program */
	bool memory_measured;   /* the malloc family is measured; if so: */
	_Atomic int64_t memory_in_use;
	_Atomic int64_t memory_peak;
	_Atomic uint64_t memory_peak_ns; /* monotonic */
};

extern struct heddle_process heddle__process;

/* Fill in program, arguments, host, directory and start times. Context: init. */
void heddle__process_describe(void);

/*
 * True if the caller runs in the measured process; false in a child that has a copy of its parent's state, or shares it
 * (clone, _Fork, vfork, the bare system calls). Makes a system call. Context: any thread, signal.
 */
bool heddle__is_own_process(void);

/* In a measured child: set the start times to now, the counts of samples to 0. Context: the child's only thread. */
void heddle__process_after_fork(void);

#endif
