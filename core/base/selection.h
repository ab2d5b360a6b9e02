/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events are measured: all, or those named in the file of HEDDLE_EVENTS (in the format of GASP's --inst-only). */
#ifndef HEDDLE_CORE_SELECTION_H
#define HEDDLE_CORE_SELECTION_H

#include <stdbool.h>

/*
 * Reads the file: symbolic names separated by newlines; blank lines and text from '#' on are ignored. If it cannot be
 * read, reports that in one line and selects all events. A `path` that begins with '!' is not a file name: it contains
 * the names themselves, separated by commas. Context: init.
 */
void heddle__selection_read(const char *path);

/* True if the event of that name is selected. Context: any thread, not a signal handler. */
bool heddle__selects(const char *name);

/* Returns whether the file has the name, with or without '!'. Context: any thread, not a signal handler. */
enum heddle_selection { HEDDLE_NOT_NAMED, HEDDLE_EXCLUDED, HEDDLE_NAMED };
enum heddle_selection heddle__selection_of(const char *name);

/* True if an event with this result for its name is selected. Context: any thread, not a signal handler. */
bool heddle__is_selected(enum heddle_selection selection);

/*
 * Reports names in the file that no front end registered. Context: init, after all front ends registered their events.
 */
void heddle__selection_check(void);

#endif
