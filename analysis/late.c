/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums by kind and label, which may have several nodes; for each, the threads that were waited for, in the order of
 * the waiting time that they caused.
 */
#include "analysis/late.h"

#include "analysis/thread_names.h"

#include <errno.h>
#include <stdlib.h>

static const struct {
	const char *name, *text;
} kinds[HEDDLE_WAITS] = {
	[HEDDLE_WAIT_BARRIER] = {"barrier", "waits at barriers"},
	[HEDDLE_WAIT_MUTUAL] = {"n-to-n", "waits at N x N collectives"},
	[HEDDLE_WAIT_ROOT] = {"late-broadcast", "waits for the root of a collective: late broadcast"},
	[HEDDLE_WAIT_MEMBERS] = {"early-reduce", "waits of the root of a collective: early reduce"},
	[HEDDLE_WAIT_PREFIX] = {"early-scan", "waits for lower ranks: early scan"},
	[HEDDLE_WAIT_SENDER] = {"late-sender", "receives before their messages were sent: late sender"},
	[HEDDLE_WAIT_RECEIVER] = {"late-receiver", "sends before somebody received: late receiver"},
	[HEDDLE_WAIT_POST] = {"late-post", "accesses before their target posted its window: late post"},
	[HEDDLE_WAIT_LOCK] = {"held-lock", "waits for locks that another one holds"},
	[HEDDLE_WAIT_COMPLETE] = {"late-complete", "waits of targets for accesses that go on: late complete"},
};

const char *heddle__late_text(enum profile_trace_wait kind)
{
	return kinds[kind].text;
}

const char *heddle__late_name(enum profile_trace_wait kind)
{
	return kinds[kind].name;
}

