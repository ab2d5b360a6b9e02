/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The metrics of profiles: those of enum heddle_metric, and from HEDDLE_METRIC_COUNT on the counters that are found in
 * files. A counter is identified by its name and has the same number in all measurements that this process reads.
 */
#ifndef HEDDLE_PROFILE_METRIC_H
#define HEDDLE_PROFILE_METRIC_H

#include "format/ids.h"

#include <stdbool.h>
#include <stddef.h>

#define HEDDLE_METRIC_LIMIT (HEDDLE_METRIC_COUNT + 32)

/* These take any number below HEDDLE_METRIC_LIMIT. The name is that of the command line, "" if the number is unused. */
const char *profile_metric_name(enum heddle_metric metric);
const char *profile_metric_unit(enum heddle_metric metric);
const char *profile_metric_meaning(enum heddle_metric metric);

/* Returns a sentence on what to do if a measurement has no values of a metric; not for counters. */
const char *profile_metric_hint(enum heddle_metric metric);

/* True if its values are estimated from sketches of accesses. Traces have no such metrics. */
bool profile_metric_is_sketched(enum heddle_metric metric);

static inline bool profile_metric_is_counter(enum heddle_metric metric)
{
	return (int)metric >= HEDDLE_METRIC_COUNT;
}

/* True if its values come from samples and changes of the path; events charge other metrics to their region. */
static inline bool profile_metric_is_of_samples(enum heddle_metric metric)
{
	return metric <= HEDDLE_METRIC_WALL_TIME || profile_metric_is_counter(metric);
}

/* True if threads have values of it; a balance is known only for the whole measurement. */
static inline bool profile_metric_is_of_threads(enum heddle_metric metric)
{
	return heddle__metric_kind(metric) != HEDDLE_METRIC_KIND_BALANCE;
}

/* Returns the number of the metric with that name, or -1 if there is none. */
int profile_metric_find(const char *name);

/*
 * Lists all metrics, counters by name, so the order does not depend on which file was read first. Returns their number;
 * `order` has room for HEDDLE_METRIC_LIMIT.
 */
size_t profile_metric_order(enum heddle_metric *order);

/* Returns the number of a counter, added when new; copies its texts. HEDDLE_METRIC_LIMIT: too many. Thread-safe. */
int profile_metric_add(const char *name, const char *unit, const char *meaning);

#endif
