/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of sites by line. */
#include "cli/browse/browse_lines.h"

#include "profile/view/source_text.h"
#include "profile/view/view_walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

static int cut_text(struct heddle_browse_lines *lines)
{
	size_t count = 0;
	for (const char *at = lines->text; *at; at++)
		count += *at == '\n' || !at[1];
	lines->starts = calloc(count + 1, sizeof(*lines->starts));
	if (!lines->starts)
		return -ENOMEM;
	lines->count = count;
	lines->last = (uint32_t)count;
	count = 0;
	for (const char *at = lines->text; *at; at++)
		if (*at == '\n' || !at[1])
			lines->starts[++count] = (size_t)(at - lines->text) + 1;
	return 0;
}

const char *heddle__browse_lines_text(const struct heddle_browse_lines *lines, size_t row, size_t *length)
{
	*length = 0;
	if (!lines->text)
		return "";
	*length = lines->starts[row + 1] - lines->starts[row];
	const char *text = lines->text + lines->starts[row];
	if (*length && text[*length - 1] == '\n')
		--*length;
	return text;
}

/* ---- costs ---- */

static void find_last(struct heddle_browse_lines *lines, const struct profile_sites *sites, const char *file)
{
	for (size_t i = 0; !lines->text && i < sites->count; i++)
		if (sites->items[i].line > lines->last && strcmp(sites->items[i].file, file) == 0)
			lines->last = sites->items[i].line;
}

static void add_sites(struct heddle_browse_lines *lines, const struct heddle_browse_data *data, const uint32_t *line_of,
	const bool *outermost)
{
	for (size_t i = 0; i < data->sites.count; i++) {
		lines->self[line_of[i]] += data->site_self[i];
		lines->total[line_of[i]] += outermost[i] ? data->site_total[i] : 0;
	}
	lines->self[0] = lines->total[0] = 0;
}

/* Represents sites as a view with lines as labels, so that a line below itself counts once. */
static int sum_lines(struct heddle_browse_lines *lines, const struct heddle_browse_data *data, const char *file)
{
	const struct profile_sites *sites = &data->sites;
	struct profile_view tree = {.parents = calloc(sites->count + 1, sizeof(*tree.parents)),
		.label_of = calloc(sites->count + 1, sizeof(*tree.label_of)),
		.node_count = sites->count,
		.label_count = (size_t)lines->last + 1};
	for (size_t i = 0; tree.parents && tree.label_of && i < sites->count; i++) {
		const struct profile_site *site = &sites->items[i];
		bool here = site->line && site->line <= lines->last && strcmp(site->file, file) == 0;
		tree.parents[i] = site->parent;
		tree.label_of[i] = here ? site->line : 0;
	}
	bool *outermost = tree.parents && tree.label_of ? profile_view_outermost(&tree) : NULL;
	if (outermost)
		add_sites(lines, data, tree.label_of, outermost);
	free(tree.parents);
	free(tree.label_of);
	int error = outermost ? 0 : -ENOMEM;
	free(outermost);
	return error;
}

static int add_accesses(struct heddle_browse_lines *lines, struct heddle_browse_data *data, const char *file)
{
	int error = data->has_accesses ? 0 : profile_accesses_make(&data->accesses, &data->session.measurement);
	if (error)
		return error;
	data->has_accesses = true;
	return heddle__line_accesses_make(&lines->accesses, &data->accesses, file, lines->last);
}

static int list_costs(struct heddle_browse_lines *lines)
{
	lines->listed = calloc((size_t)lines->last + 1, sizeof(*lines->listed));
	if (!lines->listed)
		return -ENOMEM;
	for (uint32_t line = 1; line <= lines->last; line++)
		if (lines->total[line] || lines->accesses.lines[line].time_ns)
			lines->listed[lines->count++] = line;
	return 0;
}

int heddle__browse_lines_make(struct heddle_browse_lines *lines, struct heddle_browse_data *data, const char *file)
{
	*lines = (struct heddle_browse_lines){
		.text = profile_source_read(&data->session.measurement, file, HEDDLE_SOURCE_SEEN)};
	int error = heddle__browse_data_sites(data);
	if (!error && lines->text)
		error = cut_text(lines);
	if (!error) {
		find_last(lines, &data->sites, file);
		lines->self = calloc((size_t)lines->last + 1, sizeof(*lines->self));
		lines->total = calloc((size_t)lines->last + 1, sizeof(*lines->total));
		error = lines->self && lines->total ? sum_lines(lines, data, file) : -ENOMEM;
	}
	if (!error)
		error = add_accesses(lines, data, file);
	if (!error && !lines->text)
		error = list_costs(lines);
	if (error)
		heddle__browse_lines_free(lines);
	return error;
}

void heddle__browse_lines_free(struct heddle_browse_lines *lines)
{
	free(lines->text);
	free(lines->starts);
	free(lines->listed);
	free(lines->self);
	free(lines->total);
	heddle__line_accesses_free(&lines->accesses);
	*lines = (struct heddle_browse_lines){0};
}

/* ---- rows ---- */

uint32_t heddle__browse_lines_number(const struct heddle_browse_lines *lines, size_t row)
{
	return lines->text ? (uint32_t)row + 1 : lines->listed[row];
}

size_t heddle__browse_lines_row(const struct heddle_browse_lines *lines, uint32_t line)
{
	for (size_t row = 0; row < lines->count; row++)
		if (heddle__browse_lines_number(lines, row) >= line)
			return row;
	return lines->count ? lines->count - 1 : SIZE_MAX;
}

size_t heddle__browse_lines_hottest(const struct heddle_browse_lines *lines)
{
	uint32_t best = 1;
	for (uint32_t line = 1; line <= lines->last; line++)
		if (lines->self[line] > lines->self[best])
			best = line;
	return lines->count ? heddle__browse_lines_row(lines, best) : 0;
}
