/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's trace buffers. The thread fills a buffer; when it is full, one thread at a time may claim it and write it;
 * then it is empty again. A thread has two buffers; if only the last seconds are kept, it has as many as these fill.
 */
#ifndef HEDDLE_CORE_TRACE_BUFFERS_H
#define HEDDLE_CORE_TRACE_BUFFERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/threads/trace.h"
#include "core/trace/trace_file.h"

enum heddle_trace_state {
	HEDDLE_TRACE_EMPTY,
	HEDDLE_TRACE_FILLING, /* its thread records into it */
	HEDDLE_TRACE_FULL,
	HEDDLE_TRACE_WRITING, /* claimed */
};

struct heddle_trace_buffer {
	_Atomic uint32_t state;                   /* a futex; enum heddle_trace_state */
	_Atomic bool wanted;                      /* requested by a flush, however old it is */
	struct heddle_trace_buffer *_Atomic next; /* in the thread's ring */
	uint64_t unused[5];
	struct heddle_trace_block block;
};

/* The trace of a thread's context. Only the owner thread changes it, except the buffers' states. */
struct heddle_trace_thread {
	struct heddle_trace trace; /* what its thread records into */
	struct heddle_thread *thread;
	struct heddle_trace_buffer *_Atomic current; /* the buffer being filled */
	uint32_t order;                              /* of its chunk */
	bool extended;                               /* the reserve at its end is in use */
	bool entered;                                /* its buffer has no records from before the window */
	bool left;                                   /* the window has ended */
	bool gave_up;                                /* stopped waiting; drops records until a buffer is empty */
	bool lost;                                   /* nothing can be written: its records are only counted */
	bool closed;                                 /* at the end: its last chunk is written */
	uint64_t written_ticks;                      /* then: ticks of the last record in it */
	struct heddle_trace_thread *next;
};

/* How buffers are used. Set once. Context: init. */
struct heddle_trace_policy {
	size_t size;      /* of a buffer, bytes */
	bool drops;       /* drops records instead of waiting */
	uint64_t last_ns; /* only records of that time are kept, in memory; 0: all are written */
	bool windowed;    /* only records from from_ns to to_ns after the start of the process are written */
	uint64_t from_ns, to_ns;
};
extern struct heddle_trace_policy heddle__trace_policy;

/* All threads with buffers, newest first. Context: any thread, signal. */
struct heddle_trace_thread *heddle__trace_threads(void);

/* Makes buffers for a thread, the first one ready to be filled; NULL: no memory. Context: owner thread, inside. */
struct heddle_trace_thread *heddle__trace_buffers_make(struct heddle_thread *thread);

/* Sets heddle__trace_full. Context: init. */
void heddle__trace_buffers_init(void);

/*
 * Writes all full buffers that no other thread is writing; if only the last seconds are kept, those that are recent
 * enough at the measured tick `now`. Context: any thread, signal.
 */
void heddle__trace_write_full(uint64_t now);

/* Writes the records of the buffer being filled; they stay in it. Context: owner thread; any, when frozen; signal. */
void heddle__trace_write_partial(struct heddle_trace_thread *traced);

/*
 * Makes each thread call heddle__trace_full at its next record: the window begins or ends, or (`wanted`) a flush
 * requests the buffers' records. Context: any thread, not a signal handler.
 */
void heddle__trace_ask(bool wanted);

/* The state of the window at one reading of the clock. Context: any thread, signal. */
struct heddle_trace_window {
	unsigned int phase; /* 0: not begun; 1: open, or there is no window; 2: ended */
	uint64_t rest_ns;   /* until the next phase; UINT64_MAX: there is none */
};
struct heddle_trace_window heddle__trace_window(void);

/* Waits until no buffer is being written, as long as there is progress. Context: any thread, signal. */
void heddle__trace_wait_written(void);

/* Frees all buffers except the calling thread's, and empties those. Context: the child's only thread, after a fork. */
void heddle__trace_buffers_after_fork(void);

#endif
