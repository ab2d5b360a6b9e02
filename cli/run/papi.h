/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * PAPI as a dictionary: what the processor's events are called and how the kernel is asked for them. It is loaded only
 * when one of its names is asked for, and only into the `heddle` command. The measured program never loads it, and may
 * use PAPI itself.
 */
#ifndef HEDDLE_CLI_PAPI_H
#define HEDDLE_CLI_PAPI_H

#include "perf/counter.h"

/* NULL when PAPI is available, else the reason in words. */
const char *heddle__papi_unusable(void);

/* "7.0"; "" when it is not here. */
const char *heddle__papi_version(void);

/*
 * The counter of one of PAPI's names, preset or native. NULL and *counter filled in, or why not, in words; *known is
 * false when PAPI has no such name.
 */
const char *heddle__papi_find(const char *name, struct heddle_counter *counter, bool *known);

/* Calls `each` for the presets that this processor should have (`natives`: for its native events), in PAPI's order. */
void heddle__papi_each(bool natives, void (*each)(void *context, const char *name, const char *meaning), void *context);

#endif
