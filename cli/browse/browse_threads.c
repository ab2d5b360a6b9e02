/* SPDX-License-Identifier: BSD-3-Clause */
/* What each thread spent its time on. The thread whose values all views show is chosen here. */
#include "cli/browse/browse.h"

#include "cli/base/cells.h"
#include "cli/base/thread_columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_METRIC, COLUMN_WAIT, COLUMN_STATES, COLUMN_OTHER = COLUMN_STATES + HEDDLE_STATE_COUNT, COLUMN_IMBALANCE };
_Static_assert(COLUMN_IMBALANCE < HEDDLE_BROWSE_COLUMNS - 1, "there are columns for all states, and one more");

/* Sort orders: as in the table, or single threads by a value. */
enum { SORT_TABLE = HEDDLE_BROWSE_COLUMNS - 1, SORT_METRIC = COLUMN_METRIC, SORT_WAIT = COLUMN_WAIT };

struct threads {
	struct heddle_thread_table table;
	struct heddle_thread_columns fitting;
	const struct heddle_thread_row **order; /* the first one: all threads */
	size_t count;
};

static struct threads *threads_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_threads].own;
}

static const char *missing(struct heddle_browse *browse)
{
	return profile_metric_is_of_threads(browse->data.metric)
		       ? NULL
		       : "this metric has no values of single threads: press m to choose another";
}

static void release(void *own)
{
	struct threads *threads = own;
	heddle__thread_table_free(&threads->table);
	free(threads->order);
}

static int by_value(const void *a, const void *b, void *context)
{
	const struct heddle_browse_state *state = context;
	const struct heddle_thread_row *x = *(const struct heddle_thread_row *const *)a;
	const struct heddle_thread_row *y = *(const struct heddle_thread_row *const *)b;
	uint64_t (*value)(const struct heddle_thread_row *row) =
		state->sort == SORT_WAIT ? heddle__thread_row_waiting : heddle__thread_row_total;
	int order = heddle__browse_order(state, value(x), value(y));
	return order ? order : (x > y) - (x < y);
}

static void reverse(const struct heddle_thread_row **rows, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		const struct heddle_thread_row *row = rows[i];
		rows[i] = rows[count - 1 - i];
		rows[count - 1 - i] = row;
	}
}

static void sort(struct threads *threads, struct heddle_browse_state *state)
{
	const struct heddle_thread_table *table = &threads->table;
	bool by_table = state->sort == SORT_TABLE;
	threads->order[threads->count++] = &table->all;
	for (size_t i = 0; i < table->count; i++)
		if (by_table || table->rows[i].thread)
			threads->order[threads->count++] = &table->rows[i];
	if (!by_table)
		qsort_r(threads->order + 1, threads->count - 1, sizeof(*threads->order), by_value, state);
	else if (state->reverse)
		reverse(threads->order + 1, threads->count - 1);
}

static int make(struct heddle_browse *browse)
{
	struct threads *threads = threads_of(browse);
	int error = heddle__thread_table_make(&threads->table, &browse->data.session.measurement, browse->data.metric);
	if (error)
		return error;
	threads->order = calloc(threads->table.count + 1, sizeof(struct heddle_thread_row *));
	if (!threads->order)
		return -ENOMEM;
	sort(threads, &browse->states[HEDDLE_BROWSE_threads]);
	return 0;
}

static size_t count(const struct heddle_browse *browse)
{
	return threads_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	const struct heddle_thread_table *table = &threads_of(browse)->table;
	struct heddle_thread_columns *fitting = &threads_of(browse)->fitting;
	heddle__thread_columns_fit(fitting, table, browse->width - 2);
	columns[COLUMN_METRIC] = (struct heddle_column){
		profile_metric_name(table->metric), heddle__value_width(table->metric), 0, false};
	columns[COLUMN_WAIT] = (struct heddle_column){"wait", fitting->wait ? 7 : 0, 0, false};
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		columns[COLUMN_STATES + s] = (struct heddle_column){
			heddle__state_word(s), fitting->shown[s] ? heddle__state_width(s) : 0, 0, false};
	columns[COLUMN_OTHER] = (struct heddle_column){"other", fitting->other ? 7 : 0, 0, false};
	columns[COLUMN_IMBALANCE] = heddle__browse_share_column("imb. %", 2);
	return COLUMN_IMBALANCE + 1;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct threads *threads = threads_of(browse);
	const struct heddle_thread_row *from = threads->order[index];
	uint64_t total = heddle__thread_row_total(from);
	heddle__browse_value(&row->cells[COLUMN_METRIC], total, threads->table.metric);
	heddle__browse_share(&row->cells[COLUMN_WAIT], heddle__thread_row_waiting(from), total);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		heddle__browse_share(&row->cells[COLUMN_STATES + s], from->states[s], total);
	heddle__browse_share(&row->cells[COLUMN_OTHER], heddle__thread_row_other(&threads->fitting, from), total);
	if (from->sum && from->workers > 1 && from->work)
		snprintf(row->cells[COLUMN_IMBALANCE].text, sizeof(row->cells->text), "%.1f",
			heddle__thread_row_imbalance(from));
	row->text = from->name;
	row->length = strlen(from->name);
	row->style = from->sum ? HEDDLE_STYLE_BOLD : HEDDLE_STYLE_NORMAL;
	if (from->thread ? from->thread == browse->data.thread : from == &threads->table.all && !browse->data.thread)
		row->tail = "chosen";
}

static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.thread = threads_of(browse)->order[index]->thread;
	return place;
}

static void choose(struct heddle_browse *browse, size_t index)
{
	const struct heddle_thread_row *row = threads_of(browse)->order[index];
	struct heddle_browse_place nowhere = HEDDLE_BROWSE_NOWHERE;
	const struct profile_thread *thread = row->thread;
	if (!thread && row->process) {
		heddle__browse_say(browse, "this row stands for several threads: choose one of them");
		return;
	}
	heddle__browse_choose_thread(browse, row->process, thread);
	if (browse->data.thread == thread)
		heddle__browse_show(browse, browse->previous, &nowhere);
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, choose}, {0}};

const struct heddle_browse_view heddle__browse_view_threads = {
	.name = "threads",
	.names = "thread (Enter chooses)",
	.tab = true,
	.details = true,
	.text_columns = 28,
	.sortable = 1u << SORT_TABLE | 1u << SORT_METRIC | 1u << SORT_WAIT,
	.sorted_by = SORT_TABLE,
	.own_size = sizeof(struct threads),
	.subject = HEDDLE_BROWSE_THREADS,
	.missing = missing,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.acts = acts,
};
