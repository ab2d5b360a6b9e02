/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --metric and --sample-event: the names of events, which of them this machine can count, and the nearest alternatives.
 */
#ifndef HEDDLE_CLI_COUNTERS_H
#define HEDDLE_CLI_COUNTERS_H

#include "perf/counter.h"

/*
 * Translates HEDDLE_METRICS and HEDDLE_SAMPLE_EVENT in the environment into the library's form, without events that
 * this machine cannot count; prints one line about each of those. Returns 0, or an exit status after one line about
 * invalid words.
 */
int heddle__counters_resolve(void);

/* `--metric help`: prints all events that can be counted on this system. */
void heddle__counters_print(void);

/* Writes one line with the names of events that can be counted: of the processor's own counters, or others. */
void heddle__counters_names(bool hardware, char *text, size_t size);

/* Returns why the processor's own counters are not available, in words; NULL: they are. */
const char *heddle__counters_no_hardware(void);

#endif
