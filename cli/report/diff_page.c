/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page of a difference: first the metric of the text, then all others that any run has. */
#include "cli/report/diff_page.h"

#include "analysis/diff_findings.h"
#include "cli/base/exit_status.h"
#include "cli/report/page_file.h"
#include "export/html_diff.h"

#include <stdlib.h>

static size_t list_metrics(
	const struct heddle_diff *diff, const struct heddle_session *sessions, enum heddle_metric *list)
{
	enum heddle_metric order[HEDDLE_METRIC_LIMIT];
	size_t count = profile_metric_order(order), used = 0;
	list[used++] = diff->metric;
	for (size_t m = 0; m < count; m++) {
		bool there = false;
		for (size_t i = 0; i < diff->comparison.run_count; i++)
			there |= profile_measurement_total(&sessions[i].measurement, order[m]) != 0;
		if (there && order[m] != diff->metric)
			list[used++] = order[m];
	}
	return used;
}

static int write_page(const void *context, FILE *out)
{
	struct export_diff page = *(const struct export_diff *)context;
	page.out = out;
	return export_diff_write(&page);
}

int heddle__diff_page(const struct heddle_diff *diff, const struct heddle_session *sessions,
	const struct profile_view *const *views, const char *const *names, const char *path)
{
	enum heddle_metric metrics[HEDDLE_METRIC_LIMIT];
	struct heddle_findings findings;
	if (heddle__diff_findings_make(&findings, diff) != 0) {
		fputs("heddle: diff: no memory left\n", stderr);
		return HEDDLE_EXIT_FAILED;
	}
	struct export_diff page = {
		.version = HEDDLE_VERSION,
		.views = views,
		.names = names,
		.count = diff->comparison.run_count,
		.before_count = diff->before_count,
		.metrics = metrics,
		.metric_count = list_metrics(diff, sessions, metrics),
		.findings = &findings,
	};
	return heddle__page_write("diff", path, names[0], write_page, &page);
}
