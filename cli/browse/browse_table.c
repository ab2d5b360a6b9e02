/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws the table of the current view: only rows that are on the screen are computed. */
#include "cli/browse/browse_paint.h"

#include <curses.h>
#include <string.h>

static size_t draw_heading(const struct heddle_browse *browse, const struct heddle_column *columns, size_t count)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	const struct heddle_browse_state *state = &browse->states[browse->view];
	const struct profile_view *tree = &browse->data.session.view;
	size_t used = 0;
	attrset(A_UNDERLINE);
	mvhline(2, 0, ' ' | A_UNDERLINE, (int)browse->width);
	move(2, 0);
	for (size_t i = 0; i < count; i++) {
		char text[48];
		bool sorted = view->sortable && i == state->sort;
		if (!heddle__column_shown(&columns[i]))
			continue;
		snprintf(text, sizeof(text), "%s%s", sorted ? "*" : "", columns[i].heading);
		printw("%*s", columns[i].width + 1, text);
		used += (size_t)columns[i].width + 1;
	}
	const char *heading = view->heading ? view->heading(browse) : view->names;
	used = heddle__paint_text(count ? "  " : "", used, browse->width);
	used += heddle__paint_cut(browse, heading, strlen(heading), browse->width - used);
	if (view->zoomed && browse->data.zoom && browse->width > used + 12) {
		const char *name = tree->labels[tree->label_of[browse->data.zoom]].text;
		addstr(", zoomed into ");
		used += strlen(", zoomed into ");
		if (browse->width > used)
			heddle__paint_cut(browse, name, strlen(name), browse->width - used);
	}
	attrset(A_NORMAL);
	return used;
}

/* Draws two columns for each level; those of the last level are a branch and the mark. */
static size_t draw_guides(const struct heddle_browse *browse, const struct heddle_browse_row *row)
{
	bool utf8 = browse->terminal.utf8;
	static const char *const wide[] = {"  ", "│ ", "├", "└"};
	static const char *const ascii[] = {"  ", "| ", "|", "`"};
	size_t used = 0;
	if (!row->mark)
		return 0;
	if (row->levels_left_out) {
		char text[16];
		snprintf(text, sizeof(text), "%u:", row->levels_left_out);
		addstr(text);
		used = strlen(text);
	}
	for (size_t i = 0; i < row->guide_count; i++)
		addstr((utf8 ? wide : ascii)[row->guides[i]]);
	used += 2 * row->guide_count;
	if (row->mark == ' ' && utf8 && row->guide_count)
		addstr("─");
	else
		addch((chtype)row->mark);
	addch(' ');
	return used + (row->guide_count ? 1 : 2);
}

static void draw_row(const struct heddle_browse *browse, size_t index, const struct heddle_column *columns,
	size_t count, size_t line)
{
	struct heddle_browse_row row = {0};
	bool selected = index == browse->states[browse->view].selected;
	size_t used = 0;
	heddle__browse_current(browse)->row(browse, index, &row);
	heddle__paint_style(HEDDLE_STYLE_NORMAL, selected);
	mvhline((int)line, 0, ' ', (int)browse->width);
	move((int)line, 0);
	for (size_t i = 0; i < count; i++) {
		if (!heddle__column_shown(&columns[i]))
			continue;
		heddle__paint_style(row.cells[i].style, selected);
		printw(" %*s", columns[i].width, row.cells[i].text);
		used += (size_t)columns[i].width + 1;
	}
	heddle__paint_style(HEDDLE_STYLE_NORMAL, selected);
	used = heddle__paint_text(count ? "  " : "", used, browse->width);
	used += draw_guides(browse, &row);
	size_t room = browse->width > used ? browse->width - used : 0;
	heddle__paint_style(row.style, selected);
	used += row.is_source ? heddle__paint_source(browse, &row, room)
			      : heddle__paint_cut(browse, row.text, row.length, room);
	if (!row.tail || browse->width < used + strlen(row.tail) + 4)
		return;
	heddle__paint_style(HEDDLE_STYLE_DIM, selected);
	addstr("  (");
	heddle__paint_cut(browse, row.tail, strlen(row.tail), browse->width - used - 4);
	addch(')');
}

/* Half of the line is reserved for names before columns are left out. */
void heddle__paint_table(struct heddle_browse *browse)
{
	struct heddle_column columns[HEDDLE_BROWSE_COLUMNS] = {0};
	const struct heddle_browse_state *state = &browse->states[browse->view];
	size_t rows = heddle__browse_rows(browse), page = heddle__browse_page(browse);
	size_t count = heddle__browse_current(browse)->columns(browse, columns);
	size_t wanted = heddle__browse_current(browse)->text_columns;
	struct heddle_terminal fit = browse->terminal;
	fit.width = browse->width - 1;
	heddle__columns_fit(&fit, columns, count, wanted ? wanted : heddle__names_least(&browse->terminal, SIZE_MAX));
	draw_heading(browse, columns, count);
	for (size_t i = 0; i < page && state->top + i < rows; i++)
		draw_row(browse, state->top + i, columns, count, HEDDLE_PAINT_ROWS + i);
}
