/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread of Heddle's own that writes full trace buffers. */
#ifndef HEDDLE_CORE_TRACE_WRITER_H
#define HEDDLE_CORE_TRACE_WRITER_H

#include <stdbool.h>

/* True if it runs, or will soon. Context: any thread, signal. */
bool heddle__trace_writer_runs(void);

/* A buffer is full. Context: any thread, signal. */
void heddle__trace_writer_wake(void);

/* The child of a fork has none. Context: the child's only thread. */
void heddle__trace_writer_after_fork(void);

#endif
