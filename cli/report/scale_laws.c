/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The laws that `heddle scale` prints. Their times are those of the thread with the largest time, so that code executed
 * by one thread only is constant. Shares are of all threads' time, by laws of means over threads, since for different
 * functions different threads have the largest time.
 */
#include "analysis/comparison_rows.h"
#include "analysis/text.h"
#include "cli/base/wrap.h"
#include "cli/report/scale_parts.h"
#include "cli/report/tree_print.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATTERS 0.001 /* of the time at the largest scale */
#define GROWS 0.02    /* of the time, from the largest scale to the predicted one */

static double last_scale(const struct heddle_scaling *scaling)
{
	return scaling->points[scaling->point_count - 1].scale;
}

static bool is_time(const struct heddle_scale_report *report)
{
	return strcmp(profile_metric_unit(report->scaling.metric), "ns") == 0;
}

double heddle__scale_unit(const struct heddle_scale_report *report)
{
	return is_time(report) ? 1e9 : 1;
}

char *heddle__scale_value(char *text, size_t size, const struct heddle_scale_report *report, double value)
{
	uint64_t rounded = value > 0 ? value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX : 0;
	return heddle__format_value(text, size, rounded, profile_metric_unit(report->scaling.metric));
}

/* Returns exclusive times, means over all threads, by row and run. NULL: no memory. */
static double *average_rows(const struct heddle_scaling *scaling, const struct heddle_common_rows *rows)
{
	const struct heddle_comparison *all = &scaling->comparison;
	double *means = calloc(rows->keys.count * scaling->run_count + 1, sizeof(*means));
	for (uint32_t i = 0; means && i < all->count; i++)
		for (size_t r = 0; r < scaling->run_count; r++) {
			double total = (double)heddle__run_total(&all->runs[r], i) / scaling->runs[r].threads;
			means[rows->row_of[i] * scaling->run_count + r] += total;
			if (i)
				means[rows->row_of[all->paths[i].parent] * scaling->run_count + r] -= total;
		}
	return means;
}

/* Returns a row's share of the time of all threads in the runs of the largest scale. */
static double share_at_last(const struct heddle_scaling *scaling, const double *means)
{
	double last = last_scale(scaling), sum = 0, whole = 0;
	for (size_t r = 0; r < scaling->run_count; r++) {
		if (scaling->scales[r] != last)
			continue;
		sum += means[r];
		whole += (double)heddle__run_total(&scaling->comparison.runs[r], 0) / scaling->runs[r].threads;
	}
	return whole > 0 ? sum / whole : 0;
}

static double part(double of, double others)
{
	return of + others > 0 ? of / (of + others) : 0;
}

/* Converts `share`, `low` and `high` from ns to shares. */
static void share_out(struct heddle_scale_law *laws, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += laws[i].share;
	for (size_t i = 0; i < count; i++) {
		double others = sum - laws[i].share;
		laws[i].share = part(laws[i].share, others);
		laws[i].low = part(laws[i].low, others);
		laws[i].high = part(laws[i].high, others);
	}
}

