/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle scale --html`: a table of scales and a table of laws, which need no script, and data that html/src/scale.ts
 * draws.
 */
#include "analysis/comparison_rows.h"
#include "analysis/text.h"
#include "cli/base/exit_status.h"
#include "cli/report/page_file.h"
#include "cli/report/scale_parts.h"
#include "export/html_parts.h"
#include "export/html_scale.h"
#include "export/json_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define STEPS 48      /* of a curve */
#define MATTERS 0.002 /* of the total: smaller paths are left out */
#define PHASE_MATTERS 0.01

struct page {
	struct heddle_scale_report *report;
	bool *shown; /* by path */
};

/* ---- tables without a script ---- */

static void write_percent(FILE *out, const struct heddle_scaling_point *point, double value, int of)
{
	fprintf(out, "<td>%.1f", 100 * value);
	if (point->runs > 1)
		fprintf(out, " <small>&#177; %.1f</small>", 100 * point->margins[of]);
}

static void write_scales(const struct heddle_scale_report *report, const struct heddle_scaling *scaling, FILE *out)
{
	char elapsed[32], margin[32];
	fputs("<div class=figures><table><thead><tr><th>", out);
	export_page_text(out, report->of_scale);
	fputs("<th>ranks<th>runs<th>elapsed<th>speed-up<th>of ideal %<th>parallel efficiency %", out);
	for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++)
		if (heddle__scale_factor_matters(scaling, f))
			fprintf(out, "<th>%s %%", heddle__factor_label((enum heddle_factor)f));
	fputs("</tr></thead><tbody>\n", out);
	for (size_t i = 0; i < scaling->point_count; i++) {
		const struct heddle_scaling_point *point = &scaling->points[i];
		fprintf(out, "<tr><th scope=row>%g<td>%g<td>%zu<td>%s", point->scale, point->ranks, point->runs,
			heddle__format_time(elapsed, sizeof(elapsed), (uint64_t)point->elapsed_ns));
		if (point->runs > 1)
			fprintf(out, " <small>&#177; %s</small>",
				heddle__format_time(
					margin, sizeof(margin), (uint64_t)point->margins[HEDDLE_SCALING_ELAPSED]));
		if (scaling->own_scale) {
			fputs("<td>-<td>-", out);
		} else {
			fprintf(out, "<td>%.2f", point->speedup);
			if (point->runs > 1)
				fprintf(out, " <small>&#177; %.2f</small>", point->margins[HEDDLE_SCALING_SPEEDUP]);
			write_percent(out, point, point->efficiency, HEDDLE_SCALING_EFFICIENCY);
		}
		write_percent(out, point, point->parallel, HEDDLE_SCALING_PARALLEL);
		for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++)
			if (heddle__scale_factor_matters(scaling, f))
				write_percent(out, point, point->factors[f], HEDDLE_SCALING_FACTORS + f);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void write_tables(const void *context, FILE *out)
{
	const struct page *page = context;
	const struct heddle_scale_report *report = page->report;
	char law[96], note[HEDDLE_SCALE_NOTE];
	write_scales(report, &report->scaling, out);
	for (size_t i = 0; i < report->scaling.phase_count; i++) {
		const struct heddle_scaling_phase *phase = &report->scaling.phases[i];
		if (heddle__scaling_phase_share(&report->scaling, phase) < PHASE_MATTERS)
			continue;
		fputs("<h2>", out);
		export_page_text(out, phase->name);
		fputs("</h2>\n", out);
		write_scales(report, &phase->of, out);
	}
	for (int number = 0; number < HEDDLE_SCALE_NOTES; number++)
		if (heddle__scale_note(report, number, note))
			fprintf(out, "<p class=note>note: %s</p>\n", note);
	if (!report->law_count)
		return;
	fprintf(out, "<noscript><table><thead><tr><th>%% at %g<th>law<th>name</tr></thead><tbody>\n", report->at);
	for (size_t i = 0; i < report->law_count; i++) {
		fprintf(out, "<tr><td>%.1f<td>%s<th scope=row>", 100 * report->laws[i].share,
			heddle__model_format(law, sizeof(law), &report->laws[i].model, heddle__scale_unit(report)));
		export_page_text(out, report->scaling.comparison.paths[report->laws[i].path].text);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></noscript>\n", out);
}

/* ---- the data ---- */

static void write_curve(const struct heddle_scale_report *report, const struct heddle_model *model, FILE *out)
{
	double first = report->scaling.points[0].scale, ratio = report->at / first;
	fputs(",\"curve\":[", out);
	for (int step = 0; model->count && step <= STEPS; step++) {
		double scale = step == STEPS ? report->at : first * pow(ratio, (double)step / STEPS);
		struct heddle_prediction then = heddle__model_predict(model, scale);
		fprintf(out, "%s[%.6g,%.6g,%.6g,%.6g]", step ? "," : "", scale, then.value, then.low, then.high);
	}
	fputc(']', out);
}

/* Writes the members that all rows have; `values` by run. */
static void write_row(const struct heddle_scale_report *report, const char *name, const double *values,
	const struct heddle_model *model, FILE *out)
{
	const struct heddle_scaling *scaling = &report->scaling;
	char law[96];
	fputs("{\"name\":", out);
	export_json_string(out, name);
	fprintf(out, ",\"law\":\"%s\",\"error\":",
		heddle__model_format(law, sizeof(law), model, heddle__scale_unit(report)));
	if (model->scales >= 3)
		fprintf(out, "%.6g", model->error);
	else
		fputs("null", out);
	fputs(",\"measured\":[", out);
	for (size_t r = 0; r < scaling->run_count; r++)
		fprintf(out, "%s[%.6g,%.0f]", r ? "," : "", scaling->scales[r], values[r]);
	fputc(']', out);
	write_curve(report, model, out);
}

static unsigned depth_of(const struct heddle_comparison *all, uint32_t path)
{
	unsigned depth = 0;
	for (; path; path = all->paths[path].parent)
		depth++;
	return depth;
}

/* Writes a path and those below it, in the order of the tree. */
static void write_paths(const struct page *page, uint32_t path, const char **separator, FILE *out)
{
	struct heddle_scaling *scaling = &page->report->scaling;
	struct heddle_comparison *all = &scaling->comparison;
	struct heddle_model model;
	heddle__scaling_path_model(scaling, path, &model);
	fputs(*separator, out);
	*separator = ",\n";
	write_row(page->report, all->paths[path].text, scaling->values, &model, out);
	fprintf(out, ",\"depth\":%u,\"loss\":", depth_of(all, path));
	if (scaling->own_scale)
		fputs("null}", out);
	else
		fprintf(out, "%.6g}", heddle__scaling_path(scaling, path).loss);
	for (uint32_t child = path + 1; child < all->count; child++)
		if (page->shown[child] && all->paths[child].parent == path)
			write_paths(page, child, separator, out);
}

static void choose_paths(const struct page *page)
{
	const struct heddle_scaling *scaling = &page->report->scaling;
	double whole = heddle__scaling_path(scaling, 0).last_ns;
	for (uint32_t i = (uint32_t)scaling->comparison.count; i-- > 0;) {
		struct heddle_scaling_path path = heddle__scaling_path(scaling, i);
		page->shown[i] |= i == 0 || path.last_ns >= MATTERS * whole || fabs(path.loss) >= MATTERS;
		if (page->shown[i])
			page->shown[scaling->comparison.paths[i].parent] = true;
	}
}

static int write_functions(const struct page *page, FILE *out)
{
	const struct heddle_scale_report *report = page->report;
	const struct heddle_scaling *scaling = &report->scaling;
	struct heddle_common_rows rows = {0};
	int error = heddle__common_rows_make(&rows, &scaling->comparison);
	for (size_t i = 0; !error && i < report->law_count; i++) {
		uint32_t path = report->laws[i].path, row = rows.row_of[path];
		fputs(i ? ",\n" : "", out);
		write_row(report, scaling->comparison.paths[path].text, rows.values + (size_t)row * scaling->run_count,
			&report->laws[i].model, out);
		fputs(",\"depth\":0,\"loss\":null}", out);
	}
	heddle__common_rows_free(&rows);
	return error;
}

static int write_data(const void *context, FILE *out)
{
	const struct page *page = context;
	const struct heddle_scale_report *report = page->report;
	const struct heddle_scaling *scaling = &report->scaling;
	const char *separator = "";
	fprintf(out, "{\"unit\":\"%s\",\"by\":", profile_metric_unit(scaling->metric));
	export_json_string(out, report->of_scale);
	fprintf(out, ",\"at\":%.17g,\"weak\":%s,\"own\":%s,\"paths\":[", report->at, scaling->weak ? "true" : "false",
		scaling->own_scale ? "true" : "false");
	choose_paths(page);
	write_paths(page, 0, &separator, out);
	fputs("],\n\"functions\":[", out);
	int error = write_functions(page, out);
	fputs("]}\n", out);
	return error;
}

static int write_page(const void *context, FILE *out)
{
	const struct page *page = context;
	return export_scale_write(out, page->report->scaling.comparison.paths[0].text, write_tables, write_data, page);
}

int heddle__scale_page(struct heddle_scale_report *report, const char *path, const char *measured)
{
	struct page page = {
		.report = report, .shown = calloc(report->scaling.comparison.count + 1, sizeof(*page.shown))};
	if (!page.shown) {
		fputs("heddle: scale: no memory left\n", stderr);
		return HEDDLE_EXIT_FAILED;
	}
	int status = heddle__page_write("scale", path, measured, write_page, &page);
	free(page.shown);
	return status;
}
