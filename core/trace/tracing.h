/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Traces (docs/traces.md). Each thread records into one of its two buffers; a full one is handed to the trace writer,
 * which appends it to the process's trace file, while the thread records into the other one. core/process calls these
 * functions; core/threads/trace.h records.
 */
#ifndef HEDDLE_CORE_TRACING_H
#define HEDDLE_CORE_TRACING_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_thread;

/* Reads the settings; the output directory must exist. Context: init. */
void heddle__trace_init(void);

/* The thread's context begins, before its first event, or ends, after its last. Context: owner thread, inside. */
void heddle__trace_thread_begin(struct heddle_thread *thread);
void heddle__trace_thread_end(struct heddle_thread *thread);

/*
 * Start and stop the trace writer, which belongs to the keeper; the keeper waits for its end. Without it, threads write
 * their buffers themselves. Start returns true if it runs. Context: start: the thread that starts the keeper, before
 * it; stop: the keeper, or the thread that could not start it.
 */
bool heddle__trace_writer_start(void);
void heddle__trace_writer_stop(void);

/* True if the profile must be written now, so that the trace has names; true only once. Context: the keeper. */
bool heddle__trace_wants_profile(void);

/* Returns the interval at which the profile is written, in seconds; 0: at the end only. Context: any thread. */
long heddle__trace_flush_seconds(void);

/*
 * Write the end, with measurement frozen: begin writes the buffers; then, while the profile is written at the measured
 * tick `now`, values that no record accounts for are added; finish writes the description, when the profile's clock is
 * final. An end that is tried (exec) can be undone by return. Context: any thread, signal.
 */
void heddle__trace_end_begin(bool tried);
void heddle__trace_end_finish(uint64_t now, bool tried);
void heddle__trace_end_return(void);

/* Writes the trace when the program requests a flush. Context: any thread, not a signal handler; inside. */
void heddle__trace_flush(void);

/* Context: the child's only thread. */
void heddle__trace_after_fork(void);

#endif
