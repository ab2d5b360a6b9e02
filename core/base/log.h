/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from inside a measured program: single lines on stderr, few, and never to a file of the program. */
#ifndef HEDDLE_CORE_LOG_H
#define HEDDLE_CORE_LOG_H

#include <stdatomic.h>
#include <stdbool.h>

/* Records which file stderr is; if the program replaces it, no further messages are written. Context: init. */
void heddle__log_init(void);

/*
 * Writes one line "heddle: ..." of any length. A line is written only once, and at most 16 lines per process. Context:
 * any thread, not a signal handler.
 */
void heddle__warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like heddle__warn(), for a text of up to 240 bytes, which is not a format. Context: any thread, signal. */
void heddle__warn_in_handler(const char *text);

/* Like heddle__warn(), but only the first time for each flag `said`. */
#define heddle__warn_once(said, ...)               \
	do {                                       \
		if (!atomic_exchange(said, true))  \
			heddle__warn(__VA_ARGS__); \
	} while (0)

/* Writes a line, also repeatedly, if HEDDLE_VERBOSE is set. Context: any thread, not a signal handler. */
void heddle__inform(const char *format, ...) __attribute__((format(printf, 1, 2)));
void heddle__log_set_verbose(int verbose);

#endif
