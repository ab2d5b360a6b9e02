/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of barriers by label, whose nodes may be several, and the threads that came last in the order of their cost. */
#include "analysis/late.h"

#include "analysis/thread_names.h"
#include "profile/trace/trace_late.h"

#include <errno.h>
#include <stdlib.h>

static int by_waiting(const void *a, const void *b)
{
	const struct heddle_late_row *x = a, *y = b;
	if (x->waited_ns != y->waited_ns)
		return x->waited_ns > y->waited_ns ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

static int by_cost(const void *a, const void *b)
{
	const struct heddle_late_cause *x = a, *y = b;
	if (x->caused_ns != y->caused_ns)
		return x->caused_ns > y->caused_ns ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* A row has room for all threads as causes until sort_causes. NULL: no memory. */
static struct heddle_late_row *row_of_label(struct heddle_late *late, uint32_t label, size_t threads)
{
	for (size_t i = 0; i < late->count; i++)
		if (late->rows[i].label == label)
			return &late->rows[i];
	struct heddle_late_row *row = &late->rows[late->count];
	*row = (struct heddle_late_row){.label = label, .causes = calloc(threads + 1, sizeof(*row->causes))};
	if (!row->causes)
		return NULL;
	for (size_t t = 0; t < threads; t++)
		row->causes[t].thread = t;
	late->count++;
	return row;
}

static void add_barrier(struct heddle_late_row *row, const struct profile_trace_lateness *more, size_t threads)
{
	row->count += more->count;
	row->waited_ns += more->waited_ns;
	for (size_t t = 0; t < threads; t++) {
		row->causes[t].last += more->last[t];
		row->causes[t].caused_ns += more->caused_ns[t];
	}
	if (more->longest_ns <= row->longest_ns)
		return;
	row->longest_ns = more->longest_ns;
	row->longest_at_ns = more->longest_at_ns;
	row->longest_by = more->longest_by;
}

/* Threads that never came last are left out. */
static void sort_causes(struct heddle_late_row *row, size_t threads)
{
	for (size_t t = 0; row->causes && t < threads; t++)
		if (row->causes[t].last)
			row->causes[row->cause_count++] = row->causes[t];
	if (row->causes)
		qsort(row->causes, row->cause_count, sizeof(*row->causes), by_cost);
}

static int make_rows(
	struct heddle_late *late, const struct profile_view *view, const struct profile_trace_late *barriers)
{
	late->rows = calloc(barriers->count + 1, sizeof(*late->rows));
	if (!late->rows)
		return -ENOMEM;
	for (size_t i = 0; i < barriers->count; i++) {
		uint32_t label = view->label_of[view->of_node[barriers->items[i].node]];
		struct heddle_late_row *row = row_of_label(late, label, barriers->thread_count);
		if (!row || !row->causes)
			return -ENOMEM;
		if (row->count == 0)
			row->longest_by = barriers->items[i].longest_by;
		add_barrier(row, &barriers->items[i], barriers->thread_count);
		late->waited_ns += barriers->items[i].waited_ns;
	}
	for (size_t i = 0; i < late->count; i++)
		sort_causes(&late->rows[i], barriers->thread_count);
	qsort(late->rows, late->count, sizeof(*late->rows), by_waiting);
	return 0;
}

int heddle__late_make(struct heddle_late *late, const struct profile_view *view, const struct profile_trace *trace,
	const struct profile_trace_part *part)
{
	struct profile_trace_late barriers;
	size_t *order = calloc(trace->thread_count + 1, sizeof(*order));
	*late = (struct heddle_late){0};
	int error = profile_trace_late_make(&barriers, trace, part);
	if (!error)
		error = order ? make_rows(late, view, &barriers) : -ENOMEM;
	if (!error)
		late->elapsed_ns = heddle__traced_thread_order(trace, order) * (part->to_ns - part->from_ns);
	else
		heddle__late_free(late);
	profile_trace_late_free(&barriers);
	free(order);
	return error;
}

void heddle__late_free(struct heddle_late *late)
{
	for (size_t i = 0; i < late->count; i++)
		free(late->rows[i].causes);
	free(late->rows);
	*late = (struct heddle_late){0};
}

const struct heddle_late_row *heddle__late_longest(const struct heddle_late *late)
{
	const struct heddle_late_row *longest = NULL;
	for (size_t i = 0; i < late->count; i++)
		if (!longest || late->rows[i].longest_ns > longest->longest_ns)
			longest = &late->rows[i];
	return longest;
}
