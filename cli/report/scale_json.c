/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle scale --format json`: what the text shows, with paths in full. docs/scaling.md describes the members. */
#include <stdlib.h>

#include "cli/report/scale_parts.h"
#include "export/json_text.h"

/* Named as the values are. */
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

/* Paths are a tree: each names its parent by its place in the list. */
static void print_paths(const struct heddle_scaling *scaling)
{
	const struct heddle_comparison *all = &scaling->comparison;
	fputs(",\"paths\":[", stdout);
	for (uint32_t i = 0; i < all->count; i++) {
		struct heddle_scaling_path path = heddle__scaling_path(scaling, i);
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
		putchar('}');
	}
	putchar(']');
}

static void print_law(const struct heddle_scaling *scaling, const struct heddle_scale_law *law)
{
	fputs("{\"name\":", stdout);
	export_json_string(stdout, scaling->comparison.paths[law->path].text);
	fputs(",\"terms\":[", stdout);
	for (size_t k = 0; k < law->model.count; k++)
		printf("%s{\"factor_ns\":%.17g,\"power\":%g,\"logs\":%u}", k ? "," : "", law->model.factors[k],
			law->model.terms[k].power, law->model.terms[k].logs);
	printf("],\"error\":%.6g,\"ns\":%.6g,\"low_ns\":%.6g,\"high_ns\":%.6g,\"share\":%.6g,"
	       "\"low_share\":%.6g,\"high_share\":%.6g}",
		law->model.error, law->then.value, law->then.low, law->then.high, law->share, law->low, law->high);
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
	print_paths(scaling);
	printf(",\"at\":%.17g,\"laws\":[", report->at);
	for (size_t i = 0; i < report->law_count; i++) {
		fputs(i ? "," : "", stdout);
		print_law(scaling, &report->laws[i]);
	}
	puts("]}");
	return 0;
}
