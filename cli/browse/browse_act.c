/* SPDX-License-Identifier: BSD-3-Clause */
/* Effects of keys and the mouse: moving, changing views, choosing. Keys of one view only are handled there. */
#include "cli/browse/browse.h"

#include <errno.h>
#include <stdlib.h>

static struct heddle_browse_state *state_of(struct heddle_browse *browse)
{
	return &browse->states[browse->view];
}

/* ---- views ---- */

static void keep(struct heddle_browse *browse, enum heddle_browse_number number)
{
	const struct heddle_browse_view *view = heddle__browse_views[number];
	struct heddle_browse_state *state = &browse->states[number];
	if (!state->made || !view->place || state->selected >= view->count(browse))
		return;
	state->has_kept = true;
	state->kept = view->place(browse, state->selected);
	state->above = state->selected - (state->top < state->selected ? state->top : state->selected);
}

void heddle__browse_changed(struct heddle_browse *browse)
{
	for (size_t i = 0; i < HEDDLE_BROWSE_COUNT; i++) {
		keep(browse, (enum heddle_browse_number)i);
		browse->states[i].made = false;
	}
}

static size_t find_row(
	struct heddle_browse *browse, const struct heddle_browse_view *view, const struct heddle_browse_place *place)
{
	return view->find ? view->find(browse, place) : heddle__browse_default_find(browse, place);
}

static void find_kept(struct heddle_browse *browse)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	struct heddle_browse_state *state = state_of(browse);
	size_t row = state->has_kept ? find_row(browse, view, &state->kept) : SIZE_MAX;
	state->has_kept = false;
	if (row == SIZE_MAX)
		return;
	state->selected = row;
	state->top = row > state->above ? row - state->above : 0;
}

void heddle__browse_forget(struct heddle_browse *browse, enum heddle_browse_number number)
{
	struct heddle_browse_state *state = &browse->states[number];
	if (state->own && heddle__browse_views[number]->release)
		heddle__browse_views[number]->release(state->own);
	free(state->own);
	state->own = NULL;
}

void heddle__browse_forget_all(struct heddle_browse *browse, bool lasting)
{
	for (size_t i = 0; i < HEDDLE_BROWSE_COUNT; i++)
		if (lasting || !heddle__browse_views[i]->lasting)
			heddle__browse_forget(browse, (enum heddle_browse_number)i);
}

/* After an error the view has no data of its own. */
static int make_rows(struct heddle_browse *browse, const struct heddle_browse_view *view)
{
	struct heddle_browse_state *state = state_of(browse);
	if (!view->keeps)
		heddle__browse_forget(browse, browse->view);
	if (!state->own && view->own_size)
		state->own = calloc(1, view->own_size);
	if (!state->own && view->own_size)
		return -ENOMEM;
	int error = view->make ? view->make(browse) : 0;
	if (error && !view->keeps)
		heddle__browse_forget(browse, browse->view);
	return error;
}

static void make(struct heddle_browse *browse)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	struct heddle_browse_state *state = state_of(browse);
	if (state->made || heddle__browse_missing(browse))
		return;
	if (!state->opened)
		state->sort = view->sorted_by;
	state->opened = true;
	int error = make_rows(browse, view);
	state->made = error == 0;
	if (error)
		heddle__browse_say(browse, "%s", heddle__file_error_text(error));
	else
		find_kept(browse);
}

void heddle__browse_prepare(struct heddle_browse *browse)
{
	struct heddle_browse_state *state = state_of(browse);
	make(browse);
	size_t count = heddle__browse_rows(browse), page = heddle__browse_page(browse);
	if (state->selected >= count)
		state->selected = count ? count - 1 : 0;
	if (state->top > state->selected)
		state->top = state->selected;
	if (state->selected - state->top >= page)
		state->top = state->selected - page + 1;
	if (state->top + page > count)
		state->top = count > page ? count - page : 0;
}

/* Makes the rows of another view, so that places can be found. */
static void select_place(struct heddle_browse *browse, const struct heddle_browse_place *place)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	make(browse);
	size_t row = state_of(browse)->made ? find_row(browse, view, place) : SIZE_MAX;
	if (row == SIZE_MAX)
		return;
	size_t page = heddle__browse_page(browse);
	struct heddle_browse_state *state = state_of(browse);
	if (row < state->top || row >= state->top + page)
		state->top = row > page / 2 ? row - page / 2 : 0;
	state->selected = row;
}

