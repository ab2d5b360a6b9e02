/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --stats`: how values spread over the threads, with all that is below. All threads but Heddle's own
 * count, those that never came to a path too: with nothing.
 */
#include "cli/report_parts.h"

#include <errno.h>
#include <stdlib.h>

int heddle__spreads_make(struct heddle_spreads *spreads, const struct heddle_report *report, bool by_label)
{
	const struct heddle_session *session = report->session;
	const struct heddle_measurement *measurement = &session->measurement;
	bool rows[HEDDLE_SPREAD_KINDS] = {[HEDDLE_SPREAD_PATHS] = !by_label, [HEDDLE_SPREAD_LABELS] = by_label};
	bool metrics[HEDDLE_METRIC_LIMIT] = {false};
	char *bad_path = NULL;
	metrics[report->metric] = true;
	int error = heddle_spreads_start(spreads, &session->view, metrics, rows);
	if (!error && measurement->merged)
		error = heddle_spreads_load(spreads, measurement->merged, &session->view);
	else if (!error)
		error = heddle_spreads_read(spreads, measurement, &measurement->tree, &session->view, 0, &bad_path);
	free(bad_path);
	return error;
}

/* There is room for all four columns beside the others and names. */
static bool is_wide(const struct heddle_report *report)
{
	return report->look.width == 0 || report->look.width >= 117;
}

size_t heddle__spread_width(const struct heddle_report *report)
{
	if (!report->stats)
		return 0;
	return is_wide(report) ? 52 : 19;
}

void heddle__print_spread_heading(const struct heddle_report *report)
{
	if (is_wide(report))
		printf(" %10s %10s", "min", "mean");
	printf(" %10s", "max");
	if (is_wide(report))
		printf(" %10s", "stddev");
	printf(" %7s", "imb. %");
}

static void print_rounded(double value, const char *unit)
{
	char text[32];
	printf(" %10s",
		heddle__format_value(text, sizeof(text), value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX, unit));
}

void heddle__print_spread(
	const struct heddle_report *report, const struct heddle_spreads *spreads, const struct heddle_spread *spread)
{
	char text[32];
	const char *unit = heddle_metric_unit(report->metric);
	bool wide = is_wide(report);
	if (wide)
		printf(" %10s", heddle__format_value(text, sizeof(text), heddle_spread_least(spreads, spread), unit));
	if (wide)
		print_rounded(heddle_spread_mean(spreads, spread), unit);
	printf(" %10s", heddle__format_value(text, sizeof(text), spread->most, unit));
	if (wide)
		print_rounded(heddle_spread_deviation(spreads, spread), unit);
	if (spread->sum)
		printf(" %7.1f", 100 * heddle_spread_imbalance(spreads, spread));
	else
		printf(" %7s", "-");
}
