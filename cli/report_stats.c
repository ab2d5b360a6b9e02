/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --stats`: least, mean and most of the threads, inclusive, a thread at a time, so that memory grows
 * with the tree only. All threads but Heddle's own count, those that never came to a path too: with nothing.
 */
#include "cli/report_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sums {
	const struct heddle_view *view;
	struct heddle_spreads *spreads;
	bool by_label;
	uint64_t *mine;    /* of the thread at hand */
	uint32_t *touched; /* whose mine[] is not 0 */
	size_t touched_count;
	uint32_t *seen; /* the walk that came last to a label */
	uint32_t walk;
};

static void put(struct sums *sums, uint32_t number, uint64_t value)
{
	if (sums->seen[number] == sums->walk)
		return;
	sums->seen[number] = sums->walk;
	if (sums->mine[number] == 0)
		sums->touched[sums->touched_count++] = number;
	sums->mine[number] += value;
}

/* The value counts for the path and all above it. */
static void put_upwards(struct sums *sums, uint32_t node, uint64_t value, size_t count)
{
	const struct heddle_view *view = sums->view;
	if (value == 0)
		return;
	if (++sums->walk == 0) {
		memset(sums->seen, 0, count * sizeof(*sums->seen));
		sums->walk = 1;
	}
	for (; node != 0; node = view->parents[node])
		put(sums, sums->by_label ? view->label_of[node] : node, value);
	put(sums, sums->by_label ? view->label_of[0] : 0, value);
}

static void close_thread(struct sums *sums)
{
	for (size_t i = 0; i < sums->touched_count; i++) {
		struct heddle_spread *spread = &sums->spreads->of[sums->touched[i]];
		uint64_t value = sums->mine[sums->touched[i]];
		if (spread->threads == 0 || value < spread->least)
			spread->least = value;
		if (value > spread->most)
			spread->most = value;
		spread->sum += (double)value;
		spread->threads++;
		sums->mine[sums->touched[i]] = 0;
	}
	sums->touched_count = 0;
	sums->spreads->threads++;
}

static size_t number_count(const struct sums *sums)
{
	return sums->by_label ? sums->view->label_count : sums->view->node_count;
}

static int add_thread(void *context, const struct heddle_thread_values *values)
{
	struct sums *sums = context;
	if (strcmp(values->thread->role, "heddle") == 0)
		return 0;
	for (size_t i = 0; i < values->count; i++)
		put_upwards(sums, sums->view->of_node[values->nodes[i]], values->values[i], number_count(sums));
	close_thread(sums);
	return 0;
}

int heddle__spreads_make(struct heddle_spreads *spreads, const struct heddle_report *report, bool by_label)
{
	struct sums sums = {.view = &report->session->view, .spreads = spreads, .by_label = by_label};
	size_t count = number_count(&sums);
	*spreads = (struct heddle_spreads){.of = calloc(count, sizeof(*spreads->of))};
	sums.mine = calloc(count, sizeof(*sums.mine));
	sums.touched = calloc(count, sizeof(*sums.touched));
	sums.seen = calloc(count, sizeof(*sums.seen));
	int error = spreads->of && sums.mine && sums.touched && sums.seen ? 0 : -ENOMEM;
	if (!error)
		error = heddle_measurement_threads(&report->session->measurement, report->metric, add_thread, &sums);
	free(sums.mine);
	free(sums.touched);
	free(sums.seen);
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
			heddle__format_value(mean, sizeof(mean), (uint64_t)(average + 0.5), unit));
	printf(" %10s", heddle__format_value(most, sizeof(most), spread->most, unit));
	if (average > 0)
		printf(" %7.1f", 100 * ((double)spread->most / average - 1));
	else
		printf(" %7s", "-");
}
