/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The process that was started by the user: it makes the thread processes, passes signals on, and ends as they do. All
 * functions: before constructors.
 */
#ifndef HEDDLE_UPC_RUNTIME_MONITOR_H
#define HEDDLE_UPC_RUNTIME_MONITOR_H

#include <stdbool.h>

/* The signal by which a thread process is made to end; far from those that programs use. */
#define HUPC__END_SIGNAL 58

/* Take care of signals from here on. */
void hupc__monitor_prepare(void);

/* Make the process of a thread; true in it, where everything is as it was before hupc__monitor_prepare. */
bool hupc__monitor_fork(int thread);

/* Wait for all of them, and end. */
_Noreturn void hupc__monitor_wait(void);

#endif
