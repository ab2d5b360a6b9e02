/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses columns for states that threads were in, as far as they fit. */
#include "cli/base/thread_columns.h"

#include "cli/base/cells.h"

#include <string.h>

#define IMBALANCE_WIDTH 8
#define LOCKS_WIDTH 20

/* Short words, so the table fits a terminal. */
const char *heddle__state_word(int state)
{
	static const char *const words[HEDDLE_STATE_COUNT] = {
		[HEDDLE_STATE_BARRIER_WAIT] = "barrier",
		[HEDDLE_STATE_LOCK_WAIT] = "lock",
		[HEDDLE_STATE_TASK_WAIT] = "task",
		[HEDDLE_STATE_OFF_CPU] = "off",
		[HEDDLE_STATE_PARTIAL] = "partial",
		[HEDDLE_STATE_FENCE_WAIT] = "fence",
		[HEDDLE_STATE_COLLECTIVE_WAIT] = "collect",
		[HEDDLE_STATE_COMMUNICATION] = "comm",
	};
	return words[state] ? words[state] : profile_state_label(state);
}

int heddle__state_width(int state)
{
	int width = (int)strlen(heddle__state_word(state));
	return width > 7 ? width : 7;
}

static size_t table_width(const struct heddle_thread_columns *columns, enum heddle_metric metric)
{
	size_t width = (size_t)columns->name_width + 1 + (size_t)heddle__value_width(metric) + IMBALANCE_WIDTH;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		width += columns->shown[s] ? 1 + (size_t)heddle__state_width(s) : 0;
	return width + (columns->wait ? 8 : 0) + (columns->other ? 8 : 0) + (columns->locks ? LOCKS_WIDTH : 0);
}

/* Returns the rarest shown state. Wait states come first, since their sum remains visible. */
static int rarest_state(const struct heddle_thread_columns *columns, const uint64_t *sums)
{
	int rarest = -1;
	for (int s = HEDDLE_STATE_COUNT - 1; s > HEDDLE_STATE_WORK; s--) {
		if (!columns->shown[s])
			continue;
		bool spare = columns->wait && profile_state_waits(s);
		bool rarest_spare = rarest >= 0 && columns->wait && profile_state_waits(rarest);
		if (rarest < 0 || (spare && !rarest_spare) || (spare == rarest_spare && sums[s] < sums[rarest]))
			rarest = s;
	}
	return rarest;
}

static void widen(struct heddle_thread_columns *columns, const struct heddle_thread_row *row)
{
	int width = (int)heddle__columns(row->name);
	columns->name_width = width > columns->name_width ? width : columns->name_width;
}

/* Shows a column only if a thread was in that state and if it fits: most states are rare. */
void heddle__thread_columns_fit(
	struct heddle_thread_columns *columns, const struct heddle_thread_table *table, size_t width)
{
	const uint64_t *sums = table->all.states;
	int waiting = 0;
	*columns = (struct heddle_thread_columns){0};
	widen(columns, &table->all);
	for (size_t i = 0; i < table->count; i++)
		widen(columns, &table->rows[i]);
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++) {
		columns->shown[s] = s == HEDDLE_STATE_WORK || sums[s];
		waiting += sums[s] && profile_state_waits(s);
	}
	columns->wait = waiting > 1;
	columns->locks = heddle__thread_table_has_locks(table);
	while (width && table_width(columns, table->metric) > width) {
		int rarest = rarest_state(columns, sums);
		if (rarest < 0 && !columns->locks && !columns->other)
			break;
		if (rarest < 0) {
			columns->no_other = !columns->locks;
			columns->other = columns->other && !columns->no_other;
			columns->locks = false;
			continue;
		}
		columns->shown[rarest] = false;
		columns->other = columns->other || !(columns->wait && profile_state_waits(rarest));
	}
}

uint64_t heddle__thread_row_other(const struct heddle_thread_columns *columns, const struct heddle_thread_row *row)
{
	uint64_t other = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		other += columns->shown[s] || (profile_state_waits(s) && columns->wait) ? 0 : row->states[s];
	return other;
}
