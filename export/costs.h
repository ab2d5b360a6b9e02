/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What formats with several metrics write: for each thread, the values of all its sites. A merged file has no values of
 * single threads; its sums count as those of one thread that is not named.
 */
#ifndef HEDDLE_EXPORT_COSTS_H
#define HEDDLE_EXPORT_COSTS_H

#include "export/formats.h"

#include "profile/view/view_sites.h"

/* Exclusive values of one thread. */
struct export_thread_costs {
	const struct profile_process *process;
	const struct profile_thread *thread; /* NULL, like process: these are sums of all threads */
	size_t number; /* of the thread among all, from 0, as in export_threads_each; if there is one */
	size_t count;
	const uint32_t *sites;  /* with values, ascending */
	const uint64_t *values; /* metric m of site s: values[s * request->metric_count + m] */
};

/*
 * Calls `each` for every thread that has values, in the order of files, until it returns nonzero, which is returned;
 * or 0, or a negative error. Metrics that no thread has values of come in a last call, without a thread.
 */
int export_costs_each(const struct export_request *request, const struct profile_sites *sites,
	int (*each)(void *context, const struct export_thread_costs *costs), void *context);

/* The sums over all threads of every site: as `values` above, to be freed with free(); NULL: no memory. */
uint64_t *export_costs_sums(const struct export_request *request, const struct profile_sites *sites);

/* Calls `each` for every thread of a measurement. The same result. */
int export_threads_each(const struct export_request *request,
	int (*each)(void *context, const struct profile_process *process, const struct profile_thread *thread,
		size_t number),
	void *context);

/* Its number there; -1: it is not among them. */
int64_t export_thread_number(const struct export_request *request, const struct profile_thread *thread);

/* Name of a thread for people: its rank, or its role and number. */
void export_row_name(
	const struct export_request *request, const struct profile_thread *thread, char *name, size_t size);

/* What a label is, enum heddle_node_kind, in a word or two. */
const char *export_kind_name(uint8_t kind);

#endif
