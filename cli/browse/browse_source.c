/* SPDX-License-Identifier: BSD-3-Clause */
/* A source file, with the cost of each line, and its accesses to remote memory. */
#include "cli/browse/browse_files.h"
#include "cli/browse/browse_lines.h"

#include "cli/base/cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_SELF, COLUMN_TOTAL, COLUMN_METRIC, COLUMN_REMOTE, COLUMN_TIME, COLUMN_LINE, COLUMNS };

/* The file and the scroll position are kept when rows are made again. */
struct source {
	struct heddle_browse_lines lines;
	char *file;  /* NULL: the most expensive one */
	size_t skip; /* columns scrolled to the right */
};

static struct source *source_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_source].own;
}

static void release(void *own)
{
	struct source *source = own;
	heddle__browse_lines_free(&source->lines);
	free(source->file);
}

static const char *missing(struct heddle_browse *browse)
{
	if (heddle__browse_data_sites(&browse->data) != 0)
		return "not enough memory";
	for (size_t i = 0; i < browse->data.sites.count; i++)
		if (browse->data.sites.items[i].line)
			return NULL;
	return "no source line is known: compile the program with -g";
}

/* Chooses the file with the largest cost, if none was chosen, or if the chosen one has no lines any more. */
static void choose_file(struct heddle_browse *browse, struct source *source)
{
	size_t count;
	struct heddle_browse_file *files = source->file ? NULL : heddle__browse_list_files(browse, &count);
	if (files && count > 0)
		source->file = strdup(files[0].name);
	free(files);
}

static int make(struct heddle_browse *browse)
{
	struct heddle_browse_state *state = &browse->states[HEDDLE_BROWSE_source];
	struct source *source = source_of(browse);
	bool first = !source->file;
	choose_file(browse, source);
	heddle__browse_lines_free(&source->lines);
	int error = heddle__browse_lines_make(&source->lines, &browse->data, source->file ? source->file : "");
	if (!error && first)
		state->selected = heddle__browse_lines_hottest(&source->lines);
	return error;
}

static size_t count(const struct heddle_browse *browse)
{
	return source_of(browse)->lines.count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	const struct heddle_browse_lines *lines = &source_of(browse)->lines;
	bool accesses = lines->accesses.total.count || lines->accesses.total.time_ns;
	columns[COLUMN_SELF] = heddle__browse_share_column("self %", 0);
	columns[COLUMN_TOTAL] = heddle__browse_share_column("total %", 1);
	columns[COLUMN_METRIC] = heddle__browse_metric_column(browse, 2);
	columns[COLUMN_REMOTE] =
		(struct heddle_column){lines->accesses.remote ? "remote" : "same-node", accesses ? 10 : 0, 0, false};
	columns[COLUMN_TIME] = (struct heddle_column){"accessing", accesses ? 9 : 0, 0, false};
	columns[COLUMN_LINE] = (struct heddle_column){"line", 5, 0, false};
	return COLUMNS;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct source *source = source_of(browse);
	const struct heddle_browse_lines *lines = &source->lines;
	uint32_t line = heddle__browse_lines_number(lines, index);
	const struct heddle_access_sum *accesses = &lines->accesses.lines[line];
	snprintf(row->cells[COLUMN_LINE].text, sizeof(row->cells->text), "%u", line);
	row->cells[COLUMN_LINE].style = HEDDLE_STYLE_DIM;
	if (lines->total[line]) {
		heddle__browse_share(&row->cells[COLUMN_SELF], lines->self[line], browse->data.whole);
		heddle__browse_share(&row->cells[COLUMN_TOTAL], lines->total[line], browse->data.whole);
		heddle__browse_value(&row->cells[COLUMN_METRIC], lines->self[line], browse->data.metric);
	}
	if (accesses->count)
		heddle__format_count(row->cells[COLUMN_REMOTE].text, sizeof(row->cells->text), accesses->count);
	if (accesses->time_ns)
		heddle__format_time(row->cells[COLUMN_TIME].text, sizeof(row->cells->text), accesses->time_ns);
	row->text = heddle__browse_lines_text(lines, index, &row->length);
	row->skip = source->skip;
	row->is_source = true;
	if (lines->self[line])
		row->style = heddle__share_style(lines->self[line], browse->data.whole);
}

