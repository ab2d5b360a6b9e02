/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes the values of a critical path to rows and to a measurement; profile/trace/ finds the path. */
#include "analysis/critical.h"

#include "analysis/host_load.h"
#include "analysis/thread_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WAITING_LEAST 0.05 /* of the path: a smaller share needs no explanation */

int heddle__critical_rows_make(struct heddle_critical_rows *rows, const struct profile_trace *trace,
	const struct profile_trace_critical *critical)
{
	size_t *order = calloc(trace->thread_count + 1, sizeof(*order));
	*rows = (struct heddle_critical_rows){.items = calloc(trace->thread_count + 1, sizeof(*rows->items))};
	if (!order || !rows->items) {
		free(order);
		heddle__critical_rows_free(rows);
		return -ENOMEM;
	}
	size_t count = heddle__traced_thread_order(trace, order);
	for (size_t t = 0; t < critical->thread_count; t++)
		rows->total += critical->of_thread[t];
	for (size_t i = 0; i < count; i++)
		if (critical->of_thread[order[i]])
			rows->items[rows->count++] = (struct heddle_critical_row){order[i],
				critical->of_thread[order[i]], &critical->of_state[order[i] * HEDDLE_STATE_COUNT]};
	free(order);
	return 0;
}

void heddle__critical_rows_free(struct heddle_critical_rows *rows)
{
	free(rows->items);
	*rows = (struct heddle_critical_rows){0};
}

static double waiting_share(const struct heddle_critical_rows *rows)
{
	static const enum heddle_state waits[] = {HEDDLE_STATE_BARRIER_WAIT, HEDDLE_STATE_LOCK_WAIT,
		HEDDLE_STATE_TASK_WAIT, HEDDLE_STATE_COLLECTIVE_WAIT};
	uint64_t waiting = 0;
	for (size_t i = 0; i < rows->count; i++)
		for (size_t s = 0; s < sizeof(waits) / sizeof(*waits); s++)
			waiting += rows->items[i].states[waits[s]];
	return rows->total ? (double)waiting / (double)rows->total : 0;
}

int heddle__critical_crowd_find(struct heddle_critical_crowd *crowd, const struct heddle_critical_rows *rows,
	const struct profile_measurement *measurement)
{
	struct heddle_host_loads loads;
	*crowd = (struct heddle_critical_crowd){.share = waiting_share(rows)};
	if (crowd->share < WAITING_LEAST)
		return 0;
	int error = heddle__host_loads_make(&loads, measurement);
	if (error)
		return error;
	for (size_t i = 0; i < loads.count && !crowd->threads; i++) {
		const struct heddle_host_load *load = &loads.items[i];
		if (load->processors == 0 || load->threads <= load->processors)
			continue;
		crowd->threads = load->threads;
		crowd->processors = load->processors;
	}
	heddle__host_loads_free(&loads);
	return 0;
}

uint64_t *heddle__critical_nodes(const struct profile_view *view, const struct profile_trace_critical *critical)
{
	uint64_t *nodes = calloc(view->node_count + 1, sizeof(*nodes));
	for (size_t i = 0; nodes && i < critical->node_count; i++)
		nodes[view->inside[i]] += critical->of_node[i];
	return nodes;
}

/* Returns the row of a thread of the trace in the measurement, which the caller may change. */
static struct profile_thread *row_of(
	struct profile_measurement *measurement, const struct profile_trace *trace, size_t thread)
{
	const struct profile_trace_thread *traced = &trace->threads[thread];
	size_t process = (size_t)(trace->files[traced->file].process - measurement->processes);
	struct profile_process *owner = &measurement->processes[process];
	return traced->row ? &owner->threads[traced->row - owner->threads] : NULL;
}

static bool put_states(struct profile_thread *row, int metric, const uint64_t *states)
{
	uint64_t *mine = row ? profile_thread_values_by_state(row, (uint32_t)metric) : NULL;
	if (mine)
		memcpy(mine, states, HEDDLE_STATE_COUNT * sizeof(*states));
	return mine || !row;
}

int heddle__critical_metric_add(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_critical *critical)
{
	int metric =
		profile_metric_add("critical-path", "ns", "elapsed time on the path that the run's length depends on");
	uint64_t *values = metric == HEDDLE_METRIC_LIMIT ? NULL : profile_call_tree_values(&measurement->tree, metric);
	if (!values)
		return -ENOMEM;
	memcpy(values, critical->of_node, critical->node_count * sizeof(*values));
	for (size_t t = 0; t < critical->thread_count; t++)
		if (!put_states(row_of(measurement, trace, t), metric, &critical->of_state[t * HEDDLE_STATE_COUNT]))
			return -ENOMEM;
	return metric;
}
