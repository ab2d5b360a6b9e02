/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Costs for formats with several metrics: for each thread, the values of all its sites. A merged file has no values of
 * single threads; its sums are passed as those of one thread without a name.
 */
#ifndef HEDDLE_EXPORT_COSTS_H
#define HEDDLE_EXPORT_COSTS_H

#include "export/formats.h"

#include "profile/view/view_sites.h"

/* Exclusive values of one thread. */
struct export_thread_costs {
	const struct profile_process *process;
	const struct profile_thread *thread; /* NULL, like `process`: the values are sums of all threads */
	size_t number; /* of the thread among all, from 0, as in export_threads_each; undefined if `thread` is NULL */
	size_t count;
	const uint32_t *sites;  /* sites with values, ascending */
	const uint64_t *values; /* metric m of site s: values[s * request->metric_count + m] */
};

/*
 * Calls `each` for every thread that has values, in the order of files. Metrics that no thread has values of are passed
 * in a last call, without a thread. Returns the first nonzero result of `each`, or 0 or a negative error.
 */
int export_costs_each(const struct export_request *request, const struct profile_sites *sites,
	int (*each)(void *context, const struct export_thread_costs *costs), void *context);

/*
 * Returns the sums over all threads of every site, in the order of `values` above; free with free(). NULL: no memory.
 */
uint64_t *export_costs_sums(const struct export_request *request, const struct profile_sites *sites);

/* Calls `each` for every thread of a measurement. Returns like export_costs_each. */
int export_threads_each(const struct export_request *request,
	int (*each)(void *context, const struct profile_process *process, const struct profile_thread *thread,
		size_t number),
	void *context);

/* Returns the number of a thread in export_threads_each, or -1 if it is not among them. */
int64_t export_thread_number(const struct export_request *request, const struct profile_thread *thread);

/* Writes the name of a thread for users: its rank, or its role and number. */
void export_row_name(
	const struct export_request *request, const struct profile_thread *thread, char *name, size_t size);

/* Returns the kind of a label (enum heddle_node_kind) in a word or two. */
const char *export_kind_name(uint8_t kind);

#endif
