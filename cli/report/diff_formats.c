/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle diff` for pull requests: a table in Markdown, and JUnit's XML, which services of continuous integration read.
 */
#include "cli/report/diff_formats.h"

#include "cli/base/markdown.h"

#include <math.h>

#define ROWS 10

static char *format_mean(char *text, size_t size, double value, const char *unit)
{
	return heddle__format_value(text, size, value < 1e19 ? (uint64_t)(value + 0.5) : UINT64_MAX, unit);
}

/* True if the row changed enough to be shown. */
static bool is_shown(const struct heddle_diff_report *report, const struct heddle_diff_row *row)
{
	double whole = fmax(report->diff.whole.before, report->diff.whole.after), change = fabs(row->is.change);
	return change > 0 && 100 * change >= report->min_percent * whole;
}

/* "1.20 s to 1.50 s, +25.0 % (p = 0.012)". Returns `text`. */
static char *format_numbers(
	char *text, size_t size, const struct heddle_diff_report *report, const struct heddle_difference *is)
{
	char before[32], after[32], change[32], significance[32];
	const char *unit = profile_metric_unit(report->diff.metric);
	snprintf(text, size, "%s to %s, %s%s%s%s", format_mean(before, sizeof(before), is->before, unit),
		format_mean(after, sizeof(after), is->after, unit), heddle__format_change(change, sizeof(change), is),
		is->tested ? " (" : "",
		is->tested ? heddle__format_significance(significance, sizeof(significance), is) : "",
		is->tested ? ")" : "");
	return text;
}

/* ---- Markdown ---- */

static void print_markdown_row(const struct heddle_diff_report *report, const struct heddle_diff_row *row)
{
	char text[32];
	const char *unit = profile_metric_unit(report->diff.metric);
	fputs("| ", stdout);
	heddle__print_markdown(report->diff.comparison.paths[row->path].text);
	printf(" | %s", format_mean(text, sizeof(text), row->is.before, unit));
	printf(" | %s", format_mean(text, sizeof(text), row->is.after, unit));
	printf(" | %s |", heddle__format_change(text, sizeof(text), &row->is));
	if (row->is.tested)
		printf(" %s |", heddle__format_significance(text, sizeof(text), &row->is));
	putchar('\n');
}

int heddle__diff_markdown(const struct heddle_diff_report *report)
{
	struct heddle_diff_rows rows;
	int error = heddle__diff_rows_make(&rows, &report->diff);
	bool tested = report->diff.whole.tested;
	char text[160];
	size_t shown = 0;
	if (!error) {
		printf("**%s: %s**\n\n", profile_metric_name(report->diff.metric),
			format_numbers(text, sizeof(text), report, &report->diff.whole));
		printf("| function, by itself | before | after | change |%s\n", tested ? " significance |" : "");
		printf("|---|--:|--:|--:|%s\n", tested ? "---|" : "");
	}
	for (size_t i = 0; !error && i < rows.count && shown < ROWS; i++) {
		if (!is_shown(report, &rows.items[i]))
			continue;
		print_markdown_row(report, &rows.items[i]);
		shown++;
	}
	heddle__diff_rows_free(&rows);
	return error;
}

/* ---- JUnit ---- */

static void print_xml_text(const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", stdout);
			break;
		case '<':
			fputs("&lt;", stdout);
			break;
		case '>':
			fputs("&gt;", stdout);
			break;
		case '"':
			fputs("&quot;", stdout);
			break;
		default:
			putchar((unsigned char)*text < ' ' ? '?' : *text);
		}
	}
}

static void print_xml_rows(const struct heddle_diff_report *report, const struct heddle_diff_rows *rows)
{
	char text[160];
	size_t shown = 0;
	for (size_t i = 0; i < rows->count && shown < ROWS; i++) {
		if (!is_shown(report, &rows->items[i]))
			continue;
		print_xml_text(report->diff.comparison.paths[rows->items[i].path].text);
		fputs(": ", stdout);
		print_xml_text(format_numbers(text, sizeof(text), report, &rows->items[i].is));
		putchar('\n');
		shown++;
	}
}

int heddle__diff_junit(const struct heddle_diff_report *report, bool fails, double limit)
{
	struct heddle_diff_rows rows;
	char change[32];
	int error = heddle__diff_rows_make(&rows, &report->diff);
	if (!error) {
		puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
		printf("<testsuites>\n<testsuite name=\"heddle diff\" tests=\"1\" failures=\"%d\" errors=\"0\" "
		       "skipped=\"0\">\n<testcase classname=\"",
			fails);
		print_xml_text(report->diff.comparison.paths[0].text);
		printf("\" name=\"%s\">\n", profile_metric_name(report->diff.metric));
		if (fails)
			printf("<failure type=\"rise\" message=\"%s rose by %s, more than %g %%\"></failure>\n",
				profile_metric_name(report->diff.metric),
				heddle__format_change(change, sizeof(change), &report->diff.whole), limit);
		fputs("<system-out>", stdout);
		print_xml_rows(report, &rows);
		puts("</system-out>\n</testcase>\n</testsuite>\n</testsuites>");
	}
	heddle__diff_rows_free(&rows);
	return error;
}
