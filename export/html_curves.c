/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The curves of a page's timeline: what was counted by time, of all shown threads. An amount that was recorded at once
 * accrued since the one before it: it is spread over that time.
 */
#include "export/html_timeline.h"

#include "analysis/host_load.h"
#include "export/json_text.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_activity.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define COLUMNS EXPORT_CURVE_COLUMNS

/* CPU time, bytes got, put, sent and received, and the counters. */
struct curves {
	const struct export_timeline *timeline;
	double **of; /* by worker, metric: of [columns], made on first use; NULL: nothing */
};

struct walk {
	const struct curves *curves;
	double **of;                            /* of the worker */
	uint64_t since_ns[HEDDLE_METRIC_LIMIT]; /* of the amount before */
	uint64_t begin_ns;
};

static double column_of(const struct profile_trace_part *part, uint64_t ns)
{
	return (double)(ns - part->from_ns) * COLUMNS / (double)(part->to_ns - part->from_ns);
}

/* Spread evenly from `from_ns` to `to_ns`; what lies outside of the part is left out. */
static int spread(struct walk *walk, uint32_t metric, uint64_t from_ns, uint64_t to_ns, double amount)
{
	const struct profile_trace_part *part = &walk->curves->timeline->part;
	uint64_t from = from_ns > part->from_ns ? from_ns : part->from_ns;
	uint64_t to = to_ns < part->to_ns ? to_ns : part->to_ns;
	if (to_ns < part->from_ns || from > to || from >= part->to_ns)
		return 0;
	if (!walk->of[metric] && !(walk->of[metric] = calloc(COLUMNS, sizeof(double))))
		return -ENOMEM;
	double first = column_of(part, from), end = column_of(part, to);
	if (to_ns > from_ns)
		amount *= (double)(to - from) / (double)(to_ns - from_ns);
	for (int c = (int)first; c < COLUMNS && (c < end || c == (int)first); c++) {
		double begin = c > first ? c : first, stop = c + 1 < end ? c + 1 : end;
		walk->of[metric][c] += end > first ? amount * (stop - begin) / (end - first) : amount;
	}
	return 0;
}

/* The metric and amount of an event; false: it has no curve. */
static bool amount_of(const struct profile_trace_event *event, uint32_t *metric, uint64_t *amount)
{
	*amount = event->value;
	switch (event->kind) {
	case HEDDLE_TRACE_SAMPLE:
		*metric = HEDDLE_METRIC_CPU_TIME;
		*amount = event->cpu_ns;
		return true;
	case HEDDLE_TRACE_ADD:
		*metric = event->operand;
		return *metric < HEDDLE_METRIC_LIMIT && profile_metric_is_counter((enum heddle_metric) * metric);
	case HEDDLE_TRACE_ACCESS:
		*metric = event->operand & HEDDLE_TRACE_ACCESS_PUT ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT;
		return true;
	case HEDDLE_TRACE_MESSAGE:
		*metric = event->operand == HEDDLE_TRACE_SENT ? HEDDLE_METRIC_BYTES_SENT : HEDDLE_METRIC_BYTES_RECEIVED;
		return event->operand == HEDDLE_TRACE_SENT || event->operand == HEDDLE_TRACE_RECEIVED;
	default:
		return false;
	}
}

static int take_event(struct walk *walk, const struct profile_trace_event *event)
{
	uint32_t metric;
	uint64_t amount;
	if (!amount_of(event, &metric, &amount))
		return 0;
	bool accrues = event->kind == HEDDLE_TRACE_SAMPLE || event->kind == HEDDLE_TRACE_ADD;
	uint64_t since = accrues ? walk->since_ns[metric] : event->time_ns;
	since = since ? since : walk->begin_ns;
	walk->since_ns[metric] = event->time_ns;
	/* The CPU time before a sample is the last of the time before it, as in profile/trace/trace_spans.c. A late
	   sample may have the CPU time of more than the time since the one before. */
	if (event->kind == HEDDLE_TRACE_SAMPLE && event->time_ns > amount)
		since = event->time_ns - amount;
	return spread(walk, metric, since, event->time_ns, (double)amount);
}

