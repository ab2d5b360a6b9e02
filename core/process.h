/* SPDX-License-Identifier: BSD-3-Clause */
/* The life of Heddle in a process: it starts before main, follows a fork, and writes when the process ends. */
#ifndef HEDDLE_CORE_PROCESS_H
#define HEDDLE_CORE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#define HEDDLE_NOTES 8

/* What goes into the profile about the process; front ends may set the last group while they start. */
struct heddle_process {
	char program[512];    /* absolute path */
	char arguments[4096]; /* each ended by a null byte */
	uint32_t arguments_size;
	char host[65];
	char machine[65];
	char directory[512]; /* at the start */
	char output[1024];   /* absolute path of the measurement */
	uint64_t start_unix_ns, start_ns, start_cpu_ns;
	uint64_t start_ticks;
	_Atomic uint64_t samples_paused;

	const char *sample_source, *sample_clock, *unwinder;
	uint64_t sample_hz;
	char openmp_runtime[128];
	const char *_Atomic notes[HEDDLE_NOTES];
	bool memory_measured; /* the malloc family, and then: */
	_Atomic int64_t memory_in_use;
	_Atomic int64_t memory_peak;
	_Atomic uint64_t memory_peak_ns; /* monotonic */
};

/* A line for the user in the profile; `text` must stay; the same twice counts once. Context: any thread. */
void heddle__note(const char *text);

/*
 * Write the profile as it stands and go on, for a program whose end may not reach us; waits for its turn. 0 or -errno.
 * Context: any thread, not a signal handler.
 */
int heddle__write_now(const char *why);

extern struct heddle_process heddle__process;

/*
 * Start, if that was not done yet: called by the library's constructor and by any door that may be earlier.
 * Context: init. Returns true when measuring is possible.
 */
bool heddle__start(void);

/* End and write; the second and later calls do nothing. Context: any thread, signal. */
void heddle__finish(const char *ended_by);

/* Write what there is and go on; 0 or -errno. Context: any thread, not a signal handler. */
int heddle__flush(void);

/* Before exec: write, and stop what would reach into the new program; after a failed exec: go on. */
void heddle__before_exec(void);
void heddle__after_failed_exec(void);

/*
 * A text as an index into the profile's strings; UINT32_MAX: no room. Of long ones the first 1,000 bytes count.
 * Context: any thread, signal.
 */
uint32_t heddle__string_number(const char *text);
uint32_t heddle__string_count(void);

/* "" for a number that no text has. */
const char *heddle__string(uint32_t number);

#endif
