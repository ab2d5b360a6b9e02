/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page of a difference. The values of a path are sums over the runs of a group, so they are integers. Significance
 * is computed here; html/src/diff_data.ts only reads it.
 */
#include "export/html_diff.h"
#include "export/findings.h"

#include "analysis/diff.h"
#include "export/html_parts.h"
#include "export/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define DATA_VERSION 1

struct differences {
	const struct export_diff *page;
	struct heddle_diff diff; /* by the chosen metric */
	struct heddle_diff_rows rows;
};

static void free_differences(struct differences *all)
{
	heddle__diff_rows_free(&all->rows);
	heddle__diff_free(&all->diff);
}

/* Paths and rows have the same numbers for each metric, because they come from the views alone. */
static int make_differences(struct differences *all, enum heddle_metric metric)
{
	const struct export_diff *page = all->page;
	free_differences(all);
	int error = heddle__diff_make(&all->diff, page->views, page->count, page->before_count, metric);
	return error ? error : heddle__diff_rows_make(&all->rows, &all->diff);
}

/* ---- shown without a script ---- */

static void write_significance(FILE *out, const struct heddle_difference *is)
{
	if (is->tested && is->p >= HEDDLE_SIGNIFICANT)
		fputs("<td>not significant", out);
	else if (is->tested && is->p < 0.001)
		fputs("<td>p &lt; 0.001", out);
	else if (is->tested)
		fprintf(out, "<td>p = %.3f", is->p);
}

static void write_static_row(const struct differences *all, const struct heddle_diff_row *row)
{
	FILE *out = all->page->out;
	const struct heddle_difference *is = &row->is;
	fprintf(out, "<tr><td>%.0f<td>%.0f<td>%+.0f<td>", is->before, is->after, is->change);
	if (is->before > 0 && is->after > 0)
		fprintf(out, "%+.1f", 100 * is->change / is->before);
	else
		fputs(is->before > 0 ? "gone" : "new", out);
	write_significance(out, is);
	fputs("<th scope=row>", out);
	export_page_text(out, all->diff.comparison.paths[row->path].text);
	fputs("</tr>\n", out);
}

static void write_static(const struct differences *all)
{
	FILE *out = all->page->out;
	enum heddle_metric metric = all->page->metrics[0];
	const struct heddle_diff_rows *rows = &all->rows;
	fprintf(out,
		"<h2>Functions and regions: %s (%s)</h2>\n<table><thead><tr><th>before<th>after<th>change<th>change "
		"%%%s<th>name</tr></thead><tbody>\n",
		profile_metric_name(metric), profile_metric_unit(metric),
		rows->items[0].is.tested ? "<th>significance" : "");
	for (size_t i = 0; i < rows->count && i < EXPORT_PAGE_ROWS; i++)
		if (rows->items[i].is.before > 0 || rows->items[i].is.after > 0)
			write_static_row(all, &rows->items[i]);
	fputs("</tbody></table>\n", out);
}

/* ---- the data: names and paths ---- */

/* Paths with the same text and kind have one label. */
static int write_labels(const struct heddle_comparison *all, FILE *out)
{
	struct profile_intern labels = {0};
	char *key = NULL;
	int error = 0;
	fputs("\"label\":[", out);
	for (size_t i = 0; !error && i < all->count; i++) {
		error = asprintf(&key, "%c%s", 'a' + all->paths[i].kind, all->paths[i].text) < 0 ? -ENOMEM : 0;
		uint32_t label = error ? HEDDLE_INTERN_NONE : profile_intern(&labels, key);
		if (!error)
			free(key);
		fprintf(out, "%s%" PRIu32, i ? "," : "", label);
		error = label == HEDDLE_INTERN_NONE ? -ENOMEM : 0;
	}
	fputs("],\n\"text\":[", out);
	for (size_t i = 0; i < labels.count; i++) {
		fputs(i ? "," : "", out);
		export_json_string(out, labels.texts[i] + 1);
	}
	fputs("],\n\"kind\":[", out);
	for (size_t i = 0; i < labels.count; i++)
		fprintf(out, "%s%d", i ? "," : "", *labels.texts[i] - 'a');
	fputs("],\n", out);
	profile_intern_free(&labels);
	return error;
}

static int write_paths(const struct differences *all, FILE *out)
{
	const struct heddle_comparison *paths = &all->diff.comparison;
	fputs("\"parent\":[", out);
	for (size_t i = 0; i < paths->count; i++)
		fprintf(out, "%s%zu", i ? "," : "", i - paths->paths[i].parent);
	fputs("],\n\"row\":[", out);
	for (size_t i = 0; i < paths->count; i++)
		fprintf(out, "%s%" PRIu32, i ? "," : "", all->rows.common.row_of[i]);
	fputs("],\n", out);
	return write_labels(paths, out);
}

