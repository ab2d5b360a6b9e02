/* SPDX-License-Identifier: BSD-3-Clause */
/* The run ends with the rank that would end last. Times are those of efficiency.c, so the factors can be multiplied. */
#include "analysis/efficiency_network.h"

#include "analysis/efficiency_cells.h"
#include "profile/trace/trace_ideal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Returns, by node of the measurement's tree, whether it exchanges data between ranks. NULL: no memory. */
static bool *find_exchanges(const struct profile_measurement *measurement, const struct profile_view *view)
{
	struct heddle_cells cells;
	bool *exchanges = calloc(measurement->tree.node_count + 1, sizeof(*exchanges));
	int error = exchanges ? heddle__cells_make(&cells, measurement, view) : -ENOMEM;
	for (size_t i = 0; !error && i < measurement->tree.node_count; i++)
		exchanges[i] = cells.spent[i] == HEDDLE_SPENT_EXCHANGE || cells.spent[i] == HEDDLE_SPENT_EXCHANGING;
	if (exchanges)
		heddle__cells_free(&cells);
	if (!error)
		return exchanges;
	free(exchanges);
	return NULL;
}

/* Returns how much earlier the last rank ends; negative: not all ranks have a trace. */
static double saved_of(const struct profile_trace *trace, const struct profile_trace_ideal *ideal, size_t ranks)
{
	uint64_t start = UINT64_MAX, end = 0, ideal_end = 0;
	size_t found = 0;
	for (size_t t = 0; t < trace->thread_count; t++) {
		const Heddle__Profile__Process *info = trace->files[trace->threads[t].file].process->info;
		if (!ideal->is_rank[t])
			continue;
		uint64_t own = info->start_unix_ns + info->duration_ns;
		uint64_t then = own > ideal->saved_ns[t] ? own - ideal->saved_ns[t] : 0;
		found++;
		start = info->start_unix_ns < start ? info->start_unix_ns : start;
		end = own > end ? own : end;
		ideal_end = then > ideal_end ? then : ideal_end;
	}
	return found == ranks && ideal_end >= start ? (double)(end - ideal_end) : -1;
}

static bool is_damaged(const struct profile_trace *trace)
{
	size_t f = 0;
	while (f < trace->file_count && !trace->files[f].damage)
		f++;
	return f < trace->file_count;
}

static void split(struct heddle_efficiency_network *network, const struct heddle_efficiency_scope *run, double saved_ns)
{
	double threads = (double)run->threads, elapsed = run->left[0] / threads, most = run->left[1] / threads;
	/* Samples may show more time of the ranks' own code than events leave outside of exchanges. */
	network->ideal_ns = fmin(fmax(elapsed - saved_ns, most), elapsed);
	network->transfer = network->ideal_ns / elapsed;
	network->serialization = network->ideal_ns > 0 ? most / network->ideal_ns : 1;
	network->transfer_loss = 1 - network->transfer;
	network->serialization_loss = (network->ideal_ns - most) / elapsed;
}

int heddle__efficiency_network_make(struct heddle_efficiency_network *network,
	const struct heddle_efficiency_factors *factors, const struct profile_view *view,
	const struct profile_trace *trace)
{
	struct profile_trace_ideal ideal = {0};
	const struct heddle_efficiency_scope *run = &factors->scopes[0];
	*network = (struct heddle_efficiency_network){0};
	if (!factors->of_ranks || !(run->left[1] > 0) || is_damaged(trace))
		return 0;
	bool *exchanges = find_exchanges(trace->measurement, view);
	int error = exchanges ? profile_trace_ideal_make(&ideal, trace, exchanges) : -ENOMEM;
	double saved = error ? -1 : saved_of(trace, &ideal, run->ranks);
	if (saved >= 0)
		split(network, run, saved);
	profile_trace_ideal_free(&ideal);
	free(exchanges);
	return error;
}