static int add_thread(void *context, size_t worker, size_t index)
{
	const struct curves *curves = context;
	const struct export_timeline *timeline = curves->timeline;
	struct walk walk = {.curves = curves, .of = &curves->of[worker * HEDDLE_METRIC_LIMIT]};
	struct profile_trace_stream stream;
	struct profile_trace_event event;
	int error = profile_trace_stream_open(&stream, timeline->request->trace, timeline->threads[index]);
	if (error)
		return error;
	if (timeline->part.from_ns)
		error = profile_trace_stream_seek(&stream, timeline->part.from_ns);
	while (!error && profile_trace_next(&stream, &event) == 1 && event.time_ns < timeline->part.to_ns) {
		walk.begin_ns = walk.begin_ns ? walk.begin_ns : event.time_ns;
		error = take_event(&walk, &event);
	}
	profile_trace_stream_close(&stream);
	return error;
}

/* What all processors can spend in a column; 0: not known. */
static double most_of_processors(const struct export_timeline *timeline)
{
	struct heddle_host_loads loads;
	size_t processors = 0;
	bool known = true;
	if (heddle__host_loads_make(&loads, timeline->request->measurement) != 0)
		return 0;
	for (size_t i = 0; i < loads.count; i++) {
		processors += loads.items[i].processors;
		known &= loads.items[i].processors != 0;
	}
	heddle__host_loads_free(&loads);
	return known ? (double)processors * (double)(timeline->part.to_ns - timeline->part.from_ns) / COLUMNS : 0;
}

/* A thread that had to wait for a processor spent the CPU time of a sample earlier than right before the sample. */
static void shift_back(double *columns, double most)
{
	for (size_t c = COLUMNS - 1; c > 0 && most > 0; c--) {
		double more = columns[c] > most ? columns[c] - most : 0;
		columns[c] -= more;
		columns[c - 1] += more;
	}
}

static void write_curve(const struct curves *curves, uint32_t metric, FILE *out)
{
	const double *first = curves->of[metric];
	fputs("{\"metric\":", out);
	export_json_string(out, profile_metric_name((enum heddle_metric)metric));
	fputs(",\"unit\":", out);
	export_json_string(out, profile_metric_unit((enum heddle_metric)metric));
	fputs(",\"values\":[", out);
	for (size_t c = 0; c < COLUMNS; c++)
		fprintf(out, "%s%.0f", c ? "," : "", round(first[c]));
	fputs("]}", out);
}

/* Adds the curves of the other workers to the first worker's. */
static int add_workers(const struct curves *curves, uint32_t metric)
{
	for (size_t w = 1; w < curves->timeline->workers; w++) {
		double *from = curves->of[w * HEDDLE_METRIC_LIMIT + metric];
		if (from && !curves->of[metric] && !(curves->of[metric] = calloc(COLUMNS, sizeof(double))))
			return -ENOMEM;
		for (size_t c = 0; from && c < COLUMNS; c++)
			curves->of[metric][c] += from[c];
	}
	return 0;
}

static int write_curves(const struct curves *curves, FILE *out)
{
	const char *separator = "";
	int error = 0;
	fputs("\"curves\":[", out);
	for (uint32_t m = 0; m < HEDDLE_METRIC_LIMIT && !error; m++) {
		error = add_workers(curves, m);
		if (error || !curves->of[m])
			continue;
		if (m == HEDDLE_METRIC_CPU_TIME)
			shift_back(curves->of[m], most_of_processors(curves->timeline));
		fputs(separator, out);
		write_curve(curves, m, out);
		separator = ",\n";
	}
	fputc(']', out);
	return error;
}

int export_timeline_curves(const struct export_timeline *timeline, FILE *out)
{
	struct curves curves = {timeline, calloc(timeline->workers * HEDDLE_METRIC_LIMIT, sizeof(*curves.of))};
	if (!curves.of)
		return -ENOMEM;
	int error = profile_parallel(timeline->workers, timeline->count, add_thread, &curves);
	if (!error)
		error = write_curves(&curves, out);
	for (size_t i = 0; i < timeline->workers * HEDDLE_METRIC_LIMIT; i++)
		free(curves.of[i]);
	free(curves.of);
	return error;
}
