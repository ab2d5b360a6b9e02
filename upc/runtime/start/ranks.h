/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC threads that a launcher started as the ranks of a job: how they connect to each other. Without a launcher, the
 * functions below do what thread processes need (launch.c, monitor.c), often nothing.
 */
#ifndef HEDDLE_UPC_RUNTIME_RANKS_H
#define HEDDLE_UPC_RUNTIME_RANKS_H

#include <stdbool.h>

#include "upc/runtime/start/options.h"

/* The options of a rank, read at its start. */
extern struct hupc__options hupc__ranks_options;

/* Called if this process is a rank; size 0: not known yet. Context: before constructors. */
void hupc__ranks_begin(int rank, int size);

/*
 * Connects to the launcher and maps the memory that the ranks of a node share. Ends the process after a message if
 * that fails. Context: init.
 */
void hupc__ranks_join(void);

/* Called when all threads have met. Context: init. */
void hupc__ranks_started(void);

#endif
