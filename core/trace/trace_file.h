/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace file of this process (format/trace.h). Chunks are appended one by one, under a lock, so a process that is
 * killed leaves a file that is complete except for its last chunk. A failure ends tracing, not the program.
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
 * Appends a chunk, whose header is complete except for magic, version and sum. Creates the file before the first one,
 * and appends the nodes that were added to the tree before events. False: it is not in the file. Every wait is bounded.
 * Context of all: any thread, signal.
 */
bool heddle__trace_file_append(struct heddle_trace_block *block);

/* Appends INFO with the present data of the process; `end_ticks` is the member of struct heddle_trace_info. */
bool heddle__trace_file_append_info(uint64_t end_ticks);

/* True if writing failed, so that tracing has ended. */
bool heddle__trace_file_failed(void);

/* True if the file has chunks; its size in bytes so far. */
bool heddle__trace_file_exists(void);
uint64_t heddle__trace_file_size(void);

/*
 * Chunks appended from here on belong to an end that may not happen (an exec): until heddle__trace_file_return, which
 * removes them, no other thread writes.
 */
void heddle__trace_file_try_end(void);
void heddle__trace_file_return(void);

/* Begins the file of this process, or of the child of a fork, with its first chunk. Context: its only thread. */
void heddle__trace_file_begin(void);

/* When the file began, on the monotonic clock: the zero of its times. Context: any thread, signal. */
uint64_t heddle__trace_file_start_ns(void);

/* Counts for INFO, named as there; any thread adds to them. */
struct heddle_trace_counts {
	_Atomic uint64_t records, dropped, lost, waits, wait_ticks;
};
extern struct heddle_trace_counts heddle__trace_counts;

#endif
