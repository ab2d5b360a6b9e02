/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages from inside a measured program: single lines on stderr, few, and never to a file of the program. */
#ifndef HEDDLE_CORE_LOG_H
#define HEDDLE_CORE_LOG_H

#include <stdatomic.h>
#include <stdbool.h>

/* Records which file stderr is; if the program replaces it, no further messages are written. Context: init. */
void heddle__log_init(void);

/*
 * Writes one line "heddle: ...", whole however long it is; each line once, and at most 16 per process. Context: any
 * thread, not a signal handler.
 */
void heddle__warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for a text of up to 240 bytes, which nothing is formatted into. Context: any thread, signal. */
void heddle__warn_in_handler(const char *text);

/* The same as heddle__warn, once for each flag. */
#define heddle__warn_once(said, ...)               \
	do {                                       \
		if (!atomic_exchange(said, true))  \
			heddle__warn(__VA_ARGS__); \
	} while (0)

/* The same, only with HEDDLE_VERBOSE. */
void heddle__inform(const char *format, ...) __attribute__((format(printf, 1, 2)));
void heddle__log_set_verbose(int verbose);

#endif
