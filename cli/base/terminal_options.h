/* SPDX-License-Identifier: BSD-3-Clause */
/* Options for the form of printed text, the same in all commands that print tables and trees. */
#ifndef HEDDLE_CLI_TERMINAL_OPTIONS_H
#define HEDDLE_CLI_TERMINAL_OPTIONS_H

#include "cli/base/options.h"
#include "cli/base/terminal.h"

/* The options as given by the user. */
struct heddle_terminal_options {
	const char *color; /* --color; NULL: auto */
	bool no_color;
	bool wide; /* -w: nothing is cut or wrapped */
};

/* Rows of the options, for the member `terminal` of a command's options. */
#define HEDDLE_TERMINAL_OPTIONS(options)                                                                   \
	{"--color", "WHEN", "always, never, or auto (the default): only on terminals", HEDDLE_OPTION_TEXT, \
		offsetof(struct options, terminal.color)},                                                 \
		{"--no-color", NULL, "the same as --color never", HEDDLE_OPTION_FLAG,                      \
			offsetof(struct options, terminal.no_color)},                                      \
	{                                                                                                  \
		"-w", NULL, "print names in full, even if lines get wide", HEDDLE_OPTION_FLAG,             \
			offsetof(struct options, terminal.wide)                                            \
	}

/* Returns 0, or HEDDLE_EXIT_USAGE after one line on stderr. */
int heddle__terminal_options_check(const char *command, const struct heddle_terminal_options *options);

/*
 * Returns what stdout can show, according to the options. On a terminal, output to stdout goes through the user's pager
 * from here on: call it once, just before printing.
 */
struct heddle_terminal heddle__terminal_begin(const struct heddle_terminal_options *options);

#endif
