/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns of the table of threads fit a line. */
#ifndef HEDDLE_CLI_THREAD_COLUMNS_H
#define HEDDLE_CLI_THREAD_COLUMNS_H

#include "analysis/thread_table.h"

struct heddle_thread_columns {
	int name_width;
	bool shown[HEDDLE_STATE_COUNT];
	bool wait;     /* several wait states: one column for their sum */
	bool other;    /* one column for states that do not fit */
	bool no_other; /* that column does not fit either */
	bool locks;    /* lock wait as a share of elapsed time, since its CPU time is short */
};

/* Chooses the columns for a line of that width; 0: all. */
void heddle__thread_columns_fit(
	struct heddle_thread_columns *columns, const struct heddle_thread_table *table, size_t width);

/* Short words for states, so the table fits a terminal, and the widths of their columns. */
const char *heddle__state_word(int state);
int heddle__state_width(int state);

/* The value of the column `other`. */
uint64_t heddle__thread_row_other(const struct heddle_thread_columns *columns, const struct heddle_thread_row *row);

#endif
