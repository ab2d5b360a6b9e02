/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of the view's nodes by label. */
#include "analysis/messages.h"

#include <errno.h>
#include <stdlib.h>

uint64_t heddle__message_bytes(const struct heddle_message_row *row)
{
	return row->got + row->put;
}

uint64_t heddle__message_count(const struct heddle_message_row *row)
{
	return row->sizes.count ? row->sizes.count : row->local + row->same_node + row->remote;
}

static int by_bytes(const void *a, const void *b)
{
	const struct heddle_message_row *x = a, *y = b;
	uint64_t one = heddle__message_bytes(x), other = heddle__message_bytes(y);
	if (one == other) {
		one = heddle__message_count(x);
		other = heddle__message_count(y);
	}
	if (one != other)
		return one > other ? -1 : 1;
	return (x->label > y->label) - (x->label < y->label);
}

static void add_sizes(struct heddle_message_row *row, const struct profile_distribution *more)
{
	struct profile_distribution *sizes = &row->sizes;
	if (sizes->count == 0 || more->minimum < sizes->minimum)
		sizes->minimum = more->minimum;
	if (sizes->count == 0 || more->maximum > sizes->maximum)
		sizes->maximum = more->maximum;
	sizes->count += more->count;
	sizes->sum += more->sum;
	for (int b = 0; more->buckets && b < HEDDLE_SIZE_BUCKETS; b++)
		row->buckets[b] += more->buckets[b];
}

static void add_row(struct heddle_message_row *sum, const struct heddle_message_row *row)
{
	struct profile_distribution sizes = row->sizes;
	sum->got += row->got;
	sum->put += row->put;
	sum->local += row->local;
	sum->remote += row->remote;
	sum->same_node += row->same_node;
	sizes.buckets = (uint64_t *)row->buckets;
	if (sizes.count)
		add_sizes(sum, &sizes);
}

static uint64_t value_of(const struct profile_view *view, enum heddle_metric metric, size_t node)
{
	return view->values[metric] ? view->values[metric][node] : 0;
}

static void sum_labels(struct heddle_message_row *rows, const struct profile_view *view)
{
	for (size_t i = 0; i < view->node_count; i++) {
		struct heddle_message_row *row = &rows[view->label_of[i]];
		row->got +=
			value_of(view, HEDDLE_METRIC_BYTES_GOT, i) + value_of(view, HEDDLE_METRIC_BYTES_RECEIVED, i);
		row->put += value_of(view, HEDDLE_METRIC_BYTES_PUT, i) + value_of(view, HEDDLE_METRIC_BYTES_SENT, i);
		row->local += value_of(view, HEDDLE_METRIC_LOCAL, i);
		row->remote += value_of(view, HEDDLE_METRIC_REMOTE, i);
		row->same_node += value_of(view, HEDDLE_METRIC_SAME_NODE, i);
	}
	for (size_t i = 0; i < view->distributions.count; i++) {
		const struct profile_distribution *one = &view->distributions.items[i];
		if (one->argument == 0)
			add_sizes(&rows[view->label_of[one->node]], one);
	}
}

int heddle__messages_make(struct heddle_messages *messages, const struct profile_view *view)
{
	*messages = (struct heddle_messages){.rows = calloc(view->label_count + 1, sizeof(*messages->rows))};
	if (!messages->rows)
		return -ENOMEM;
	sum_labels(messages->rows, view);
	for (uint32_t i = 0; i < view->label_count; i++) {
		struct heddle_message_row *row = &messages->rows[i];
		row->label = i;
		add_row(&messages->total, row);
		if (heddle__message_count(row) || heddle__message_bytes(row))
			messages->rows[messages->count++] = *row;
	}
	for (size_t i = 0; i < view->node_count && !messages->exchanged; i++)
		messages->exchanged =
			value_of(view, HEDDLE_METRIC_BYTES_SENT, i) || value_of(view, HEDDLE_METRIC_BYTES_RECEIVED, i);
	messages->accessed = messages->total.local || messages->total.same_node || messages->total.remote;
	qsort(messages->rows, messages->count, sizeof(*messages->rows), by_bytes);
	return 0;
}

void heddle__messages_free(struct heddle_messages *messages)
{
	free(messages->rows);
	*messages = (struct heddle_messages){0};
}
