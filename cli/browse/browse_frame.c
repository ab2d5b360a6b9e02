/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines above and below the table: the measurement, the choices and the selection. */
#include "cli/browse/browse_paint.h"

#include "analysis/thread_names.h"
#include "cli/browse/browse_text.h"
#include "profile/base/base_name.h"

#include <curses.h>
#include <string.h>

#define ENOUGH 32 /* columns for the metric and the thread */

/* ---- first lines ---- */

static void describe(const struct heddle_browse *browse, char *text, size_t size)
{
	const struct heddle_summary *sum = &browse->data.summary;
	const char *dot = browse->terminal.dot;
	char elapsed[32], processes[32], threads[32];
	snprintf(text, size, "%s%s process%s%s%s thread%s%s%s%s%s", dot,
		heddle__format_count(processes, sizeof(processes), sum->processes), sum->processes == 1 ? "" : "es",
		dot, heddle__format_count(threads, sizeof(threads), sum->threads), sum->threads == 1 ? "" : "s", dot,
		heddle__format_time(elapsed, sizeof(elapsed), sum->end_ns - sum->start_ns),
		browse->data.running ? dot : "", browse->data.running ? "still running" : "");
}

static void name_program(const struct heddle_browse *browse, char *text, size_t size)
{
	const Heddle__Profile__Process *first = browse->data.summary.first;
	size_t used = (size_t)snprintf(text, size, "%s", profile_base_name(first->program));
	for (size_t i = 1; i < first->n_arguments && used + 1 < size; i++)
		used += (size_t)snprintf(text + used, size - used, " %s", first->arguments[i]);
}

/* Writes a thread's name without the alignment of a table; also without its process, if there is only one. */
static void name_thread(const struct heddle_browse_data *data, char *text, size_t size)
{
	char name[160];
	heddle__thread_name(name, sizeof(name), &data->session.measurement, data->process, data->thread);
	size_t number = strcspn(name, " "), blanks = strspn(name + number, " ");
	if (data->summary.processes > 1)
		snprintf(text, size, "%.*s %s", (int)number, name, name + number + blanks);
	else
		snprintf(text, size, "%s", name + number + blanks);
}

/* Writes the metric, its sum, and the thread. "All threads" is left out if it does not fit. */
static void name_selection(const struct heddle_browse *browse, char *text, size_t size, size_t room)
{
	const struct heddle_browse_data *data = &browse->data;
	char value[32], thread[160] = "all threads", shown[400];
	if (data->thread)
		name_thread(data, thread, sizeof(thread));
	heddle__browse_escape(shown, sizeof(shown), thread, strlen(thread), browse->terminal.utf8, false);
	size_t used = (size_t)snprintf(text, size, "%s %s", profile_metric_name(data->metric),
		heddle__format_value(value, sizeof(value), data->whole, profile_metric_unit(data->metric)));
	if (data->thread || used + heddle__columns(browse->terminal.dot) + strlen(shown) <= room)
		snprintf(text + used, size - used, "%s%s", browse->terminal.dot, shown);
}

/* Draws the program's name, cut, followed by facts. */
static size_t draw_head(const struct heddle_browse *browse)
{
	char facts[256] = "", name[1024];
	size_t width = browse->width;
	move(0, 0);
	attrset(A_BOLD);
	if (!browse->data.loaded || !browse->data.summary.first)
		return heddle__paint_cut(browse, browse->path, strlen(browse->path), width);
	describe(browse, facts, sizeof(facts));
	name_program(browse, name, sizeof(name));
	size_t behind = heddle__columns(facts), room = width > behind + 12 ? width - behind : width;
	size_t used = heddle__paint_cut(browse, name, strlen(name), room);
	attrset(A_NORMAL);
	return heddle__paint_text(facts, used, width);
}

/* The current view is in brackets, which need no colours. */
static size_t draw_tabs(const struct heddle_browse *browse)
{
	size_t used = 0;
	for (size_t i = 0; i < HEDDLE_BROWSE_COUNT; i++) {
		char tab[64];
		heddle__browse_tab(browse, i, tab, sizeof(tab));
		attrset((int)(i == browse->view ? A_BOLD : A_NORMAL));
		used = heddle__paint_text(tab, used, browse->width);
	}
	return used;
}