void heddle__browse_show(
	struct heddle_browse *browse, enum heddle_browse_number view, const struct heddle_browse_place *place)
{
	if (view != browse->view && heddle__browse_current(browse)->tab)
		browse->previous = browse->view;
	browse->view = view;
	select_place(browse, place);
}

static void show_view(struct heddle_browse *browse, enum heddle_browse_number view)
{
	struct heddle_browse_place place = heddle__browse_place(browse);
	heddle__browse_show(browse, view, &place);
}

void heddle__browse_open_tree(struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = heddle__browse_current(browse)->place(browse, index);
	heddle__browse_show(browse, HEDDLE_BROWSE_tree, &place);
}

void heddle__browse_open_source(struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = heddle__browse_current(browse)->place(browse, index);
	heddle__browse_show(browse, HEDDLE_BROWSE_source, &place);
}

static size_t tab_count(void)
{
	size_t count = 0;
	while (count < HEDDLE_BROWSE_COUNT && heddle__browse_views[count]->tab)
		count++;
	return count;
}

static void next_tab(struct heddle_browse *browse, size_t step)
{
	size_t tabs = tab_count();
	size_t from = heddle__browse_current(browse)->tab ? browse->view : browse->previous;
	show_view(browse, (enum heddle_browse_number)(from + step < tabs ? from + step : from + step - tabs));
}

static void compute(struct heddle_browse *browse)
{
	int error = heddle__browse_data_compute(&browse->data);
	heddle__browse_changed(browse);
	if (error)
		heddle__browse_say(browse, "%s", heddle__file_error_text(error));
	make(browse);
}

static void sort(struct heddle_browse *browse, bool reverse)
{
	struct heddle_browse_state *state = state_of(browse);
	uint32_t columns = heddle__browse_current(browse)->sortable;
	struct heddle_browse_place place = heddle__browse_place(browse);
	if (!columns) {
		heddle__browse_say(browse, "this view cannot be sorted");
		return;
	}
	if (reverse)
		state->reverse = !state->reverse;
	else
		do
			state->sort = (state->sort + 1) % HEDDLE_BROWSE_COLUMNS;
		while (!(columns >> state->sort & 1));
	state->made = false;
	select_place(browse, &place);
}

/* ---- choosing ---- */

void heddle__browse_choose_metric(struct heddle_browse *browse, enum heddle_metric metric)
{
	enum heddle_metric before = browse->data.metric;
	if (browse->data.thread && !profile_metric_is_of_threads(metric)) {
		heddle__browse_say(browse, "%s has no values of single threads: choose all threads first",
			profile_metric_name(metric));
		return;
	}
	browse->data.metric = metric;
	if (metric != before)
		compute(browse);
}

void heddle__browse_choose_thread(
	struct heddle_browse *browse, const struct profile_process *process, const struct profile_thread *thread)
{
	if (thread && browse->data.session.measurement.merged) {
		heddle__browse_say(browse, "a merged measurement has no values of single threads");
		return;
	}
	if (thread && !profile_metric_is_of_threads(browse->data.metric)) {
		heddle__browse_say(
			browse, "%s has no values of single threads", profile_metric_name(browse->data.metric));
		return;
	}
	browse->data.process = process;
	browse->data.thread = thread;
	compute(browse);
}

static void zoom(struct heddle_browse *browse)
{
	uint32_t node = heddle__browse_place(browse).node;
	if (!heddle__browse_current(browse)->zoomed || node == HEDDLE_NO_NODE || browse->view != HEDDLE_BROWSE_tree) {
		heddle__browse_say(browse, "only paths of the call tree can be zoomed: select one there");
		return;
	}
	if (node == browse->data.zoom || browse->zoom_count == HEDDLE_BROWSE_ZOOMS)
		return;
	browse->zooms[browse->zoom_count++] = browse->data.zoom;
	browse->data.zoom = node;
	compute(browse);
	heddle__browse_act(browse, HEDDLE_ACTION_EXPAND);
}

static void back(struct heddle_browse *browse)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	struct heddle_browse_place place = heddle__browse_place(browse);
	if (!view->tab || browse->zoom_count == 0) {
		enum heddle_browse_number last = browse->view;
		place = view->tab ? place : HEDDLE_BROWSE_NOWHERE;
		heddle__browse_show(browse, browse->previous, &place);
		browse->previous = view->tab ? last : browse->view;
		return;
	}
	browse->data.zoom = browse->zooms[--browse->zoom_count];
	compute(browse);
}

