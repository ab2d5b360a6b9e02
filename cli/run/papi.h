/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI as a dictionary: names of the processor's events and their encodings for the kernel. It is loaded only when one
 * of its names is looked up, and only into the `heddle` command. The measured program never loads it for Heddle, and
 * may use PAPI itself.
 */
#ifndef HEDDLE_CLI_PAPI_H
#define HEDDLE_CLI_PAPI_H

#include "perf/counter.h"

/* Returns NULL if PAPI is available, else the reason in words. */
const char *heddle__papi_unusable(void);

/* Returns a version such as "7.0"; "" if PAPI is not available on this system. */
const char *heddle__papi_version(void);

/*
 * Finds the counter for one of PAPI's names, preset or native. Returns NULL and fills *counter, or the reason of a
 * failure in words; *known is false if PAPI has no such name.
 */
const char *heddle__papi_find(const char *name, struct heddle_counter *counter, bool *known);

/* Calls `each` for the presets that this processor should have (`natives`: for its native events), in PAPI's order. */
void heddle__papi_each(bool natives, void (*each)(void *context, const char *name, const char *meaning), void *context);

#endif
