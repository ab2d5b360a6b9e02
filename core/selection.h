/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events are measured: all, or those that the file of HEDDLE_EVENTS names (the format of GASP's --inst-only). */
#ifndef HEDDLE_CORE_SELECTION_H
#define HEDDLE_CORE_SELECTION_H

#include <stdbool.h>

/*
 * Read the file: symbolic names separated by newlines; blank lines and what follows a '#' don't count. What can't be
 * read is said in one line, and then all events are measured. Context: init.
 */
void heddle__selection_read(const char *path);

/* Whether the event of that name is to be measured. Context: any thread, not a signal handler. */
bool heddle__selects(const char *name);

/* Whether the file names it. Context: any thread, not a signal handler. */
bool heddle__selection_names(const char *name);

/* Say which names of the file no model has. Context: init, when all models have registered theirs. */
void heddle__selection_check(void);

#endif
