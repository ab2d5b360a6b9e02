/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that ran one after the other do not share processors. Therefore the starts and ends of threads are sorted,
 * and the threads between them counted. A row of several threads, one after the other, counts as one thread from the
 * first start to the last end. Prints nothing.
 */
#include "analysis/host_load.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>

#define PROCESSOR_BYTES 1024

struct host {
	const char *name;
	uint64_t cpu_ns, start_ns, end_ns;
	size_t alive, most;
	uint8_t processors[PROCESSOR_BYTES];
};

/* The start or the end of a thread. */
struct edge {
	uint64_t ns; /* wall clock */
	uint32_t host;
	bool starts;
};

struct loading {
	const struct profile_measurement *measurement;
	struct profile_intern names; /* of hosts, in the order of `hosts` */
	struct host *hosts;
	struct edge *edges;
	size_t edge_count;
};

static bool counts(const struct profile_process *process)
{
	return !process->error && !process->parted && *process->info->host;
}

/* Collects names, and allocates edges. */
static int prepare(struct loading *all)
{
	size_t threads = 0;
	for (size_t p = 0; p < all->measurement->process_count; p++) {
		const struct profile_process *process = &all->measurement->processes[p];
		if (!counts(process))
			continue;
		if (profile_intern(&all->names, process->info->host) == HEDDLE_INTERN_NONE)
			return -ENOMEM;
		threads += process->thread_count;
	}
	all->hosts = calloc(all->names.count + 1, sizeof(*all->hosts));
	all->edges = calloc(2 * threads + 1, sizeof(*all->edges));
	return all->hosts && all->edges ? 0 : -ENOMEM;
}

/* A thread whose end is unknown existed as long as its process. */
static void add_thread(
	struct loading *all, uint32_t host, const Heddle__Profile__Process *info, const struct profile_thread *thread)
{
	uint64_t end = thread->end_ns > thread->start_ns ? thread->end_ns : info->duration_ns;
	if (!profile_thread_is_worker(thread) || end <= thread->start_ns)
		return;
	all->edges[all->edge_count++] = (struct edge){info->start_unix_ns + thread->start_ns, host, true};
	all->edges[all->edge_count++] = (struct edge){info->start_unix_ns + end, host, false};
}

static void add_process(struct loading *all, const struct profile_process *process)
{
	const Heddle__Profile__Process *info = process->info;
	uint32_t number = profile_intern(&all->names, info->host);
	struct host *host = &all->hosts[number];
	uint64_t end = info->start_unix_ns + info->duration_ns;
	for (size_t i = 0; i < info->processors.len && i < PROCESSOR_BYTES; i++)
		host->processors[i] |= info->processors.data[i];
	for (size_t t = 0; t < process->thread_count; t++)
		add_thread(all, number, info, &process->threads[t]);
	if (!host->name || info->start_unix_ns < host->start_ns)
		host->start_ns = info->start_unix_ns;
	host->end_ns = end > host->end_ns ? end : host->end_ns;
	host->cpu_ns += info->cpu_ns;
	host->name = info->host;
}

/* At equal times, ends come before starts. */
static int by_time(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;
	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->starts - y->starts;
}

static void count_threads(struct loading *all)
{
	qsort(all->edges, all->edge_count, sizeof(*all->edges), by_time);
	for (size_t e = 0; e < all->edge_count; e++) {
		struct host *host = &all->hosts[all->edges[e].host];
		host->alive += all->edges[e].starts ? 1 : -(size_t)1;
		host->most = host->alive > host->most ? host->alive : host->most;
	}
}

static struct heddle_host_load load_of(const struct host *host)
{
	struct heddle_host_load load = {.name = host->name, .threads = host->most};
	for (size_t i = 0; i < PROCESSOR_BYTES; i++)
		load.processors += (size_t)__builtin_popcount(host->processors[i]);
	double room = (double)(host->end_ns - host->start_ns) * (double)load.processors;
	load.busy = room > 0 ? (double)host->cpu_ns / room : 0;
	return load;
}

int heddle__host_loads_make(struct heddle_host_loads *loads, const struct profile_measurement *measurement)
{
	struct loading all = {.measurement = measurement};
	int error = prepare(&all);
	*loads = (struct heddle_host_loads){0};
	loads->items = error ? NULL : calloc(all.names.count + 1, sizeof(*loads->items));
	for (size_t p = 0; loads->items && p < measurement->process_count; p++)
		if (counts(&measurement->processes[p]))
			add_process(&all, &measurement->processes[p]);
	if (loads->items) {
		count_threads(&all);
		loads->count = all.names.count;
	}
	for (size_t i = 0; loads->items && i < loads->count; i++)
		loads->items[i] = load_of(&all.hosts[i]);
	profile_intern_free(&all.names);
	free(all.hosts);
	free(all.edges);
	return loads->items ? 0 : -ENOMEM;
}

void heddle__host_loads_free(struct heddle_host_loads *loads)
{
	free(loads->items);
	*loads = (struct heddle_host_loads){0};
}
