/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --annotate FILE`: the source, with the remote accesses of each line and their time in the margin. */
#include "cli/report/report_accesses.h"

#include "cli/exit_status.h"
#include "profile/errors.h"
#include "profile/source_text.h"
#include "profile/view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sum {
	uint64_t count, time_ns; /* of accesses to other threads' memory */
};

struct page {
	const struct heddle_report *report;
	struct sum *lines, total; /* by line; [0] is unused */
	uint32_t line_count;
	bool remote; /* there is another node: only accesses to it count */
};

/* Whether two names of files, as told by compilers or typed, may mean the same: one ends with the other. */
static bool is_file(const char *one, const char *other)
{
	while (strncmp(one, "./", 2) == 0)
		one += 2;
	while (strncmp(other, "./", 2) == 0)
		other += 2;
	size_t length = strlen(one), part = strlen(other);
	if (length < part)
		return is_file(other, one);
	return part && strcmp(one + length - part, other) == 0 && (part == length || one[length - part - 1] == '/');
}

static uint32_t count_lines(const char *text)
{
	uint32_t count = 0;
	for (; *text; count++) {
		const char *end = strchr(text, '\n');
		text = end ? end + 1 : text + strlen(text);
	}
	return count;
}

static void add_rows(struct page *page, const struct profile_accesses *accesses, const char *file)
{
	for (size_t i = 0; i < accesses->row_count; i++)
		page->remote |= accesses->rows[i].count[HEDDLE_SIDE_REMOTE] != 0;
	for (size_t i = 0; i < accesses->row_count; i++) {
		const struct profile_access *row = &accesses->rows[i];
		uint64_t count = row->count[HEDDLE_SIDE_REMOTE];
		if (!page->remote)
			count = row->count[HEDDLE_SIDE_SAME_NODE];
		page->total.time_ns += row->time_ns;
		page->total.count += count;
		if (!row->line || row->line > page->line_count || !is_file(row->file, file))
			continue;
		page->lines[row->line].count += count;
		page->lines[row->line].time_ns += row->time_ns;
	}
}

static void print_margin(const struct page *page, const struct sum *sum)
{
	char text[32];
	if (!sum->count && !sum->time_ns) {
		printf("%10s %8s %6s", "", "", "");
		return;
	}
	double percent = page->total.time_ns ? 100.0 * (double)sum->time_ns / (double)page->total.time_ns : 0;
	enum heddle_style style = percent >= 10  ? HEDDLE_STYLE_HOT
				  : percent >= 1 ? HEDDLE_STYLE_WARM
						 : HEDDLE_STYLE_DIM;
	heddle__style(&page->report->look, style);
	printf("%10s", heddle__format_count(text, sizeof(text), sum->count));
	printf(" %8s %6.1f", heddle__format_time(text, sizeof(text), sum->time_ns), percent);
	heddle__style(&page->report->look, HEDDLE_STYLE_PLAIN);
}

/* A line of the source: tabs become blanks, so that it is as in an editor. */
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
	heddle__style(&page->report->look, HEDDLE_STYLE_DIM);
	printf("%10s %8s %6s %5s\n", page->remote ? "remote" : "same-node", "time", "share", "line");
	heddle__style(&page->report->look, HEDDLE_STYLE_PLAIN);
	for (uint32_t number = 1; number <= page->line_count; number++) {
		const char *end = strchr(text, '\n');
		end = end ? end : text + strlen(text);
		print_margin(page, &page->lines[number]);
		printf(" %5" PRIu32 "  ", number);
		print_source(text, end);
		text = *end ? end + 1 : end;
	}
}

static int print_file(const struct heddle_report *report, const struct heddle_access_options *options, const char *path,
	const char *text)
{
	struct page page = {.report = report, .line_count = count_lines(text)};
	struct profile_accesses accesses;
	char total[32];
	int error = heddle__accesses_make(&accesses, report, options);
	if (error)
		return error;
	page.lines = calloc((size_t)page.line_count + 1, sizeof(*page.lines));
	if (page.lines) {
		add_rows(&page, &accesses, options->annotate);
		printf("%s: accesses to other %s, and time in accesses, of %s%s; in all %s\n\n", path,
			page.remote ? "nodes" : "threads", options->thread ? "UPC thread " : "all threads",
			options->thread ? options->thread : "",
			heddle__format_time(total, sizeof(total), page.total.time_ns));
		print_page(&page, text);
	}
	error = page.lines ? 0 : -ENOMEM;
	free(page.lines);
	profile_accesses_free(&accesses);
	return error;
}

int heddle__report_annotated(const struct heddle_report *report, const struct heddle_access_options *options)
{
	char *path = NULL;
	char *text = profile_source_read(&report->session->measurement, options->annotate, &path);
	if (!text) {
		fprintf(stderr,
			"heddle: report: --annotate: %s is not there: neither from here, nor from where the program "
			"was "
			"started or stands\n",
			options->annotate);
		return HEDDLE_EXIT_NOT_FOUND;
	}
	int error = print_file(report, options, path, text);
	free(text);
	free(path);
	return error;
}
