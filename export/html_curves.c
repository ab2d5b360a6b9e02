/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The curves of a page's timeline: what was counted over time, of all shown threads. An amount that was recorded at
 * once accrued since the previous one, so it is spread over that time.
 */
#include "export/html_timeline.h"

#include "analysis/host_load.h"
#include "export/json_text.h"
#include "profile/trace/trace_activity.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define COLUMNS EXPORT_CURVE_COLUMNS

static double column_of(const struct profile_trace_part *part, uint64_t ns)
{
	return (double)(ns - part->from_ns) * COLUMNS / (double)(part->to_ns - part->from_ns);
}

/* Spreads an amount evenly from `from_ns` to `to_ns`, without the time outside of the part. */
static int spread(struct export_curve_walk *walk, uint32_t metric, uint64_t from_ns, uint64_t to_ns, double amount)
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

/* Finds the metric and amount of an event. Returns false if it has no curve. */
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

int export_curves_take(struct export_curve_walk *walk, const struct profile_trace_event *event)
{
	uint32_t metric;
	uint64_t amount;
	if (event->time_ns >= walk->curves->timeline->part.to_ns)
		return 0;
	walk->begin_ns = walk->begin_ns ? walk->begin_ns : event->time_ns;
	if (!amount_of(event, &metric, &amount))
		return 0;
	bool accrues = event->kind == HEDDLE_TRACE_SAMPLE || event->kind == HEDDLE_TRACE_ADD;
	uint64_t since = accrues ? walk->since_ns[metric] : event->time_ns;
	since = since ? since : walk->begin_ns;
	walk->since_ns[metric] = event->time_ns;
	/*
	 * The CPU time of a sample ends at the sample, as in profile/trace/trace_spans.c. A late sample may have more
	 * CPU time than the time since the previous one.
	 */
	if (event->kind == HEDDLE_TRACE_SAMPLE && event->time_ns > amount)
		since = event->time_ns - amount;
	return spread(walk, metric, since, event->time_ns, (double)amount);
}

void export_curves_walk(struct export_curve_walk *walk, const struct export_curves *curves, size_t worker)
{
	*walk = (struct export_curve_walk){.curves = curves, .of = &curves->of[worker * HEDDLE_METRIC_LIMIT]};
}

/* Returns the CPU time that all processors can spend in a column; 0: unknown. */
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

/* A thread that waited for a processor spent the CPU time of a sample earlier than directly before the sample. */
static void shift_back(double *columns, double most)
{
	for (size_t c = COLUMNS - 1; c > 0 && most > 0; c--) {
		double more = columns[c] > most ? columns[c] - most : 0;
		columns[c] -= more;
		columns[c - 1] += more;
	}
}

static void write_curve(const struct export_curves *curves, uint32_t metric, FILE *out)
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
static int add_workers(const struct export_curves *curves, uint32_t metric)
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

int export_curves_write(const struct export_curves *curves, FILE *out)
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

int export_curves_begin(struct export_curves *curves, const struct export_timeline *timeline)
{
	*curves =
		(struct export_curves){timeline, calloc(timeline->workers * HEDDLE_METRIC_LIMIT, sizeof(*curves->of))};
	return curves->of ? 0 : -ENOMEM;
}

void export_curves_free(struct export_curves *curves)
{
	for (size_t i = 0; curves->of && i < curves->timeline->workers * HEDDLE_METRIC_LIMIT; i++)
		free(curves->of[i]);
	free(curves->of);
	curves->of = NULL;
}
