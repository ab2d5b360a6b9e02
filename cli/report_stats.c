/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --stats`: least, mean and most of the threads, inclusive, a thread at a time, so that memory grows
 * with the tree only. All threads but Heddle's own count, those that never came to a path too: with nothing.
 */
#include "cli/report_parts.h"
#include "profile/view_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sums {
	const struct heddle_view *view;
	enum heddle_metric metric;
	struct heddle_spreads *spreads;
	bool *outermost;   /* by label: whose sums count; NULL: by node */
	uint64_t *mine;    /* of the thread at hand, by node; first exclusive, then inclusive */
	uint64_t *numbers; /* the same by node or label */
	bool *is_touched;
	uint32_t *touched; /* nodes with values of the thread, and all above them */
	size_t touched_count;
};

static void put(struct sums *sums, uint32_t node, uint64_t value)
{
	sums->mine[node] += value;
	for (; !sums->is_touched[node]; node = sums->view->parents[node]) {
		sums->is_touched[node] = true;
		sums->touched[sums->touched_count++] = node;
	}
}

static int downwards(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

/* Children before their parents. Most threads are in most of the tree, or in very little of it. */
static void sort_touched(struct sums *sums)
{
	size_t count = 0;
	if (sums->touched_count < sums->view->node_count / 16) {
		qsort(sums->touched, sums->touched_count, sizeof(*sums->touched), downwards);
		return;
	}
	for (size_t i = sums->view->node_count; i-- > 0;)
		if (sums->is_touched[i])
			sums->touched[count++] = (uint32_t)i;
}

static uint32_t number_of(const struct sums *sums, uint32_t node)
{
	return sums->outermost ? sums->view->label_of[node] : node;
}

static void add_up(struct sums *sums)
{
	sort_touched(sums);
	for (size_t i = 0; i < sums->touched_count; i++) {
		uint32_t node = sums->touched[i];
		if (node != 0)
			sums->mine[sums->view->parents[node]] += sums->mine[node];
		if (!sums->outermost || sums->outermost[node])
			sums->numbers[number_of(sums, node)] += sums->mine[node];
		sums->mine[node] = 0;
		sums->is_touched[node] = false;
	}
}

static void close_thread(struct sums *sums)
{
	add_up(sums);
	for (size_t i = 0; i < sums->touched_count; i++) {
		uint32_t number = number_of(sums, sums->touched[i]);
		struct heddle_spread *spread = &sums->spreads->of[number];
		uint64_t value = sums->numbers[number];
		if (value == 0)
			continue;
		if (spread->threads == 0 || value < spread->least)
			spread->least = value;
		if (value > spread->most)
			spread->most = value;
		spread->sum += (double)value;
		spread->threads++;
		sums->numbers[number] = 0;
	}
	sums->touched_count = 0;
	sums->spreads->threads++;
}

static int add_thread(void *context, const struct heddle_thread_values *values)
{
	struct sums *sums = context;
	if (strcmp(values->thread->role, "heddle") == 0)
		return 0;
	for (size_t i = 0; i < values->count; i++)
		put(sums, heddle_view_holder(sums->view, values->nodes[i], sums->metric), values->values[i]);
	close_thread(sums);
	return 0;
}

int heddle__spreads_make(struct heddle_spreads *spreads, const struct heddle_report *report, bool by_label)
{
	const struct heddle_view *view = &report->session->view;
	size_t count = by_label ? view->label_count : view->node_count;
	*spreads = (struct heddle_spreads){.of = calloc(count, sizeof(*spreads->of))};
	struct sums sums = {
		.view = view,
		.metric = report->metric,
		.spreads = spreads,
		.outermost = by_label ? heddle_view_outermost(view) : NULL,
		.mine = calloc(view->node_count, sizeof(*sums.mine)),
		.numbers = calloc(count, sizeof(*sums.numbers)),
		.is_touched = calloc(view->node_count, sizeof(*sums.is_touched)),
		.touched = calloc(view->node_count, sizeof(*sums.touched)),
	};
	bool made = spreads->of && sums.mine && sums.numbers && sums.is_touched && sums.touched;
	int error = made && (!by_label || sums.outermost) ? 0 : -ENOMEM;
	if (!error)
		error = heddle_measurement_threads(&report->session->measurement, report->metric, add_thread, &sums);
	free(sums.outermost);
	free(sums.mine);
	free(sums.numbers);
	free(sums.is_touched);
	free(sums.touched);
	return error;
}

/* There is room for all four columns beside the others and names. */
static bool is_wide(const struct heddle_report *report)
{
	return report->look.width == 0 || report->look.width >= 106;
}

size_t heddle__spread_width(const struct heddle_report *report)
{
	if (!report->stats)
		return 0;
	return is_wide(report) ? 41 : 19;
}

void heddle__print_spread_heading(const struct heddle_report *report)
{
	if (is_wide(report))
		printf(" %10s %10s", "min", "mean");
	printf(" %10s %7s", "max", "imb. %");
}

void heddle__print_spread(const struct heddle_report *report, const struct heddle_spreads *spreads, size_t number)
{
	char least[32], mean[32], most[32];
	const struct heddle_spread *spread = &spreads->of[number];
	const char *unit = heddle_metric_unit(report->metric);
	double average = spreads->threads ? spread->sum / (double)spreads->threads : 0;
	bool all = spread->threads == spreads->threads;
	if (is_wide(report))
		printf(" %10s %10s", heddle__format_value(least, sizeof(least), all ? spread->least : 0, unit),
			heddle__format_value(
				mean, sizeof(mean), average < 1e19 ? (uint64_t)(average + 0.5) : UINT64_MAX, unit));
	printf(" %10s", heddle__format_value(most, sizeof(most), spread->most, unit));
	if (average > 0)
		printf(" %7.1f", 100 * ((double)spread->most / average - 1));
	else
		printf(" %7s", "-");
}
