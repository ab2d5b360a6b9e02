/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be asked of a profile: the metrics that Heddle knows (enum heddle_metric), and from HEDDLE_METRIC_COUNT on
 * the counters that files bring. A counter is known by its name and keeps its number as long as this program runs, in
 * all measurements alike.
 */
#ifndef HEDDLE_PROFILE_METRIC_H
#define HEDDLE_PROFILE_METRIC_H

#include "format/ids.h"

#include <stdbool.h>
#include <stddef.h>

#define HEDDLE_METRIC_LIMIT (HEDDLE_METRIC_COUNT + 32)

/* For any number below HEDDLE_METRIC_LIMIT: the metric's name on the command line, "" if it is unused; its unit. */
const char *profile_metric_name(enum heddle_metric metric);
const char *profile_metric_unit(enum heddle_metric metric);
const char *profile_metric_meaning(enum heddle_metric metric);

/* What to do when a measurement has no values of a metric, in words; not of counters. */
const char *profile_metric_hint(enum heddle_metric metric);

/* True if it comes from sketches of accesses: estimates, which no trace has. */
bool profile_metric_is_sketched(enum heddle_metric metric);

static inline bool profile_metric_is_counter(enum heddle_metric metric)
{
	return (int)metric >= HEDDLE_METRIC_COUNT;
}

/* True if its values come from samples and at changes of the path; the others are charged by events to their region. */
static inline bool profile_metric_is_of_samples(enum heddle_metric metric)
{
	return metric <= HEDDLE_METRIC_WALL_TIME || profile_metric_is_counter(metric);
}

/* True if threads have values of it; a balance is known of the whole measurement alone. */
static inline bool profile_metric_is_of_threads(enum heddle_metric metric)
{
	return heddle__metric_kind(metric) != HEDDLE_METRIC_KIND_BALANCE;
}

/* The number of a metric's name; -1: there is none of that name. */
int profile_metric_find(const char *name);

/*
 * All there are, counters by their names: an order that does not depend on which file came first. Returns how many;
 * `order` has room for HEDDLE_METRIC_LIMIT.
 */
size_t profile_metric_order(enum heddle_metric *order);

/* The number of a counter, given out when it is new; its texts are copied. HEDDLE_METRIC_LIMIT: too many. Thread-safe.
 */
int profile_metric_add(const char *name, const char *unit, const char *meaning);

#endif
