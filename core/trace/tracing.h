/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces (docs/traces.md): each thread records into one of its two buffers; a full one is handed to a thread of
 * Heddle's own, which appends it to the process's trace file, while the thread goes on with the other one. This is what
 * core/process calls; recording itself is in core/threads/trace.h.
 */
#ifndef HEDDLE_CORE_TRACING_H
#define HEDDLE_CORE_TRACING_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_thread;

/* Read the settings; the output directory must exist. Context: init. */
void heddle__trace_init(void);

/* The thread's context begins, before its first event, or ends, after its last one. Context: owner thread, inside. */
void heddle__trace_thread_begin(struct heddle_thread *thread);
void heddle__trace_thread_end(struct heddle_thread *thread);

/*
 * Heddle's own thread that writes; it belongs to the keeper, which waits for its end. Without it, threads write their
 * buffers themselves. start: true if it runs. Context: start: who starts the keeper, before it; stop: the keeper, or
 * who could not start it.
 */
bool heddle__trace_writer_start(void);
void heddle__trace_writer_stop(void);

/* True if the profile is to be written now, so that what is in the trace has names; asked once. Context: the keeper. */
bool heddle__trace_wants_profile(void);

/* How often the profile is written, in seconds; 0: at the end only. Context: any thread. */
long heddle__trace_flush_seconds(void);

/*
 * The end, with measurement frozen: first what is in the buffers; then, while the profile is written at the measured
 * tick `now`, values that no record accounts for; then the description, when the profile's clock is final. An end that
 * is tried (exec) can be taken back. Context: any thread, signal.
 */
void heddle__trace_end_begin(bool tried);
void heddle__trace_end_finish(uint64_t now, bool tried);
void heddle__trace_end_return(void);

/* A flush that the program asks for. Context: any thread, not a signal handler; inside. */
void heddle__trace_flush(void);

/* Context: the child's only thread. */
void heddle__trace_after_fork(void);

#endif