static const char *heading(const struct heddle_browse *browse)
{
	return source_of(browse)->file ? source_of(browse)->file : "source";
}

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.file = source_of(browse)->file;
	place.line = heddle__browse_lines_number(&source_of(browse)->lines, index);
	return place;
}

static bool change_file(struct heddle_browse *browse, const char *file)
{
	struct source *source = source_of(browse);
	char *copy = strdup(file);
	if (!copy)
		return false;
	free(source->file);
	source->file = copy;
	source->skip = 0;
	if (make(browse) != 0)
		return false;
	browse->states[HEDDLE_BROWSE_source].selected = heddle__browse_lines_hottest(&source->lines);
	browse->states[HEDDLE_BROWSE_source].top = 0;
	return true;
}

static size_t find_row(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const char *file = place->file;
	uint32_t line = place->line;
	bool has_code = place->node != HEDDLE_NO_NODE || place->label != HEDDLE_NO_NODE;
	if (!*file &&
		(!has_code || !heddle__browse_data_source(&browse->data, place->node, place->label, &file, &line)))
		return SIZE_MAX;
	if ((!source_of(browse)->file || strcmp(file, source_of(browse)->file) != 0) && !change_file(browse, file))
		return SIZE_MAX;
	const struct heddle_browse_lines *lines = &source_of(browse)->lines;
	return line ? heddle__browse_lines_row(lines, line) : heddle__browse_lines_hottest(lines);
}

/* Selects the next row that has a cost of its own. */
static void go_to_cost(struct heddle_browse *browse, size_t index, bool forward)
{
	const struct heddle_browse_lines *lines = &source_of(browse)->lines;
	for (size_t i = 1; i <= lines->count; i++) {
		size_t at = (forward ? index + i : index + lines->count - i) % lines->count;
		if (!lines->self[heddle__browse_lines_number(lines, at)])
			continue;
		browse->states[HEDDLE_BROWSE_source].selected = at;
		return;
	}
	heddle__browse_say(browse, "no line of this file has a cost of its own");
}

static void next_cost(struct heddle_browse *browse, size_t index)
{
	go_to_cost(browse, index, true);
}

static void previous_cost(struct heddle_browse *browse, size_t index)
{
	go_to_cost(browse, index, false);
}

static void scroll_right(struct heddle_browse *browse, size_t index)
{
	(void)index;
	source_of(browse)->skip += 8;
}

static void scroll_left(struct heddle_browse *browse, size_t index)
{
	(void)index;
	source_of(browse)->skip -= source_of(browse)->skip ? 8 : 0;
}

static void open(struct heddle_browse *browse, size_t index)
{
	if (source_of(browse)->lines.total[place(browse, index).line])
		heddle__browse_open_tree(browse, index);
	else
		heddle__browse_say(browse, "nothing was measured at this line");
}

static const struct heddle_browse_act acts[] = {
	{HEDDLE_ACTION_OPEN, open},
	{HEDDLE_ACTION_RIGHT, scroll_right},
	{HEDDLE_ACTION_LEFT, scroll_left},
	{HEDDLE_ACTION_NEXT_COST, next_cost},
	{HEDDLE_ACTION_PREVIOUS_COST, previous_cost},
	{0},
};

const struct heddle_browse_view heddle__browse_view_source = {
	.name = "source",
	.heading = heading,
	.text_columns = 56,
	.lasting = true,
	.own_size = sizeof(struct source),
	.keeps = true,
	.tab = true,
	.zoomed = true,
	.missing = missing,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.find = find_row,
	.acts = acts,
};
