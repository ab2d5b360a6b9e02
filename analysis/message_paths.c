/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the view's nodes directly: their values are those of the calls themselves. */
#include "analysis/message_paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t bytes_of(const struct heddle_message_path *path)
{
	return path->received + path->sent;
}

static int by_bytes(const void *a, const void *b)
{
	const struct heddle_message_path *x = a, *y = b;
	if (bytes_of(x) != bytes_of(y))
		return bytes_of(x) > bytes_of(y) ? -1 : 1;
	if (x->in_ns != y->in_ns)
		return x->in_ns > y->in_ns ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

static uint64_t value_of(const struct profile_view *view, enum heddle_metric metric, size_t node)
{
	return view->values[metric] ? view->values[metric][node] : 0;
}

static bool is_exchange(const struct profile_view *view, size_t node)
{
	static const enum heddle_metric metrics[] = {HEDDLE_METRIC_BYTES_SENT, HEDDLE_METRIC_BYTES_RECEIVED,
		HEDDLE_METRIC_MESSAGES_SENT, HEDDLE_METRIC_MESSAGES_RECEIVED};
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++)
		if (value_of(view, metrics[i], node))
			return true;
	return false;
}

int heddle__message_paths_make(struct heddle_message_paths *paths, const struct profile_view *view)
{
	size_t count = 0;
	for (size_t i = 0; i < view->node_count; i++)
		count += is_exchange(view, i);
	*paths = (struct heddle_message_paths){.rows = calloc(count + 1, sizeof(*paths->rows))};
	if (!paths->rows)
		return -ENOMEM;
	for (size_t i = 0; i < view->node_count; i++) {
		if (!is_exchange(view, i))
			continue;
		struct heddle_message_path *row = &paths->rows[paths->count++];
		*row = (struct heddle_message_path){.node = (uint32_t)i,
			.calls = value_of(view, HEDDLE_METRIC_VISITS, i),
			.received = value_of(view, HEDDLE_METRIC_BYTES_RECEIVED, i),
			.sent = value_of(view, HEDDLE_METRIC_BYTES_SENT, i),
			.in_ns = value_of(view, HEDDLE_METRIC_WALL_TIME, i)};
		paths->bytes += bytes_of(row);
	}
	qsort(paths->rows, paths->count, sizeof(*paths->rows), by_bytes);
	return 0;
}

void heddle__message_paths_free(struct heddle_message_paths *paths)
{
	free(paths->rows);
	*paths = (struct heddle_message_paths){0};
}

char *heddle__message_path_text(const struct profile_view *view, uint32_t node)
{
	size_t size = 1;
	for (uint32_t at = node; at; at = view->parents[at])
		size += strlen(profile_view_text(view, at)) + 1;
	char *text = malloc(size), *start = text ? text + size - 1 : NULL;
	if (!text)
		return NULL;
	*start = '\0';
	for (uint32_t at = node; at; at = view->parents[at]) {
		const char *name = profile_view_text(view, at);
		size_t length = strlen(name);
		if (at != node)
			*--start = ';';
		start -= length;
		memcpy(start, name, length);
	}
	memmove(text, start, strlen(start) + 1);
	return text;
}