static void show_source(struct heddle_browse *browse)
{
	struct heddle_browse_place place = heddle__browse_place(browse);
	if (place.line == 0 && (place.node != HEDDLE_NO_NODE || place.label != HEDDLE_NO_NODE))
		heddle__browse_data_source(&browse->data, place.node, place.label, &place.file, &place.line);
	if (place.line == 0)
		heddle__browse_say(browse, "no source line is known for this: compile with -g");
	else
		heddle__browse_show(browse, HEDDLE_BROWSE_source, &place);
}

/* ---- keys ---- */

static void move(struct heddle_browse *browse, enum heddle_browse_action action)
{
	struct heddle_browse_state *state = state_of(browse);
	size_t count = heddle__browse_rows(browse), page = heddle__browse_page(browse), last = count ? count - 1 : 0;
	size_t left = last - (state->selected < last ? state->selected : last);
	switch (action) {
	case HEDDLE_ACTION_UP:
		state->selected -= state->selected > 0;
		break;
	case HEDDLE_ACTION_DOWN:
		state->selected += left > 0;
		break;
	case HEDDLE_ACTION_PAGE_UP:
		state->selected -= state->selected < page ? state->selected : page;
		state->top -= state->top < page ? state->top : page;
		break;
	case HEDDLE_ACTION_PAGE_DOWN:
		state->selected += left < page ? left : page;
		state->top += page;
		break;
	case HEDDLE_ACTION_FIRST:
		state->selected = 0;
		break;
	default:
		state->selected = last;
		break;
	}
}

void heddle__browse_show_callers(struct heddle_browse *browse, uint32_t label)
{
	browse->callers_of = label;
	browse->states[HEDDLE_BROWSE_callers].made = false;
	browse->states[HEDDLE_BROWSE_callers].selected = 0;
	show_view(browse, HEDDLE_BROWSE_callers);
}

/* Shows the callers of the selected row's function; in a view without functions, those shown before. */
static void show_callers(struct heddle_browse *browse)
{
	struct heddle_browse_place place = heddle__browse_place(browse);
	if (place.label == HEDDLE_NO_NODE && place.node != HEDDLE_NO_NODE)
		place.label = browse->data.session.view.label_of[place.node];
	if (place.label == HEDDLE_NO_NODE)
		show_view(browse, HEDDLE_BROWSE_callers);
	else
		heddle__browse_show_callers(browse, place.label);
}

/* Handles keys with the same effect in all views. */
static void act_everywhere(struct heddle_browse *browse, enum heddle_browse_action action)
{
	switch (action) {
	case HEDDLE_ACTION_NEXT_VIEW:
		next_tab(browse, 1);
		break;
	case HEDDLE_ACTION_PREVIOUS_VIEW:
		next_tab(browse, tab_count() - 1);
		break;
	case HEDDLE_ACTION_ZOOM:
		zoom(browse);
		break;
	case HEDDLE_ACTION_SEARCH:
		browse->prompting = true;
		*browse->typed = '\0';
		break;
	case HEDDLE_ACTION_SEARCH_NEXT:
	case HEDDLE_ACTION_SEARCH_PREVIOUS:
		heddle__browse_search(browse, action == HEDDLE_ACTION_SEARCH_NEXT);
		break;
	case HEDDLE_ACTION_SORT:
	case HEDDLE_ACTION_REVERSE:
		sort(browse, action == HEDDLE_ACTION_REVERSE);
		break;
	case HEDDLE_ACTION_SOURCE:
		show_source(browse);
		break;
	case HEDDLE_ACTION_CALLERS:
		show_callers(browse);
		break;
	case HEDDLE_ACTION_REREAD:
		if (!heddle__browse_reread(browse))
			heddle__browse_say(
				browse, "%s cannot be read now: still showing its previous state", browse->path);
		break;
	default:
		break;
	}
}

static enum heddle_browse_number view_of(enum heddle_browse_action action)
{
	switch (action) {
	case HEDDLE_ACTION_FINDINGS:
		return HEDDLE_BROWSE_findings;
	case HEDDLE_ACTION_EFFICIENCY:
		return HEDDLE_BROWSE_efficiency;
	case HEDDLE_ACTION_MESSAGES:
		return HEDDLE_BROWSE_messages;
	case HEDDLE_ACTION_WAITS:
		return HEDDLE_BROWSE_waits;
	case HEDDLE_ACTION_METRIC:
		return HEDDLE_BROWSE_metrics;
	case HEDDLE_ACTION_FILES:
		return HEDDLE_BROWSE_files;
	case HEDDLE_ACTION_THREAD:
		return HEDDLE_BROWSE_threads;
	case HEDDLE_ACTION_HELP:
		return HEDDLE_BROWSE_help;
	default:
		break;
	}
	size_t tab = (size_t)action - HEDDLE_ACTION_VIEW_1;
	bool is_tab = action >= HEDDLE_ACTION_VIEW_1 && tab < tab_count();
	return is_tab ? (enum heddle_browse_number)tab : HEDDLE_BROWSE_COUNT;
}

