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

/* What stdout can show; with `color`, escape sequences, too. */
struct heddle_terminal heddle__terminal_describe(bool color);

/* Switches colours on and off around text; nothing without colours. */
void heddle__style(const struct heddle_terminal *terminal, enum heddle_style style);

/* The style of a share of a total, by its size. */
enum heddle_style heddle__share_style(uint64_t value, uint64_t total);

/* `count` values as a line of blocks, one each, highest for the largest. */
void heddle__print_blocks(const struct heddle_terminal *terminal, const uint64_t *values, size_t count);

/* Columns of the terminal on standard output; 0: it is none. */
size_t heddle__terminal_width(void);

/*
 * Prints text cut in the middle to the columns that are left of a line: a name's ends say most. At least a few columns
 * are used, whatever `used` says; all of the text where stdout is not a terminal. Returns the columns it took.
 */
size_t heddle__print_fitting(const struct heddle_terminal *terminal, const char *text, size_t used);

/* Text that came from a file or a directory, with '?' for control characters: itself, or a copy that stays. */
const char *heddle__shown(const char *text);

/* A copy of text that came from a file, with '?' for control characters; free it. NULL: no memory. */
char *heddle__safe_copy(const char *text);

/* Prints text that came from a file: control characters become '?'. */
void heddle__print_safely(FILE *out, const char *text);

#endif
