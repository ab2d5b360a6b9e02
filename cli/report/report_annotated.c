/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --annotate FILE`: the source, with the remote accesses of each line and their time in the margin. */
#include "cli/report/report_accesses.h"

#include "analysis/line_accesses.h"
#include "cli/base/exit_status.h"
#include "profile/base/errors.h"
#include "profile/view/source_text.h"
#include "profile/view/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct page {
	const struct heddle_report *report;
	struct heddle_line_accesses sums;
};

static uint32_t count_lines(const char *text)
{
	uint32_t count = 0;
	for (; *text; count++) {
		const char *end = strchr(text, '\n');
		text = end ? end + 1 : text + strlen(text);
	}
	return count;
}

static void print_margin(const struct page *page, const struct heddle_access_sum *sum)
{
	char text[32];
	if (!sum->count && !sum->time_ns) {
		printf("%10s %8s %6s", "", "", "");
		return;
	}
	double percent = page->sums.total.time_ns ? 100.0 * (double)sum->time_ns / (double)page->sums.total.time_ns : 0;
	enum heddle_style style = percent >= 10  ? HEDDLE_STYLE_HOT
				  : percent >= 1 ? HEDDLE_STYLE_WARM
						 : HEDDLE_STYLE_DIM;
	heddle__style(&page->report->terminal, style);
	printf("%10s", heddle__format_count(text, sizeof(text), sum->count));
	printf(" %8s %6.1f", heddle__format_time(text, sizeof(text), sum->time_ns), percent);
	heddle__style(&page->report->terminal, HEDDLE_STYLE_NORMAL);
}

/* Prints a line of the source, with blanks for tabs, so that it looks as in an editor. */
static void print_source(const char *at, const char *end)
{
	for (size_t column = 0; at < end; at++) {
		if (*at == '\t') {
			do
				putchar(' ');
			while (++column % 8);
		} else if (*at != '\r') {
			putchar((unsigned char)*at < 0x20 ? '?' : *at);
			column += ((unsigned char)*at & 0xc0) != 0x80;
		}
	}
	putchar('\n');
}

static void print_page(const struct page *page, const char *text)
{
	heddle__style(&page->report->terminal, HEDDLE_STYLE_DIM);
	printf("%10s %8s %6s %5s\n", page->sums.remote ? "remote" : "same-node", "time", "share", "line");
	heddle__style(&page->report->terminal, HEDDLE_STYLE_NORMAL);
	for (uint32_t number = 1; number <= page->sums.line_count; number++) {
		const char *end = strchr(text, '\n');
		end = end ? end : text + strlen(text);
		print_margin(page, &page->sums.lines[number]);
		printf(" %5" PRIu32 "  ", number);
		print_source(text, end);
		text = *end ? end + 1 : end;
	}
}

static int print_file(const struct heddle_report *report, const struct heddle_access_options *options, const char *path,
	const char *text)
{
	struct page page = {.report = report};
	struct profile_accesses accesses;
	char total[32];
	int error = heddle__accesses_make(&accesses, report, options);
	if (error)
		return error;
	if (!accesses.row_count) {
		heddle__accesses_missing(report);
		profile_accesses_free(&accesses);
		return 0;
	}
	error = heddle__line_accesses_make(&page.sums, &accesses, options->annotate, count_lines(text));
	if (!error) {
		const char *gap = options->thread ? " " : "";
		printf("%s: accesses to other %s, and time in accesses, of %s%s%s; in all %s\n\n", path,
			page.sums.remote ? "nodes" : "threads", options->thread ? accesses.ranks : "all threads", gap,
			options->thread ? options->thread : "",
			heddle__format_time(total, sizeof(total), page.sums.total.time_ns));
		print_page(&page, text);
	}
	heddle__line_accesses_free(&page.sums);
	profile_accesses_free(&accesses);
	return error;
}

static bool wanted(const struct heddle_report_options *options)
{
	return options->accesses.annotate;
}

static int print(const struct heddle_report *report)
{
	const struct heddle_access_options *options = &report->options->accesses;
	struct profile_source source =
		profile_source_find(&report->session->measurement, options->annotate, HEDDLE_SOURCE_SEEN);
	int error = HEDDLE_EXIT_NOT_FOUND;
	if (source.status == HEDDLE_SOURCE_READ)
		error = print_file(report, options, source.path, source.text);
	else if (source.status == HEDDLE_SOURCE_BARRED)
		fprintf(stderr,
			"heddle: report: --annotate: %s is outside the current directory and the program's: name its "
			"directory with --source-dir DIR\n",
			heddle__shown(source.path));
	else
		fprintf(stderr,
			"heddle: report: --annotate: %s was not found from this directory, the program's start "
			"directory, or its own: name its directory with --source-dir DIR\n",
			options->annotate);
	profile_source_free(&source);
	return error;
}

const struct heddle_report_part heddle__report_part_annotated = {.own_metric = true, .wanted = wanted, .print = print};