/* Returns the view's own act for its selected row; NULL: none. */
static const struct heddle_browse_act *find_act(const struct heddle_browse *browse, enum heddle_browse_action action)
{
	const struct heddle_browse_act *act = heddle__browse_current(browse)->acts;
	if (!act || heddle__browse_rows(browse) == 0)
		return NULL;
	while (act->action != HEDDLE_ACTION_NONE && act->action != action)
		act++;
	return act->action == HEDDLE_ACTION_NONE ? NULL : act;
}

void heddle__browse_act(struct heddle_browse *browse, enum heddle_browse_action action)
{
	const struct heddle_browse_view *view = heddle__browse_current(browse);
	enum heddle_browse_number shown = view_of(action);
	const struct heddle_browse_act *own = find_act(browse, action);
	if (action == HEDDLE_ACTION_QUIT || (action == HEDDLE_ACTION_LEAVE && view->tab))
		browse->quit = true;
	else if (action == HEDDLE_ACTION_BACK || action == HEDDLE_ACTION_LEAVE)
		back(browse);
	else if (shown != HEDDLE_BROWSE_COUNT)
		show_view(browse, shown);
	else if (own)
		own->act(browse, state_of(browse)->selected);
	else if (action >= HEDDLE_ACTION_UP && action <= HEDDLE_ACTION_LAST)
		move(browse, action);
	else
		act_everywhere(browse, action);
}

void heddle__browse_press(struct heddle_browse *browse, int key)
{
	enum heddle_browse_action action = heddle__browse_action_of(key);
	*browse->message = '\0';
	if (browse->prompting)
		heddle__browse_type(browse, key);
	else if (action != HEDDLE_ACTION_NONE)
		heddle__browse_act(browse, action);
	else
		heddle__browse_say(browse, "unknown key: press h for help");
}

/* ---- mouse and screen ---- */

static void click_tab(struct heddle_browse *browse, size_t column)
{
	char text[64];
	size_t used = 0;
	for (size_t i = 0; i < HEDDLE_BROWSE_COUNT; i++) {
		used += heddle__browse_tab(browse, i, text, sizeof(text));
		if (column >= used)
			continue;
		if (heddle__browse_current(browse)->tab)
			show_view(browse, (enum heddle_browse_number)i);
		else
			back(browse);
		return;
	}
}

void heddle__browse_click(struct heddle_browse *browse, size_t line, size_t column, bool twice)
{
	struct heddle_browse_state *state = state_of(browse);
	const size_t tabs = 1, first = 3;
	if (line == tabs)
		click_tab(browse, column);
	if (line < first || line >= first + heddle__browse_page(browse))
		return;
	size_t row = state->top + line - first;
	*browse->message = '\0';
	if (row >= heddle__browse_rows(browse))
		return;
	bool same = state->selected == row;
	state->selected = row;
	if (twice && same)
		heddle__browse_act(browse, HEDDLE_ACTION_OPEN);
}

void heddle__browse_wheel(struct heddle_browse *browse, bool down)
{
	for (int i = 0; i < 3; i++)
		move(browse, down ? HEDDLE_ACTION_DOWN : HEDDLE_ACTION_UP);
}

void heddle__browse_resize(struct heddle_browse *browse, size_t width, size_t height)
{
	if (browse->width != width)
		browse->states[HEDDLE_BROWSE_findings].made = false;
	browse->width = width;
	browse->height = height;
	browse->terminal.width = width;
}

/* ---- the whole state ---- */

void heddle__browse_start(struct heddle_browse *browse)
{
	const struct profile_measurement *measurement = &browse->data.session.measurement;
	browse->view = browse->previous = HEDDLE_BROWSE_tree;
	browse->callers_of = HEDDLE_NO_NODE;
	if (!browse->width)
		heddle__browse_resize(browse, 80, 24);
	if (measurement->broken_count)
		heddle__browse_say(browse, "left out %zu of %zu files: `heddle info` lists them",
			measurement->broken_count, measurement->file_count);
	heddle__browse_prepare(browse);
}

void heddle__browse_end(struct heddle_browse *browse)
{
	heddle__browse_forget_all(browse, true);
	heddle__browse_data_close(&browse->data);
}
