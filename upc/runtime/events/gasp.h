/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface to a GASP 1.5 tool, if there is one. A program need not be linked with the tool: its functions are
 * looked up once, at program start. Without a tool an event costs a load and a branch.
 */
#ifndef HEDDLE_UPC_RUNTIME_GASP_H
#define HEDDLE_UPC_RUNTIME_GASP_H

#include <stdbool.h>

#include <heddle/gasp_upc.h>

/* Searches for a tool and calls its gasp_init for this UPC thread. Context: init. */
void hupc__gasp_start(int *argc, char ***argv);

/* Returns true if events of the calling thread are reported. Context: any thread. */
bool hupc__gasp_here(void);

typedef void hupc__gasp_notify_function(gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, ...);
extern hupc__gasp_notify_function *hupc__gasp_notify;
extern _Thread_local gasp_context_t hupc__gasp_context;

/* Reports an event of a call from `site`; the other arguments are those of the event. */
#define hupc__event(site, tag, type, ...)                                                                     \
	do {                                                                                                  \
		if ((site)->events)                                                                           \
			hupc__gasp_notify(                                                                    \
				hupc__gasp_context, tag, type, (site)->file, (site)->line, 0, ##__VA_ARGS__); \
	} while (0)

#endif
