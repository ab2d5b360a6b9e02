/* SPDX-License-Identifier: BSD-3-Clause */
/* One table: Heddle's metrics from format/ids.h, then counters in the order in which they were found in files. */
#include "profile/file/metric.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const char *name, *unit, *meaning;
	enum heddle_origin origin;
} metrics[HEDDLE_METRIC_LIMIT] = {
#define X(number, id, text, unit, kind, origin, meaning) [number] = {text, unit, meaning, HEDDLE_ORIGIN_##origin},
	HEDDLE_METRICS(X)
#undef X
};
static int count = HEDDLE_METRIC_COUNT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

const char *profile_metric_name(enum heddle_metric metric)
{
	return metrics[metric].name ? metrics[metric].name : "";
}

const char *profile_metric_unit(enum heddle_metric metric)
{
	return metrics[metric].unit ? metrics[metric].unit : "";
}

const char *profile_metric_meaning(enum heddle_metric metric)
{
	return metrics[metric].meaning ? metrics[metric].meaning : "";
}

const char *profile_metric_hint(enum heddle_metric metric)
{
	static const char *const hints[] = {
#define X(name, hint) (hint),
		HEDDLE_ORIGINS(X)
#undef X
	};
	return hints[metrics[metric].origin];
}

bool profile_metric_is_sketched(enum heddle_metric metric)
{
	return !profile_metric_is_counter(metric) && metrics[metric].origin == HEDDLE_ORIGIN_ACCESSES;
}

static int number_of(const char *name)
{
	for (int m = 0; m < count; m++)
		if (metrics[m].name && strcmp(metrics[m].name, name) == 0)
			return m;
	return -1;
}

int profile_metric_find(const char *name)
{
	pthread_mutex_lock(&lock);
	int found = number_of(name);
	pthread_mutex_unlock(&lock);
	return found;
}

static int by_name(const void *a, const void *b)
{
	const enum heddle_metric *x = a, *y = b;
	return strcmp(profile_metric_name(*x), profile_metric_name(*y));
}

size_t profile_metric_order(enum heddle_metric *order)
{
	pthread_mutex_lock(&lock);
	for (int m = 0; m < count; m++)
		order[m] = (enum heddle_metric)m;
	qsort(order + HEDDLE_METRIC_COUNT, (size_t)(count - HEDDLE_METRIC_COUNT), sizeof(*order), by_name);
	size_t result = (size_t)count;
	pthread_mutex_unlock(&lock);
	return result;
}

/* Entries are never removed or changed, so readers need no lock. */
static int add_counter(const char *name, const char *unit, const char *meaning)
{
	int found = number_of(name);
	if (found >= 0 || count == HEDDLE_METRIC_LIMIT)
		return found >= 0 ? found : HEDDLE_METRIC_LIMIT;
	char *copies[3] = {strdup(name), strdup(unit), strdup(meaning)};
	if (!copies[0] || !copies[1] || !copies[2]) {
		for (int i = 0; i < 3; i++)
			free(copies[i]);
		return HEDDLE_METRIC_LIMIT;
	}
	metrics[count].name = copies[0];
	metrics[count].unit = copies[1];
	metrics[count].meaning = copies[2];
	return count++;
}

int profile_metric_add(const char *name, const char *unit, const char *meaning)
{
	pthread_mutex_lock(&lock);
	int number = add_counter(name, unit, meaning);
	pthread_mutex_unlock(&lock);
	return number;
}
