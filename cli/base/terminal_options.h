/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that say how text is printed, alike in all commands that print tables and trees. */
#ifndef HEDDLE_CLI_TERMINAL_OPTIONS_H
#define HEDDLE_CLI_TERMINAL_OPTIONS_H

#include "cli/base/options.h"
#include "cli/base/terminal.h"

/* As typed. */
struct heddle_terminal_options {
	const char *color; /* --color; NULL: auto */
	bool no_color;
	bool wide; /* -w: nothing is cut or wrapped */
};

/* Their rows, for the member `terminal` of a command's options. */
#define HEDDLE_TERMINAL_OPTIONS(options)                                                                   \
	{"--color", "WHEN", "always, never, or auto (the default): only on terminals", HEDDLE_OPTION_TEXT, \
		offsetof(struct options, terminal.color)},                                                 \
		{"--no-color", NULL, "the same as --color never", HEDDLE_OPTION_FLAG,                      \
			offsetof(struct options, terminal.no_color)},                                      \
	{                                                                                                  \
		"-w", NULL, "print names in full, even if lines get wide", HEDDLE_OPTION_FLAG,             \
			offsetof(struct options, terminal.wide)                                            \
	}

/* 0, or HEDDLE_EXIT_USAGE after one line on stderr. */
int heddle__terminal_options_check(const char *command, const struct heddle_terminal_options *options);

/*
 * What stdout can show, as the options want it. On a terminal, what is printed to stdout from here on goes through the
 * user's pager: call it just before printing, once.
 */
struct heddle_terminal heddle__terminal_begin(const struct heddle_terminal_options *options);

#endif