/* ---- the data: values ---- */

static uint64_t sum_own(const struct differences *all, size_t first, size_t end, size_t path)
{
	uint64_t sum = 0;
	for (size_t r = first; r < end; r++)
		sum += heddle__run_own(&all->diff.comparison.runs[r], (uint32_t)path);
	return sum;
}

/* Writes "name":[[differences of ascending paths],[values]], without paths that have no value. */
static void write_side(const struct differences *all, FILE *out, const char *name, size_t first, size_t end)
{
	size_t before = 0;
	const char *separator = "";
	fprintf(out, "\"%s\":[[", name);
	for (size_t i = 0; i < all->diff.comparison.count; i++) {
		if (!sum_own(all, first, end, i))
			continue;
		fprintf(out, "%s%zu", separator, i - before);
		before = i;
		separator = ",";
	}
	fputs("],[", out);
	separator = "";
	for (size_t i = 0; i < all->diff.comparison.count; i++) {
		uint64_t sum = sum_own(all, first, end, i);
		if (!sum)
			continue;
		fprintf(out, "%s%" PRIu64, separator, sum);
		separator = ",";
	}
	fputs("]],\n", out);
}

/* Writes p as it is shown: 1 if not significant, 0 below a thousandth. */
static void write_p(FILE *out, double p)
{
	if (p >= HEDDLE_SIGNIFICANT || p < 0.001)
		fputs(p < 0.001 ? "0" : "1", out);
	else
		fprintf(out, "%.3f", p);
}

/* Writes "name":[[margins],[significance]], of paths or of rows. */
static void write_tests(const struct differences *all, FILE *out, const char *name, size_t count,
	struct heddle_difference (*get)(const struct differences *, size_t))
{
	fprintf(out, "\"%s\":[[", name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%.0f", i ? "," : "", floor(get(all, i).margin + 0.5));
	fputs("],[", out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "," : "", out);
		write_p(out, get(all, i).p);
	}
	fputs("]]", out);
}

static struct heddle_difference get_path(const struct differences *all, size_t path)
{
	return heddle__diff_path(&all->diff, (uint32_t)path);
}

static struct heddle_difference get_row(const struct differences *all, size_t row)
{
	return heddle__diff_values(&all->diff, all->rows.common.values + row * all->page->count);
}

static void write_values(const struct differences *all, FILE *out)
{
	const struct export_diff *page = all->page;
	bool tested = page->before_count > 1 && page->count - page->before_count > 1;
	fputc('{', out);
	write_side(all, out, "before", 0, page->before_count);
	write_side(all, out, "after", page->before_count, page->count);
	write_tests(all, out, "paths", tested ? all->diff.comparison.count : 0, get_path);
	fputs(",\n", out);
	write_tests(all, out, "rows", tested ? all->rows.count : 0, get_row);
	fputc('}', out);
}

/* ---- the whole ---- */

/* Begins with the differences of the first metric, then replaces them by those of the others, one at a time. */
static int write_data(const void *context, FILE *out)
{
	struct differences *all = *(struct differences *const *)context;
	const struct export_diff *page = all->page;
	int error = 0;
	fprintf(out, "{\"version\":%d,\"writer\":", DATA_VERSION);
	export_json_string(out, page->version);
	fputs(",\n", out);
	export_json_strings(out, "before", page->names, page->before_count);
	fputs(",\n", out);
	export_json_strings(out, "after", page->names + page->before_count, page->count - page->before_count);
	fputs(",\n", out);
	export_findings(out, page->findings);
	fputs(",\n", out);
	export_page_metrics(out, page->metrics, page->metric_count);
	error = write_paths(all, out);
	fputs("\"diff\":{", out);
	for (size_t m = 0; !error && m < page->metric_count; m++) {
		if (m > 0)
			error = make_differences(all, page->metrics[m]);
		fprintf(out, "%s\"%s\":", m ? ",\n" : "", profile_metric_name(page->metrics[m]));
		if (!error)
			write_values(all, out);
	}
	fputs("}}\n", out);
	return error;
}

int export_diff_write(const struct export_diff *page)
{
	struct differences all = {.page = page}, *handed = &all;
	int error = make_differences(&all, page->metrics[0]);
	if (!error) {
		const char *name = all.diff.comparison.paths[0].text;
		export_page_begin(page->out);
		export_page_text(page->out, name);
		fputs(": what changed", page->out);
		export_page_body(page->out);
		fputs("<h1>", page->out);
		export_page_text(page->out, name);
		fputs(": what changed</h1>\n", page->out);
		export_page_findings(page->out, page->findings);
		write_static(&all);
	}
	if (!error)
		error = export_page_end(page->out, write_data, &handed);
	free_differences(&all);
	return error;
}