static int by_waiting(const void *a, const void *b)
{
	const struct heddle_late_row *x = a, *y = b;
	if (x->waited_ns != y->waited_ns)
		return x->waited_ns > y->waited_ns ? -1 : 1;
	if (x->label != y->label)
		return x->label > y->label ? 1 : -1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

static int by_cost(const void *a, const void *b)
{
	const struct heddle_late_cause *x = a, *y = b;
	if (x->caused_ns != y->caused_ns)
		return x->caused_ns > y->caused_ns ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread > y->thread ? 1 : -1;
	return (x->label > y->label) - (x->label < y->label);
}

static int by_place(const void *a, const void *b)
{
	const struct heddle_late_cause *x = a, *y = b;
	if (x->thread != y->thread)
		return x->thread > y->thread ? 1 : -1;
	return (x->label > y->label) - (x->label < y->label);
}

static void add_item(struct heddle_late_row *row, const struct profile_trace_lateness *more, uint32_t node)
{
	if (row->count == 0)
		row->longest_by = more->longest_by;
	row->count += more->count;
	row->waited_ns += more->waited_ns;
	if (more->waited_ns >= row->node_ns) {
		row->node_ns = more->waited_ns;
		row->node = node;
	}
	if (more->longest_ns <= row->longest_ns)
		return;
	row->longest_ns = more->longest_ns;
	row->longest_at_ns = more->longest_at_ns;
	row->longest_by = more->longest_by;
}

/* Makes rows of all items; row_of receives the row of each item. -ENOMEM: nothing is changed. */
static int make_rows(struct heddle_late *late, const struct profile_view *view, const struct profile_trace_late *waits,
	size_t *row_of)
{
	size_t *numbers = calloc((size_t)view->label_count * HEDDLE_WAITS + 1, sizeof(*numbers)); /* row + 1 */
	late->rows = calloc(waits->count + 1, sizeof(*late->rows));
	for (size_t i = 0; numbers && late->rows && i < waits->count; i++) {
		const struct profile_trace_lateness *item = &waits->items[i];
		uint32_t label = view->label_of[view->of_node[item->node]];
		size_t *number = &numbers[(size_t)label * HEDDLE_WAITS + item->kind];
		if (!*number) {
			*number = ++late->count;
			late->rows[*number - 1] = (struct heddle_late_row){.kind = item->kind, .label = label};
		}
		row_of[i] = *number - 1;
		add_item(&late->rows[row_of[i]], item, view->of_node[item->node]);
		late->waited_ns += item->waited_ns;
		late->of_kind[item->kind] += item->waited_ns;
	}
	bool made = numbers && late->rows;
	free(numbers);
	return made ? 0 : -ENOMEM;
}

/* Sorts the causes of a row, and adds up those with the same thread and place. */
static void add_up(struct heddle_late_row *row)
{
	size_t kept = 0;
	qsort(row->causes, row->cause_count, sizeof(*row->causes), by_place);
	for (size_t i = 0; i < row->cause_count; i++) {
		struct heddle_late_cause *before = kept ? &row->causes[kept - 1] : NULL;
		if (!before || by_place(before, &row->causes[i]) != 0) {
			row->causes[kept++] = row->causes[i];
			continue;
		}
		before->last += row->causes[i].last;
		before->caused_ns += row->causes[i].caused_ns;
	}
	row->cause_count = kept;
	qsort(row->causes, row->cause_count, sizeof(*row->causes), by_cost);
}

static int make_causes(struct heddle_late *late, const struct profile_view *view,
	const struct profile_trace_late *waits, const size_t *row_of)
{
	for (size_t i = 0; i < waits->cause_count; i++)
		late->rows[row_of[waits->causes[i].item]].cause_count++;
	for (size_t i = 0; i < late->count; i++) {
		struct heddle_late_row *row = &late->rows[i];
		row->causes = calloc(row->cause_count + 1, sizeof(*row->causes));
		row->cause_count = 0;
		if (!row->causes)
			return -ENOMEM;
	}
	for (size_t i = 0; i < waits->cause_count; i++) {
		const struct profile_trace_late_cause *cause = &waits->causes[i];
		struct heddle_late_row *row = &late->rows[row_of[cause->item]];
		uint32_t label = view->label_of[view->of_node[cause->node]];
		row->causes[row->cause_count++] =
			(struct heddle_late_cause){cause->thread, label, cause->last, cause->caused_ns};
	}
	for (size_t i = 0; i < late->count; i++)
		add_up(&late->rows[i]);
	return 0;
}

static void order_kinds(struct heddle_late *late)
{
	for (int kind = 0; kind < HEDDLE_WAITS; kind++) {
		size_t at = late->kind_count;
		if (late->of_kind[kind] == 0)
			continue;
		for (; at > 0 && late->of_kind[kind] > late->of_kind[late->kinds[at - 1]]; at--)
			late->kinds[at] = late->kinds[at - 1];
		late->kinds[at] = (enum profile_trace_wait)kind;
		late->kind_count++;
	}
}

static int make_table(struct heddle_late *late, const struct profile_view *view, const struct profile_trace_late *waits)
{
	size_t *row_of = calloc(waits->count + 1, sizeof(*row_of));
	int error = row_of ? make_rows(late, view, waits, row_of) : -ENOMEM;
	if (!error)
		error = make_causes(late, view, waits, row_of);
	if (!error) {
		qsort(late->rows, late->count, sizeof(*late->rows), by_waiting);
		order_kinds(late);
	}
	free(row_of);
	return error;
}

int heddle__late_of(struct heddle_late *late, const struct profile_view *view, const struct profile_trace *trace,
	const struct profile_trace_part *part, const struct profile_trace_late *waits)
{
	size_t *order = calloc(trace->thread_count + 1, sizeof(*order));
	*late = (struct heddle_late){0};
	int error = order ? make_table(late, view, waits) : -ENOMEM;
	if (!error)
		late->elapsed_ns = heddle__traced_thread_order(trace, order) * (part->to_ns - part->from_ns);
	else
		heddle__late_free(late);
	free(order);
	return error;
}

int heddle__late_make(struct heddle_late *late, const struct profile_view *view, const struct profile_trace *trace,
	const struct profile_trace_part *part)
{
	struct profile_trace_late waits;
	*late = (struct heddle_late){0};
	int error = profile_trace_late_make(&waits, trace, part);
	if (!error)
		error = heddle__late_of(late, view, trace, part, &waits);
	profile_trace_late_free(&waits);
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
