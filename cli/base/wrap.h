/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaking text into lines that fit the terminal, between words. */
#ifndef HEDDLE_CLI_WRAP_H
#define HEDDLE_CLI_WRAP_H

#include "cli/base/terminal.h"

#include <stddef.h>
#include <stdio.h>

/*
 * Prints text; `at` columns of its first line are used already. A line that is too long is broken at `glue` (a
 * separator of facts; NULL: none), a fact that is too long for a line at its blanks; continued lines are indented by
 * `indent` columns. A single word is never broken. width 0: no line is broken. Colours (terminal.h) take no columns.
 */
struct heddle_wrap {
	FILE *out;
	size_t width, at, indent;
	const char *glue;
};
void heddle__print_wrapped(const struct heddle_wrap *how, const char *text);

/* Returns the width of help: that of the terminal, at least 60 and at most 100; 80 if stdout is not a terminal. */
size_t heddle__help_width(void);

/* Returns how to break lines of facts with dots between them. */
struct heddle_wrap heddle__wrap_facts(const struct heddle_terminal *terminal);

/*
 * Text printed to stdout between these two calls is collected, then wrapped as `how` specifies; meanwhile `stdout` is
 * the capture's file. If memory is exhausted, the text is printed unwrapped.
 */
struct heddle_capture {
	FILE *stdout_before;
	char *text;
	size_t size;
};
void heddle__capture_begin(struct heddle_capture *capture);
void heddle__capture_end(struct heddle_capture *capture, struct heddle_wrap how);

#endif
