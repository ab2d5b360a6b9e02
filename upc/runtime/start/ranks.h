/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC threads that a launcher started as the ranks of a job: how they find each other. Without a launcher, the
 * functions below do what is right for thread processes (launch.c, monitor.c), often nothing.
 */
#ifndef HEDDLE_UPC_RUNTIME_RANKS_H
#define HEDDLE_UPC_RUNTIME_RANKS_H

#include <stdbool.h>

#include "upc/runtime/start/options.h"

/* The options of a rank, read when it starts. */
extern struct hupc__options hupc__ranks_options;

/* This process is a rank; size 0: not known yet. Context: before constructors. */
void hupc__ranks_begin(int rank, int size);

/*
 * Connects to the launcher and maps the memory that the ranks of a node share. Ends the process after a message if
 * that fails. Context: init.
 */
void hupc__ranks_join(void);

/* All threads have met. Context: init. */
void hupc__ranks_started(void);

#endif
