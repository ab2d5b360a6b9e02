/* SPDX-License-Identifier: BSD-3-Clause */
/* The form of printed text: colours, line-drawing characters, names that fit a line. */
#ifndef HEDDLE_CLI_TERMINAL_H
#define HEDDLE_CLI_TERMINAL_H

#include "analysis/text.h"

#include <stdio.h>

enum heddle_style {
	HEDDLE_STYLE_NORMAL,
	HEDDLE_STYLE_DIM,
	HEDDLE_STYLE_BOLD,
	HEDDLE_STYLE_WARM,
	HEDDLE_STYLE_HOT,
	HEDDLE_STYLE_REGION,
	HEDDLE_STYLE_STATE
};

struct heddle_terminal {
	bool color;
	bool utf8;
	size_t width;                                  /* columns of the terminal; 0: not a terminal */
	const char *dot;                               /* between facts of a line */
	const char *branch, *last, *through, *nothing; /* tree lines */
};

/* Returns what stdout can show; if `color`, also escape sequences. */
struct heddle_terminal heddle__terminal_describe(bool color);

/* Switches to a style, for the text that follows; no effect without colours. */
void heddle__style(const struct heddle_terminal *terminal, enum heddle_style style);

/* Returns the style of a share of a total, by its size. */
enum heddle_style heddle__share_style(uint64_t value, uint64_t total);

/* Prints `count` values as a line of blocks, one for each, the highest for the largest value. */
void heddle__print_blocks(const struct heddle_terminal *terminal, const uint64_t *values, size_t count);

/* Returns the columns of the terminal on standard output; 0: not a terminal. */
size_t heddle__terminal_width(void);

/*
 * Prints text cut in the middle to the columns that are left in a line, since the ends of a name say most. At least a
 * few columns are used, even if `used` leaves fewer; if stdout is not a terminal, all text is printed. Returns the
 * columns used.
 */
size_t heddle__print_fitting(const struct heddle_terminal *terminal, const char *text, size_t used);

/*
 * Returns text from a file or directory with '?' for control characters: the text itself, or a copy that stays valid.
 */
const char *heddle__shown(const char *text);

/* Returns a copy of text from a file, with '?' for control characters; free() it. NULL: no memory. */
char *heddle__safe_copy(const char *text);

/* Prints text from a file, with '?' for control characters. */
void heddle__print_safely(FILE *out, const char *text);

#endif
