/* SPDX-License-Identifier: BSD-3-Clause */
/* --metric and --sample-event: names that people use, what of it this machine has, and the nearest of what it lacks. */
#ifndef HEDDLE_CLI_COUNTERS_H
#define HEDDLE_CLI_COUNTERS_H

#include "format/counter.h"

/*
 * Turn HEDDLE_METRICS and HEDDLE_SAMPLE_EVENT in the environment into what the library understands, less what can't be
 * had here, of which one line each is said. 0, or an exit status after one line about what makes no sense.
 */
int heddle__counters_resolve(void);

/* `--metric help`: all that can be counted here. */
void heddle__counters_print(void);

/* One line of the names that can be counted here; those of the processor's own counters, or the others. */
void heddle__counters_names(bool hardware, char *text, size_t size);

/* Why the processor's own counters can't be had, in words; NULL: they can. */
const char *heddle__counters_no_hardware(void);

#endif
