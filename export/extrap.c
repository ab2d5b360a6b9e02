/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each line has the value of a call path in a run. Extra-P's reader rejects an experiment in which a path lacks a
 * scale, so a path that does not exist has the value 0. Values are exclusive, of the thread with the largest.
 */
#include "export/extrap.h"

#include "export/json_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Returns "main->solve", without arrows in names, which would separate; to be freed. NULL: no memory. `path` is a
 * buffer for the deepest path.
 */
static char *path_text(const struct heddle_comparison *all, uint32_t node, uint32_t *path)
{
	char *text = NULL;
	size_t size = 0, depth = 0;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (uint32_t at = node; at != 0; at = all->paths[at].parent)
		path[depth++] = at;
	path[depth++] = 0;
	while (depth-- > 0) {
		char before = '\0';
		for (const char *name = all->paths[path[depth]].text; *name; before = *name++)
			fprintf(out, before == '-' && *name == '>' ? " %c" : "%c", *name);
		fputs(depth ? "->" : "", out);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static bool has_values(const struct heddle_comparison *all, uint32_t path)
{
	bool some = false;
	for (size_t r = 0; r < all->run_count; r++)
		some |= heddle__run_own(&all->runs[r], path) != 0;
	return some;
}

static void write_path(
	FILE *out, const struct heddle_scaling *scaling, uint32_t path, const char *parameter, const char *text)
{
	bool time = strcmp(profile_metric_unit(scaling->metric), "ns") == 0;
	for (size_t r = 0; r < scaling->run_count; r++) {
		double value = (double)heddle__run_own(&scaling->comparison.runs[r], path);
		fputs("{\"params\":{", out);
		export_json_string(out, parameter);
		fprintf(out, ":%.15g},\"callpath\":", scaling->runs[r].scale);
		export_json_string(out, text);
		fprintf(out, ",\"metric\":\"%s\",\"value\":%.*f}\n", profile_metric_name(scaling->metric), time ? 9 : 0,
			time ? value / 1e9 : value);
	}
}

int export_extrap(FILE *out, const struct heddle_scaling *scaling, const char *parameter)
{
	const struct heddle_comparison *all = &scaling->comparison;
	uint32_t *path = calloc(all->count + 1, sizeof(*path));
	int error = path ? 0 : -ENOMEM;
	for (uint32_t i = 0; !error && i < all->count; i++) {
		if (!has_values(all, i))
			continue;
		char *text = path_text(all, i, path);
		error = text ? 0 : -ENOMEM;
		if (text)
			write_path(out, scaling, i, parameter, text);
		free(text);
	}
	free(path);
	return error;
}
