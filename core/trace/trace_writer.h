/* SPDX-License-Identifier: BSD-3-Clause */
/* The trace writer: Heddle's helper thread that writes full trace buffers. */
#ifndef HEDDLE_CORE_TRACE_WRITER_H
#define HEDDLE_CORE_TRACE_WRITER_H

#include <stdbool.h>

/* True if it runs or is being started. Context: any thread, signal. */
bool heddle__trace_writer_runs(void);

/* Wakes it when a buffer is full. Context: any thread, signal. */
void heddle__trace_writer_wake(void);

/* Resets the state: the child of a fork has no trace writer. Context: the child's only thread. */
void heddle__trace_writer_after_fork(void);

#endif
