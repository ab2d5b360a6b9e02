/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace file of this process (format/trace.h): chunks are appended one by one, under a lock, so a process that is
 * killed leaves a file that is whole but for its last chunk. A failure ends tracing, not the program.
 */
#ifndef HEDDLE_CORE_TRACE_FILE_H
#define HEDDLE_CORE_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/trace.h"

/* A chunk in memory: its payload follows the header. */
struct heddle_trace_block {
	struct heddle_trace_chunk header;
	uint8_t payload[];
};

/*
 * Append a chunk, its header completed but for magic, version and sum; before the first one, create the file; before
 * events, append the nodes that were added to the tree. False: it is not in the file. Every wait is bounded.
 * Context of all: any thread, signal.
 */
bool heddle__trace_file_append(struct heddle_trace_block *block);

/* Append what is known of the process now; `end_ticks` as in the format. */
bool heddle__trace_file_append_info(uint64_t end_ticks);

/* True if something could not be written, so that tracing has ended. */
bool heddle__trace_file_failed(void);

/* True if the file has chunks of events; its bytes so far. */
bool heddle__trace_file_exists(void);
uint64_t heddle__trace_file_size(void);

/*
 * What is appended from here on belongs to an end that may not come (an exec): until heddle__trace_file_return, which
 * takes it back, no other thread writes.
 */
void heddle__trace_file_try_end(void);
void heddle__trace_file_return(void);

/* This process, or the child of a fork, begins a file of its own, with its first chunk. Context: its only thread. */
void heddle__trace_file_begin(void);

/* When the file began, on the monotonic clock: the zero of its times. Context: any thread, signal. */
uint64_t heddle__trace_file_start_ns(void);

/* Counts for INFO, as there; added to from any thread. */
struct heddle_trace_counts {
	_Atomic uint64_t records, dropped, lost, waits, wait_ticks;
};
extern struct heddle_trace_counts heddle__trace_counts;

#endif
