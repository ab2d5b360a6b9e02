/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle scale --format json`: the contents of the text, with complete paths. docs/scaling.md describes the members.
 */
#include <stdlib.h>

#include "cli/report/scale_parts.h"
#include "export/json_text.h"

#define MATTERS 0.002 /* of the total: smaller paths have no law */

/* The members have the names of the values. */
static void print_margins(const struct heddle_scaling *scaling, const struct heddle_scaling_point *point)
{
	const double *margins = point->margins;
	fputs("\"margins\":{", stdout);
	if (!scaling->own_scale)
		printf("\"speedup\":%.6g,\"efficiency\":%.6g,\"computation\":%.6g,", margins[HEDDLE_SCALING_SPEEDUP],
			margins[HEDDLE_SCALING_EFFICIENCY], margins[HEDDLE_SCALING_COMPUTATION]);
	if (scaling->counted)
		printf("\"ipc\":%.6g,", margins[HEDDLE_SCALING_IPC_IS]);
	if (scaling->counted && !scaling->own_scale)
		printf("\"instruction_scalability\":%.6g,\"ipc_scalability\":%.6g,\"clock_scalability\":%.6g,",
			margins[HEDDLE_SCALING_INSTRUCTIONS], margins[HEDDLE_SCALING_IPC],
			margins[HEDDLE_SCALING_CLOCK]);
	printf("\"parallel_efficiency\":%.6g,\"factors\":{", margins[HEDDLE_SCALING_PARALLEL]);
	for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++)
		printf("%s\"%s\":%.6g", f ? "," : "", heddle__factor_name((enum heddle_factor)f),
			margins[HEDDLE_SCALING_FACTORS + f]);
	fputs("}}", stdout);
}

static void print_points(const struct heddle_scaling *scaling)
{
	fputs("\"scales\":[", stdout);
	for (size_t i = 0; i < scaling->point_count; i++) {
		const struct heddle_scaling_point *point = &scaling->points[i];
		printf("%s{\"scale\":%.17g,\"ranks\":%.17g,\"threads\":%.17g,\"runs\":%zu,\"elapsed_ns\":%.0f,\"margin_"
		       "ns\":%.0f",
			i ? "," : "", point->scale, point->ranks, point->threads, point->runs, point->elapsed_ns,
			point->margins[HEDDLE_SCALING_ELAPSED]);
		if (!scaling->own_scale)
			printf(",\"speedup\":%.6g,\"efficiency\":%.6g,\"computation\":%.6g", point->speedup,
				point->efficiency, point->computation);
		if (scaling->counted)
			printf(",\"ipc\":%.6g", point->ipc_is);
		if (scaling->counted && !scaling->own_scale)
			printf(",\"instruction_scalability\":%.6g,\"ipc_scalability\":%.6g,\"clock_scalability\":%.6g",
				point->instructions, point->ipc, point->clock);
		printf(",\"parallel_efficiency\":%.6g,\"factors\":{", point->parallel);
		for (int f = 0; f < HEDDLE_FACTOR_COUNT; f++)
			printf("%s\"%s\":%.6g", f ? "," : "", heddle__factor_name((enum heddle_factor)f),
				point->factors[f]);
		fputs("},", stdout);
		print_margins(scaling, point);
		putchar('}');
	}
	putchar(']');
}

static void print_phases(const struct heddle_scaling *scaling)
{
	fputs(",\"phases\":[", stdout);
	for (size_t i = 0; i < scaling->phase_count; i++) {
		printf("%s{\"name\":", i ? "," : "");
		export_json_string(stdout, scaling->phases[i].name);
		putchar(',');
		print_points(&scaling->phases[i].of);
		putchar('}');
	}
	putchar(']');
}

static void print_terms(const struct heddle_model *model)
{
	fputs("\"terms\":[", stdout);
	for (size_t k = 0; k < model->count; k++)
		printf("%s{\"factor_ns\":%.17g,\"power\":%g,\"logs\":%u}", k ? "," : "", model->factors[k],
			model->terms[k].power, model->terms[k].logs);
	printf("],\"error\":%.6g", model->error);
}

/* Prints paths as a tree: each has its parent's index in the list. Paths above MATTERS have a law. */
static void print_paths(struct heddle_scaling *scaling)
{
	const struct heddle_comparison *all = &scaling->comparison;
	double whole = heddle__scaling_path(scaling, 0).last_ns;
	fputs(",\"paths\":[", stdout);
	for (uint32_t i = 0; i < all->count; i++) {
		struct heddle_scaling_path path = heddle__scaling_path(scaling, i);
		struct heddle_model model = {0};
		printf("%s{\"parent\":", i ? "," : "");
		if (i)
			printf("%u", all->paths[i].parent);
		else
			fputs("null", stdout);
		fputs(",\"name\":", stdout);
		export_json_string(stdout, all->paths[i].text);
		printf(",\"first_ns\":%.0f,\"last_ns\":%.0f", path.first_ns, path.last_ns);
		if (!scaling->own_scale)
			printf(",\"loss\":%.6g", path.loss);
		if (path.last_ns >= MATTERS * whole)
			heddle__scaling_path_model(scaling, i, &model);
		if (model.count) {
			putchar(',');
			print_terms(&model);
		}
		putchar('}');
	}
	putchar(']');
}

static void print_law(const struct heddle_scaling *scaling, const struct heddle_scale_law *law)
{
	fputs("{\"name\":", stdout);
	export_json_string(stdout, scaling->comparison.paths[law->path].text);
	putchar(',');
	print_terms(&law->model);
	printf(",\"ns\":%.6g,\"low_ns\":%.6g,\"high_ns\":%.6g,\"share\":%.6g,"
	       "\"low_share\":%.6g,\"high_share\":%.6g}",
		law->then.value, law->then.low, law->then.high, law->share, law->low, law->high);
}

static void print_notes(const struct heddle_scale_report *report)
{
	char text[HEDDLE_SCALE_NOTE];
	const char *separator = "";
	fputs("\"notes\":[", stdout);
	for (int number = 0; number < HEDDLE_SCALE_NOTES; number++) {
		if (!heddle__scale_note(report, number, text))
			continue;
		fputs(separator, stdout);
		export_json_string(stdout, text);
		separator = ",";
	}
	putchar(']');
}

int heddle__scale_json(struct heddle_scale_report *report)
{
	struct heddle_scaling *scaling = &report->scaling;
	fputs("{\"format\":\"heddle-scale\",\"version\":1,\"metric\":", stdout);
	export_json_string(stdout, profile_metric_name(scaling->metric));
	fputs(",\"by\":", stdout);
	export_json_string(stdout, report->of_scale);
	printf(",\"weak\":%s,", scaling->weak ? "true" : "false");
	print_points(scaling);
	print_phases(scaling);
	print_paths(scaling);
	printf(",\"at\":%.17g,\"laws\":[", report->at);
	for (size_t i = 0; i < report->law_count; i++) {
		fputs(i ? "," : "", stdout);
		print_law(scaling, &report->laws[i]);
	}
	fputs("],", stdout);
	print_notes(report);
	puts("}");
	return 0;
}
