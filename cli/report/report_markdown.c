/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --format markdown`: the findings and the ten functions with the largest own cost, for a pull request.
 */
#include "cli/report/report_markdown.h"
#include "analysis/findings.h"
#include "analysis/flat_rows.h"
#include "cli/base/markdown.h"

#include <errno.h>
#include <stdlib.h>

#define ROWS 10

static int print_findings(const struct heddle_session *session)
{
	struct heddle_findings findings;
	int error = heddle__findings_make(&findings, &session->measurement, &session->view);
	for (size_t i = 0; !error && i < findings.count; i++)
		printf("- %s\n", findings.items[i].text);
	if (!error && findings.count > 0)
		putchar('\n');
	return error;
}

static void print_rows(const struct heddle_session *session, const struct heddle_flat_rows *rows, uint64_t total,
	const char *metric, const char *unit)
{
	char self[32], inclusive[32], value[32];
	printf("| function | self %% | total %% | %s |\n|---|--:|--:|--:|\n", metric);
	for (size_t i = 0; i < rows->count && i < ROWS && rows->items[i].exclusive; i++) {
		const struct heddle_flat_row *row = &rows->items[i];
		fputs("| ", stdout);
		heddle__print_markdown(session->view.labels[row->label].text);
		printf(" | %s | %s | %s |\n", heddle__format_percent(self, sizeof(self), row->exclusive, total),
			heddle__format_percent(inclusive, sizeof(inclusive), row->inclusive, total),
			heddle__format_value(value, sizeof(value), row->exclusive, unit));
	}
}

int heddle__report_markdown(const struct heddle_session *session, enum heddle_metric metric)
{
	const struct profile_view *view = &session->view;
	struct heddle_flat_rows rows = {0};
	uint64_t *inclusive = profile_view_inclusive(view, metric);
	int error = print_findings(session);
	if (!error)
		error = inclusive ? heddle__flat_rows_make(&rows, view, view->values[metric], inclusive, NULL)
				  : -ENOMEM;
	if (!error)
		print_rows(session, &rows, profile_measurement_total(&session->measurement, metric),
			profile_metric_name(metric), profile_metric_unit(metric));
	heddle__flat_rows_free(&rows);
	free(inclusive);
	return error;
}
