/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --stats`: how inclusive values spread over the threads, except Heddle's own; a thread without samples
 * or events on a path counts as 0. For threads that ran one after the other in one row of the profile, only their sum
 * is known, which is sufficient for the mean.
 */
#include "cli/base/progress.h"
#include "cli/report/report_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int heddle__spreads_make(struct profile_spreads *spreads, const struct heddle_report *report, bool by_label)
{
	const struct heddle_session *session = report->session;
	const struct profile_measurement *measurement = &session->measurement;
	bool rows[HEDDLE_SPREAD_KINDS] = {[HEDDLE_SPREAD_PATHS] = !by_label, [HEDDLE_SPREAD_LABELS] = by_label};
	bool metrics[HEDDLE_METRIC_LIMIT] = {false};
	char *bad_path = NULL;
	metrics[report->metric] = true;
	struct heddle_progress progress;
	int error = profile_spreads_start(spreads, &session->view, metrics, rows);
	heddle__progress_begin(&progress, STDERR_FILENO, HEDDLE_PROGRESS_DELAY_MS);
	if (!error && measurement->merged)
		error = profile_spreads_load(spreads, measurement->merged, &session->view);
	else if (!error)
		error = profile_spreads_read(
			spreads, measurement, &measurement->tree, &session->view, 0, &progress.steps, &bad_path);
	heddle__progress_end(&progress);
	free(bad_path);
	return error;
}

enum { COLUMN_MIN, COLUMN_MEAN, COLUMN_MAX, COLUMN_DEVIATION, COLUMN_IMBALANCE };

void heddle__spread_columns(struct heddle_column columns[HEDDLE_SPREAD_COLUMNS], const struct heddle_report *report)
{
	static const struct heddle_column all[HEDDLE_SPREAD_COLUMNS] = {
		[COLUMN_MIN] = {"min", 10, 10, false},
		[COLUMN_MEAN] = {"mean", 10, 11, false},
		[COLUMN_MAX] = {"max", 10, 2, false},
		[COLUMN_DEVIATION] = {"stddev", 10, 12, false},
		[COLUMN_IMBALANCE] = {"imb. %", 7, 0, false},
	};
	for (size_t i = 0; i < HEDDLE_SPREAD_COLUMNS; i++)
		columns[i] = report->stats ? all[i] : (struct heddle_column){0};
}

static void print_value(const struct heddle_column *column, double value, const char *unit)
{
	char text[32];
	uint64_t rounded = value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX;
	if (heddle__column_shown(column))
		printf(" %*s", column->width, heddle__format_value(text, sizeof(text), rounded, unit));
}

static void print_exact(const struct heddle_column *column, uint64_t value, const char *unit)
{
	char text[32];
	if (heddle__column_shown(column))
		printf(" %*s", column->width, heddle__format_value(text, sizeof(text), value, unit));
}

static void print_nothing(const struct heddle_column *column)
{
	if (heddle__column_shown(column))
		printf(" %*s", column->width, "-");
}

void heddle__print_spread(const struct heddle_report *report, const struct heddle_column columns[HEDDLE_SPREAD_COLUMNS],
	const struct profile_spreads *spreads, const struct profile_spread *spread)
{
	const char *unit = profile_metric_unit(report->metric);
	if (spread->mean_only)
		print_nothing(&columns[COLUMN_MIN]);
	else
		print_exact(&columns[COLUMN_MIN], profile_spread_least(spreads, spread), unit);
	print_value(&columns[COLUMN_MEAN], profile_spread_mean(spreads, spread), unit);
	if (spread->mean_only) {
		for (size_t i = COLUMN_MAX; i < HEDDLE_SPREAD_COLUMNS; i++)
			print_nothing(&columns[i]);
		return;
	}
	print_exact(&columns[COLUMN_MAX], spread->most, unit);
	print_value(&columns[COLUMN_DEVIATION], profile_spread_deviation(spreads, spread), unit);
	if (!spread->sum)
		print_nothing(&columns[COLUMN_IMBALANCE]);
	else if (heddle__column_shown(&columns[COLUMN_IMBALANCE]))
		printf(" %7.1f", 100 * profile_spread_imbalance(spreads, spread));
}