static int larger_then_first(const void *a, const void *b)
{
	const struct heddle_scale_law *x = a, *y = b;
	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

/* Returns false if the row's share is too small, or if there is no law. */
static bool find_law(
	struct heddle_scale_report *report, struct heddle_scale_law *law, const double *most, const double *means)
{
	struct heddle_scaling *scaling = &report->scaling;
	struct heddle_model of_means;
	law->now = share_at_last(scaling, means);
	if (law->now < MATTERS)
		return false;
	heddle__scaling_model(scaling, most, &law->model);
	heddle__scaling_model(scaling, means, &of_means);
	law->then = heddle__model_predict(&law->model, report->at);
	struct heddle_prediction all = heddle__model_predict(&of_means, report->at);
	law->share = all.value;
	law->low = all.low;
	law->high = all.high;
	return law->model.count > 0;
}

int heddle__scale_laws_make(struct heddle_scale_report *report)
{
	struct heddle_scaling *scaling = &report->scaling;
	struct heddle_common_rows rows = {0};
	if (scaling->scale_count < 2)
		return 0;
	int error = heddle__common_rows_make(&rows, &scaling->comparison);
	double *means = error ? NULL : average_rows(scaling, &rows);
	report->laws = calloc(rows.keys.count + 1, sizeof(*report->laws));
	if (!means || !report->laws)
		error = -ENOMEM;
	for (uint32_t i = 0; !error && i < rows.keys.count; i++) {
		struct heddle_scale_law *law = &report->laws[report->law_count];
		size_t at = (size_t)i * scaling->run_count;
		law->path = rows.path[i];
		report->law_count += find_law(report, law, rows.values + at, means + at);
	}
	heddle__common_rows_free(&rows);
	free(means);
	if (!error) {
		share_out(report->laws, report->law_count);
		qsort(report->laws, report->law_count, sizeof(*report->laws), larger_then_first);
	}
	return error;
}

/* ---- printing ---- */

void heddle__scale_outlook(const struct heddle_scale_report *report)
{
	const struct heddle_scale_law *law = report->laws, *end = law + report->law_count;
	while (law < end && law->share - law->now < GROWS)
		law++;
	if (law == end)
		return;
	if (report->scaling.own_scale)
		printf(" At %s = %g `", report->of_scale, report->at);
	else
		printf(" At %g threads `", report->at);
	heddle__print_safely(stdout, report->scaling.comparison.paths[law->path].text);
	printf("` would take %.0f %% of the %s (%.0f to %.0f; %.0f at %g).", 100 * law->share,
		is_time(report) ? "time" : profile_metric_name(report->scaling.metric), 100 * law->low, 100 * law->high,
		100 * law->now, last_scale(&report->scaling));
}

static void print_law(const struct heddle_scale_report *report, const struct heddle_scale_law *law)
{
	char then[32], text[96], error[16] = "-";
	struct profile_label label = {.text = report->scaling.comparison.paths[law->path].text,
		.kind = report->scaling.comparison.paths[law->path].kind};
	if (law->model.scales >= 3)
		snprintf(error, sizeof(error), "%.1f", 100 * law->model.error);
	heddle__model_format(text, sizeof(text), &law->model, heddle__scale_unit(report));
	printf("%7.1f %5.1f..%-5.1f %9s %7s  %-28s  ", 100 * law->share, 100 * law->low, 100 * law->high,
		heddle__scale_value(then, sizeof(then), report, law->then.value), error, text);
	heddle__print_label(&report->terminal, &label, 68);
	putchar('\n');
}

/* Returns the largest error of laws that were tested at a scale from which they were not made; negative: none was. */
static double largest_error(const struct heddle_scale_report *report)
{
	double largest = -1;
	for (size_t i = 0; i < report->law_count; i++)
		if (report->laws[i].model.scales >= 3)
			largest = fmax(largest, report->laws[i].model.error);
	return largest;
}

static bool note_guess(const struct heddle_scale_report *report, char text[HEDDLE_SCALE_NOTE])
{
	size_t scales = report->scaling.scale_count;
	double error = largest_error(report);
	if (scales >= HEDDLE_MODEL_SCALES || !report->law_count)
		return false;
	if (error < 0)
		snprintf(text, HEDDLE_SCALE_NOTE, "with %zu scales, a law is an untested guess: measure at %d or more",
			scales, HEDDLE_MODEL_SCALES);
	else
		snprintf(text, HEDDLE_SCALE_NOTE,
			"with %zu scales, a law is a guess, here off by up to %.1f %% at a scale left out of the fit: "
			"measure at %d or more",
			scales, 100 * error, HEDDLE_MODEL_SCALES);
	return true;
}

bool heddle__scale_note(const struct heddle_scale_report *report, int number, char text[HEDDLE_SCALE_NOTE])
{
	if (number == 0)
		return note_guess(report, text);
	if (!report->law_count || report->at <= HEDDLE_MODEL_REACH * last_scale(&report->scaling))
		return false;
	snprintf(text, HEDDLE_SCALE_NOTE, "%g is more than %g times the largest scale: such a prediction is unreliable",
		report->at, HEDDLE_MODEL_REACH);
	return true;
}

static void print_notes(const struct heddle_scale_report *report)
{
	char text[HEDDLE_SCALE_NOTE];
	for (int number = 0; number < HEDDLE_SCALE_NOTES; number++)
		if (heddle__scale_note(report, number, text))
			printf("note: %s\n", text);
}

void heddle__scale_laws(const struct heddle_scale_report *report)
{
	const struct heddle_scale_law *laws = report->laws;
	if (!report->law_count)
		return;
	heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
	printf("\n%% at %-7g 95 %% within %9s %7s  %-28s  %s\n", report->at, is_time(report) ? "time" : "value",
		"error %", is_time(report) ? "seconds at p" : "value at p",
		"function, by itself; of the thread with most");
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
	for (size_t i = 0; i < report->law_count && (100 * laws[i].share >= report->min_percent || i == 0); i++)
		print_law(report, &laws[i]);
	print_notes(report);
}
