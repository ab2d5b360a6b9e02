/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of views, and what they have in common. */
#include "cli/base/cells.h"
#include "cli/browse/browse.h"
#include "cli/browse/browse_text.h"

#include <stdarg.h>
#include <string.h>

#define SHARE_WIDTH 7 /* columns, for headings such as "total %" */

const struct heddle_browse_view *const heddle__browse_views[] = {
#define X(name) &heddle__browse_view_##name,
	HEDDLE_BROWSE_VIEWS(X)
#undef X
};

const struct heddle_browse_view *heddle__browse_current(const struct heddle_browse *browse)
{
	return heddle__browse_views[browse->view];
}

size_t heddle__browse_rows(const struct heddle_browse *browse)
{
	return browse->states[browse->view].made ? heddle__browse_current(browse)->count(browse) : 0;
}

size_t heddle__browse_page(const struct heddle_browse *browse)
{
	return browse->height > HEDDLE_BROWSE_OTHER_LINES + 1 ? browse->height - HEDDLE_BROWSE_OTHER_LINES : 1;
}

const char *heddle__browse_missing(struct heddle_browse *browse)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	if (!browse->data.loaded && browse->view != HEDDLE_BROWSE_help)
		return "no profile yet: `heddle run --flush-seconds N` writes one every N seconds";
	return view->missing ? view->missing(browse) : NULL;
}

struct heddle_browse_place heddle__browse_place(const struct heddle_browse *browse)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	size_t selected = browse->states[browse->view].selected;
	if (!view->place || selected >= heddle__browse_rows(browse))
		return HEDDLE_BROWSE_NOWHERE;
	return view->place(browse, selected);
}

static bool is_same(enum heddle_browse_subject subject, const struct heddle_browse_place *one,
	const struct heddle_browse_place *other)
{
	switch (subject) {
	case HEDDLE_BROWSE_LABELS:
		return other->label != HEDDLE_NO_NODE && one->label == other->label;
	case HEDDLE_BROWSE_FILES:
		return *other->file && strcmp(one->file, other->file) == 0;
	case HEDDLE_BROWSE_THREADS:
		return other->thread && one->thread == other->thread;
	default:
		return false;
	}
}

size_t heddle__browse_default_find(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	size_t count = view->place ? view->count(browse) : 0;
	for (size_t i = 0; i < count; i++) {
		struct heddle_browse_place row = view->place(browse, i);
		if (is_same(view->subject, &row, place))
			return i;
	}
	return SIZE_MAX;
}

size_t heddle__browse_default_search(struct heddle_browse *browse, size_t from, bool forward)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	size_t count = heddle__browse_rows(browse);
	for (size_t i = 1; i <= count; i++) {
		size_t at = (forward ? from + i : from + count - i) % count;
		struct heddle_browse_row row = {0};
		view->row(browse, at, &row);
		if (heddle__browse_matches(row.text, row.length, browse->wanted))
			return at;
	}
	return SIZE_MAX;
}

size_t heddle__browse_line_length(const char *text, size_t room)
{
	size_t length = strlen(text), at = room;
	if (length <= room)
		return length;
	while (at > 0 && text[at] != ' ')
		at--;
	return at ? at : room;
}

int heddle__browse_order(const struct heddle_browse_state *state, uint64_t one, uint64_t other)
{
	if (one == other)
		return 0;
	return (one > other) == state->reverse ? 1 : -1;
}

void heddle__browse_share(struct heddle_browse_cell *cell, uint64_t value, uint64_t total)
{
	heddle__format_percent(cell->text, sizeof(cell->text), value, total);
	cell->style = heddle__share_style(value, total);
}

void heddle__browse_value(struct heddle_browse_cell *cell, uint64_t value, enum heddle_metric metric)
{
	if (value)
		heddle__format_value(cell->text, sizeof(cell->text), value, profile_metric_unit(metric));
	else
		snprintf(cell->text, sizeof(cell->text), "-");
	cell->style = value ? HEDDLE_STYLE_NORMAL : HEDDLE_STYLE_DIM;
}

struct heddle_column heddle__browse_share_column(const char *heading, unsigned rank)
{
	return (struct heddle_column){heading, SHARE_WIDTH, rank, false};
}

struct heddle_column heddle__browse_metric_column(const struct heddle_browse *browse, unsigned rank)
{
	enum heddle_metric metric = browse->data.metric;
	return (struct heddle_column){profile_metric_name(metric), heddle__value_width(metric), rank, false};
}

struct heddle_column heddle__browse_visits_column(const struct heddle_browse *browse, unsigned rank)
{
	char text[32];
	int width = (int)strlen(heddle__format_count(text, sizeof(text), browse->data.most_visits));
	bool shown = browse->data.metric != HEDDLE_METRIC_VISITS && browse->data.most_visits;
	return (struct heddle_column){"visits", !shown ? 0 : width > 10 ? width : 10, rank, false};
}

size_t heddle__browse_tab(const struct heddle_browse *browse, size_t number, char *text, size_t size)
{
	const struct heddle_browse_view *view = heddle__browse_views[number];
	bool current = number == browse->view;
	*text = '\0';
	if (view->tab && heddle__browse_current(browse)->tab)
		snprintf(text, size, current ? "[%zu %s]" : " %zu %s ", number + 1, view->name);
	else if (current)
		snprintf(text, size, "[%s]  Esc goes back", view->name);
	return strlen(text);
}

void heddle__browse_label(struct heddle_browse_row *row, const struct profile_label *label)
{
	row->text = label->text;
	row->length = strlen(label->text);
	row->style = heddle__label_style(label);
}

void heddle__browse_say(struct heddle_browse *browse, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(browse->message, sizeof(browse->message), format, list);
	va_end(list);
}
