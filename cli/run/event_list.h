/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of --inst-only: symbolic names of events, one a line. Blank lines and comments (after '#') are skipped. */
#ifndef HEDDLE_CLI_EVENT_LIST_H
#define HEDDLE_CLI_EVENT_LIST_H

#include <stdbool.h>

struct heddle_event_list {
	bool functions; /* GASP_C_FUNC is in it */
};

/* Reads the file. Each unknown name is reported: "heddle: COMMAND: ...". Returns 0 or a negative errno. */
int heddle__event_list_read(const char *command, const char *path, struct heddle_event_list *list);

/* True if GASP 1.5, its version 1.3, a known compiler or OMPT (by its prefix) has an event of that name. */
bool heddle__event_is_known(const char *name);

#endif
