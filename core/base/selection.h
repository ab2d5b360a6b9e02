/* SPDX-License-Identifier: BSD-3-Clause */
/* Which events are measured: all, or those named in the file of HEDDLE_EVENTS (in the format of GASP's --inst-only). */
#ifndef HEDDLE_CORE_SELECTION_H
#define HEDDLE_CORE_SELECTION_H

#include <stdbool.h>

/*
 * Reads the file: symbolic names separated by newlines; blank lines and text from '#' on are ignored. If it cannot be
 * read, reports that in one line and selects all events. Context: init.
 */
void heddle__selection_read(const char *path);

/* Whether the event of that name is selected. Context: any thread, not a signal handler. */
bool heddle__selects(const char *name);

/* Whether the file contains the name. Context: any thread, not a signal handler. */
bool heddle__selection_names(const char *name);

/*
 * Reports names in the file that no front end registered. Context: init, after all front ends registered their events.
 */
void heddle__selection_check(void);

#endif
