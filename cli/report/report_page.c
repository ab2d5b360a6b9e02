/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page of `heddle report --html`: passes findings and values to export/html.c. */
#include "cli/report/report_page.h"

#include "analysis/findings.h"
#include "cli/base/progress.h"
#include "cli/base/terminal.h"
#include "cli/base/words.h"
#include "cli/report/page_file.h"
#include "export/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_page(const void *context, FILE *out)
{
	const struct export_page *page = context;
	struct heddle_progress progress;
	struct export_request request = *page->request;
	struct export_page whole = *page;
	heddle__progress_begin(&progress, STDERR_FILENO, HEDDLE_PROGRESS_DELAY_MS);
	request.progress = &progress.steps;
	request.out = out;
	whole.request = &request;
	int error = export_page_write(&whole);
	heddle__progress_end(&progress);
	return error;
}

/* ---- source files ---- */

struct source_files {
	struct heddle_words embedded;
	char *barred; /* the first file that may not be read */
	size_t barred_count;
};

static void note_source(void *context, const char *path, bool embedded)
{
	struct source_files *files = context;
	if (embedded)
		heddle__words_add(&files->embedded, path);
	else if (files->barred_count++ == 0)
		files->barred = strdup(path);
}

static void report_sources(const char *page, const struct source_files *files)
{
	if (files->embedded.count)
		printf("heddle: report: %s contains the text of:\n", heddle__shown(page));
	for (size_t i = 0; i < files->embedded.count; i++)
		printf("  %s\n", heddle__shown(files->embedded.at[i]));
	if (files->barred_count)
		fprintf(stderr,
			"heddle: report: --sources: left out %zu of %zu files, such as %s: its directory is not the "
			"program's, or "
			"debug information does not name it; to embed it, name a directory with --source-dir DIR\n",
			files->barred_count, files->barred_count + files->embedded.count,
			heddle__shown(files->barred ? files->barred : "?"));
}

int heddle__report_page(
	const struct heddle_session *session, struct heddle_traced *traced, const char *path, bool sources)
{
	enum heddle_metric metrics[HEDDLE_METRIC_LIMIT];
	struct heddle_findings findings;
	struct export_request request = {
		.measurement = &session->measurement,
		.view = &session->view,
		.naming = &session->naming,
		.version = HEDDLE_VERSION,
		.metrics = metrics,
		.metric_count = heddle__list_metrics(&session->measurement, metrics),
	};
	struct source_files files = {0};
	struct export_page page = {.request = &request,
		.findings = &findings,
		.sources = sources,
		.report_source = note_source,
		.report_context = &files};
	heddle__traced_take(traced, &session->measurement, "the page has no timeline");
	if (traced->open) {
		request.trace = &traced->trace;
		page.part = !traced->whole;
		page.from_ns = traced->part.from_ns;
		page.to_ns = traced->part.to_ns;
	}
	int error = heddle__findings_make(&findings, &session->measurement, &session->view);
	if (error)
		return heddle__complain_file(session->measurement.path, error);
	int status = heddle__page_write("report", path, session->measurement.path, write_page, &page);
	if (sources && !status)
		report_sources(path, &files);
	heddle__words_free(&files.embedded);
	free(files.barred);
	return status;
}
