/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Folded stacks: `main;solve;kernel 123`, one path per line, with nonzero exclusive values. The program itself is not
 * part of a path; its own exclusive value is written as `[program]`.
 */
#include "export/formats.h"
#include "export/utf8_text.h"

#include "profile/view/view_walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void write_name(FILE *out, const char *name)
{
	char *copy = export_utf8_copy(name);
	for (char *at = copy; at && *at; at++)
		if (*at == ';')
			*at = ':';
	fputs(copy ? copy : "", out);
	free(copy);
}

/* `path` must have room for the deepest path. */
static void write_path(const struct export_request *request, uint32_t node, uint32_t *path)
{
	const struct profile_view *view = request->view;
	size_t depth = 0;
	for (uint32_t at = node; at != 0; at = view->parents[at])
		path[depth++] = at;
	if (depth == 0)
		fputs("[program]", request->out);
	while (depth-- > 0) {
		write_name(request->out, view->labels[view->label_of[path[depth]]].text);
		if (depth > 0)
			fputc(';', request->out);
	}
	fprintf(request->out, " %" PRIu64 "\n", view->values[request->metric][node]);
}

static int write_folded(const struct export_request *request)
{
	const struct profile_view *view = request->view;
	struct profile_view_children children;
	int error = profile_view_children_make(&children, view, NULL);
	if (error)
		return error;
	uint32_t *order = profile_view_depth_first(view, &children);
	uint32_t *path = malloc(view->node_count * sizeof(*path));
	error = order && path ? 0 : -ENOMEM;
	for (size_t i = 0; !error && i < view->node_count; i++)
		if (view->values[request->metric][order[i]])
			write_path(request, order[i], path);
	free(order);
	free(path);
	profile_view_children_free(&children);
	return error;
}

const struct export_format export_folded = {
	.name = "folded",
	.summary = "one path a line, for flamegraph.pl, inferno, speedscope",
	.next = "flamegraph.pl reads it",
	.write = write_folded,
};
