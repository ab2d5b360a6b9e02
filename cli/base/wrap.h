/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaking text into lines that fit the terminal, between words. */
#ifndef HEDDLE_CLI_WRAP_H
#define HEDDLE_CLI_WRAP_H

#include "cli/base/terminal.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Prints text, of whose first line `at` columns are taken already. A line that is too long is broken at `glue` (a
 * separator of facts; NULL: none), a fact that is too long for a line at its blanks; what follows stands `indent`
 * columns to the right. A single word is never broken. width 0: nothing is. Colours (terminal.h) take no columns.
 */
struct heddle_wrap {
	FILE *out;
	size_t width, at, indent;
	const char *glue;
};
void heddle__print_wrapped(const struct heddle_wrap *how, const char *text);

/* For help, which is as wide as the terminal, but 60 at least and 100 at most; 80 if it is none. */
size_t heddle__help_width(void);

/* How lines of facts with dots between them are broken. */
struct heddle_wrap heddle__wrap_facts(const struct heddle_terminal *terminal);

/*
 * What is printed to stdout between these two calls is collected, then wrapped as `how` says; meanwhile `stdout` is the
 * capture's file. Without memory it is printed unwrapped.
 */
struct heddle_capture {
	FILE *stdout_before;
	char *text;
	size_t size;
};
void heddle__capture_begin(struct heddle_capture *capture);
void heddle__capture_end(struct heddle_capture *capture, struct heddle_wrap how);

#endif
