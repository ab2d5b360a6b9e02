/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who waited for whom, from the trace: kinds of waits; below each, places by waiting time; below each place, the
 * threads that were waited for. The trace is read when the view is first shown.
 */
#include "cli/browse/browse.h"

#include "analysis/late.h"
#include "analysis/thread_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAUSES 4 /* shown of a place */

enum { COLUMN_WAITED, COLUMN_SHARE, COLUMN_LONGEST, COLUMN_TIMES, COLUMNS };

enum level { KIND, PLACE, CAUSE };

struct line {
	enum level level;
	char text[256]; /* of causes */
	enum profile_trace_wait kind;
	uint32_t label; /* HEDDLE_NO_NODE: of a kind */
	uint64_t waited_ns, longest_ns, times;
};

struct waits {
	struct heddle_late late;
	struct line *lines;
	size_t count, capacity;
	bool read, traced; /* read: or there is no trace */
};

static struct waits *waits_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_waits].own;
}

static void release(void *own)
{
	struct waits *waits = own;
	if (waits->traced)
		heddle__late_free(&waits->late);
	free(waits->lines);
}

/* ---- lines ---- */

static int add_line(struct waits *waits, const struct line *line)
{
	if (profile_reserve(&waits->lines, &waits->capacity, waits->count + 1, sizeof(*waits->lines)) != 0)
		return -ENOMEM;
	waits->lines[waits->count++] = *line;
	return 0;
}

static int add_cause(struct waits *waits, const struct profile_view *view, const struct profile_trace *trace,
	const struct heddle_late_row *row, const struct heddle_late_cause *cause)
{
	struct line line = {.level = CAUSE,
		.kind = row->kind,
		.label = cause->label,
		.waited_ns = cause->caused_ns,
		.times = cause->last};
	char name[64];
	heddle__traced_thread_name(name, sizeof(name), trace, cause->thread);
	snprintf(line.text, sizeof(line.text), "  for %s%s%.180s", name, cause->label == row->label ? "" : " in ",
		cause->label == row->label ? "" : view->labels[cause->label].text);
	return add_line(waits, &line);
}

static int add_place(struct waits *waits, const struct profile_view *view, const struct profile_trace *trace,
	const struct heddle_late_row *row)
{
	struct line line = {.level = PLACE,
		.kind = row->kind,
		.label = row->label,
		.waited_ns = row->waited_ns,
		.longest_ns = row->longest_ns,
		.times = row->count};
	int error = add_line(waits, &line);
	for (size_t i = 0; i < row->cause_count && i < CAUSES && !error; i++)
		error = add_cause(waits, view, trace, row, &row->causes[i]);
	return error;
}

static int add_kind(struct waits *waits, const struct profile_view *view, const struct profile_trace *trace,
	enum profile_trace_wait kind)
{
	const struct heddle_late *late = &waits->late;
	struct line title = {.level = KIND, .kind = kind, .label = HEDDLE_NO_NODE, .waited_ns = late->of_kind[kind]};
	int error = add_line(waits, &title);
	for (size_t i = 0; i < late->count && !error; i++)
		if (late->rows[i].kind == kind)
			error = add_place(waits, view, trace, &late->rows[i]);
	return error;
}

static int add_lines(struct waits *waits, const struct profile_view *view, const struct profile_trace *trace)
{
	int error = 0;
	for (size_t i = 0; i < waits->late.kind_count && !error; i++)
		error = add_kind(waits, view, trace, waits->late.kinds[i]);
	return error;
}

static int make(struct heddle_browse *browse)
{
	struct waits *waits = waits_of(browse);
	const struct profile_view *view = &browse->data.session.view;
	struct profile_trace trace;
	char *bad_path = NULL;
	if (waits->read)
		return 0;
	int error = profile_trace_open(&trace, &browse->data.session.measurement, &bad_path);
	free(bad_path);
	if (error) {
		waits->read = error == -ENOENT;
		return waits->read ? 0 : error;
	}
	const struct profile_trace_part all = {0, trace.end_ns};
	error = heddle__late_make(&waits->late, view, &trace, &all);
	waits->traced = error == 0;
	if (!error)
		error = add_lines(waits, view, &trace);
	waits->read = error == 0;
	profile_trace_close(&trace);
	return error;
}

static const char *missing(struct heddle_browse *browse)
{
	if (!browse->states[HEDDLE_BROWSE_waits].made || waits_of(browse)->count)
		return NULL;
	return waits_of(browse)->traced ? "no thread waited for another at barriers, in collectives or for messages"
					: "waits need a trace: measure with `heddle run --trace`";
}

static size_t count(const struct heddle_browse *browse)
{
	return waits_of(browse)->count;
}

/* ---- drawing ---- */

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	(void)browse;
	columns[COLUMN_WAITED] = (struct heddle_column){"waited", 9, 0, false};
	columns[COLUMN_SHARE] = heddle__browse_share_column("share %", 1);
	columns[COLUMN_LONGEST] = (struct heddle_column){"longest", 9, 2, false};
	columns[COLUMN_TIMES] = (struct heddle_column){"times", 9, 1, false};
	return COLUMNS;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct line *line = &waits_of(browse)->lines[index];
	struct heddle_browse_cell *cells = row->cells;
	heddle__format_time(cells[COLUMN_WAITED].text, sizeof(cells[COLUMN_WAITED].text), line->waited_ns);
	heddle__browse_share(&cells[COLUMN_SHARE], line->waited_ns, waits_of(browse)->late.elapsed_ns);
	if (line->level == PLACE)
		heddle__format_time(cells[COLUMN_LONGEST].text, sizeof(cells[COLUMN_LONGEST].text), line->longest_ns);
	if (line->level != KIND)
		heddle__format_count(cells[COLUMN_TIMES].text, sizeof(cells[COLUMN_TIMES].text), line->times);
	if (line->level == PLACE) {
		heddle__browse_label(row, &browse->data.session.view.labels[line->label]);
		return;
	}
	row->text = line->level == KIND ? heddle__late_text(line->kind) : line->text;
	row->length = strlen(row->text);
	row->style = line->level == KIND ? HEDDLE_STYLE_BOLD : HEDDLE_STYLE_NORMAL;
}

/* The place of the row; for a cause, the place of the thread that caused the wait. */
static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.label = waits_of(browse)->lines[index].label;
	return place;
}

static void open(struct heddle_browse *browse, size_t index)
{
	if (waits_of(browse)->lines[index].label != HEDDLE_NO_NODE)
		heddle__browse_open_tree(browse, index);
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, open}, {0}};

const struct heddle_browse_view heddle__browse_view_waits = {
	.name = "waits",
	.names = "where threads waited, and for whom (from the trace)",
	.own_size = sizeof(struct waits),
	.keeps = true,
	.missing = missing,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.acts = acts,
};
