/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extra-P's JSON lines: a value of a call path at a number of threads in each. Lines of several measurements, one file
 * behind the other, are an experiment. Values are exclusive, of the thread with most: what one thread executes alone is
 * constant.
 */
#include "export/formats.h"

#include "analysis/efficiency.h"
#include "analysis/path_times.h"
#include "export/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "main->solve"; an arrow in a name would separate. To be freed; NULL: no memory. */
static char *path_text(const struct profile_view *view, uint32_t node, uint32_t *path)
{
	char *text = NULL;
	size_t size = 0, depth = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (uint32_t at = node;; at = view->parents[at]) {
		path[depth++] = at;
		if (at == 0)
			break;
	}
	while (depth-- > 0) {
		char before = '\0';
		for (const char *name = profile_view_text(view, path[depth]); *name; before = *name++)
			fprintf(out, before == '-' && *name == '>' ? " %c" : "%c", *name);
		fputs(depth ? "->" : "", out);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static int write_metric(const struct export_request *request, enum heddle_metric metric, size_t threads, uint32_t *path)
{
	const struct profile_view *view = request->view;
	struct heddle_path_times times;
	bool time = strcmp(profile_metric_unit(metric), "ns") == 0;
	int error = heddle__path_times_make(&times, request->measurement, view, metric);
	for (uint32_t node = 0; !error && node < view->node_count; node++) {
		if (!times.most_own[node])
			continue;
		char *text = path_text(view, node, path);
		error = text ? 0 : -ENOMEM;
		fprintf(request->out, "{\"params\":{\"p\":%zu},\"callpath\":", threads);
		export_json_string(request->out, text ? text : "");
		fprintf(request->out,
			time ? ",\"metric\":\"%s\",\"value\":%.9f}\n" : ",\"metric\":\"%s\",\"value\":%.0f}\n",
			profile_metric_name(metric), (double)times.most_own[node] / (time ? 1e9 : 1));
		free(text);
	}
	heddle__path_times_free(&times);
	return error;
}

static int write_extrap(const struct export_request *request)
{
	struct heddle_efficiency efficiency;
	uint32_t *path = calloc(request->view->node_count + 1, sizeof(*path));
	int error = path ? 0 : -ENOMEM;
	heddle__efficiency_make(&efficiency, request->measurement);
	for (size_t m = 0; !error && m < request->metric_count; m++)
		if (profile_metric_is_of_threads(request->metrics[m]))
			error = write_metric(request, request->metrics[m], efficiency.threads, path);
	free(path);
	return error;
}

const struct export_format export_extrap = {
	.name = "extrap",
	.summary = "lines of JSON for Extra-P; those of several measurements in one file",
	.needs_threads = true,
	.several_metrics = true,
	.write = write_extrap,
};