/* Draws the selection at the end of the first or second line, of which `head` or `tabs` columns are used. */
static void draw_selection(const struct heddle_browse *browse, size_t head, size_t tabs)
{
	char selection[512];
	int line = browse->width > head + ENOUGH || head <= tabs ? 0 : 1;
	size_t used = line ? tabs : head;
	if (!browse->data.loaded || browse->width < used + 12)
		return;
	size_t room = browse->width - used - 2;
	name_selection(browse, selection, sizeof(selection), room);
	struct heddle_cut cut = heddle__cut(selection, room, browse->terminal.utf8);
	attrset(A_NORMAL);
	move(line, (int)(browse->width - cut.columns));
	addnstr(selection, (int)cut.head);
	addstr(cut.mark);
	addstr(cut.tail);
}

void heddle__paint_head(const struct heddle_browse *browse)
{
	size_t used = draw_head(browse);
	move(1, 0);
	draw_selection(browse, used, draw_tabs(browse));
}

/* ---- last lines ---- */

/* Writes the place of a label: where it is defined, or its module. */
static void place_text(const struct profile_label *label, char *text, size_t size)
{
	*text = '\0';
	if (*label->file && label->line)
		snprintf(text, size, "%s:%u", label->file, label->line);
	else if (*label->module)
		snprintf(text, size, "%s", label->module);
}

/* Draws what does not fit beside the numbers: the whole name, and its place. */
void heddle__paint_details(const struct heddle_browse *browse)
{
	const struct profile_view *view = &browse->data.session.view;
	struct heddle_browse_place place = heddle__browse_place(browse);
	struct heddle_browse_row row = {0};
	char behind[HEDDLE_PAINT_SIZE] = "";
	if (heddle__browse_rows(browse) == 0)
		return;
	heddle__browse_current(browse)->row(browse, browse->states[browse->view].selected, &row);
	if (place.label != HEDDLE_NO_NODE)
		place_text(&view->labels[place.label], behind, sizeof(behind));
	else if (!heddle__browse_current(browse)->details)
		return;
	size_t wanted = *behind ? heddle__columns(behind) + heddle__columns(browse->terminal.dot) : 0;
	size_t least = browse->width / 2, room = browse->width > wanted + least ? browse->width - wanted : least;
	heddle__paint_style(HEDDLE_STYLE_DIM, false);
	move((int)browse->height - 2, 0);
	size_t used = heddle__paint_cut(browse, row.text, row.length, *behind ? room : browse->width);
	if (!*behind)
		return;
	used = heddle__paint_text(browse->terminal.dot, used, browse->width);
	heddle__paint_cut(browse, behind, strlen(behind), browse->width - used);
}

static size_t write_position(const struct heddle_browse *browse, char *text, size_t size)
{
	char at[32], of[32];
	size_t rows = heddle__browse_rows(browse);
	if (rows == 0)
		return 0;
	return (size_t)snprintf(text, size, " %s/%s",
		heddle__format_count(at, sizeof(at), browse->states[browse->view].selected + 1),
		heddle__format_count(of, sizeof(of), rows));
}

void heddle__paint_status(const struct heddle_browse *browse)
{
	static const char hint[] = "h help  q quit  / search  m metric  t thread  z zoom  a source";
	char position[64];
	size_t room = browse->width - write_position(browse, position, sizeof(position)) - 1;
	attrset(A_NORMAL);
	move((int)browse->height - 1, 0);
	if (browse->prompting) {
		addch('/');
		heddle__paint_cut(browse, browse->typed, strlen(browse->typed), room);
		curs_set(1);
		return;
	}
	curs_set(0);
	const char *shown = *browse->message ? browse->message : hint;
	heddle__paint_cut(browse, shown, strlen(shown), room);
	if (heddle__browse_rows(browse))
		mvaddstr((int)browse->height - 1, (int)room, position);
}

void heddle__paint_missing(const struct heddle_browse *browse, const char *missing)
{
	const char *mark = browse->terminal.utf8 ? "…" : "...";
	attrset(A_NORMAL);
	mvhline(2, 0, ' ' | A_UNDERLINE, (int)browse->width);
	move(HEDDLE_PAINT_ROWS + 1, 1);
	heddle__paint_cut(browse, missing, strlen(missing), browse->width - 2);
	if (!browse->data.loaded && browse->follow)
		mvprintw(HEDDLE_PAINT_ROWS + 2, 1, "waiting%s", mark);
}

void heddle__paint_too_small(const struct heddle_browse *browse)
{
	char text[96];
	snprintf(text, sizeof(text), "%d x %d at least", HEDDLE_BROWSE_LEAST_WIDTH, HEDDLE_BROWSE_LEAST_HEIGHT);
	mvaddnstr(0, 0, text, (int)browse->width);
}
