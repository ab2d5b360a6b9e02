/* SPDX-License-Identifier: BSD-3-Clause */
/* Options that say how text is printed, alike in all commands that print tables and trees. */
#ifndef HEDDLE_CLI_LOOK_H
#define HEDDLE_CLI_LOOK_H

#include "cli/base/options.h"
#include "cli/base/terminal.h"

/* As typed. */
struct heddle_look_options {
	const char *color; /* --color; NULL: auto */
	bool no_color;
	bool wide; /* -w: nothing is cut or wrapped */
};

/* Their rows, for the member `look` of a command's options. */
#define HEDDLE_LOOK_OPTIONS(options)                                                                  \
	{"--color", "WHEN", "always, never, or auto (the default): on terminals", HEDDLE_OPTION_TEXT, \
		offsetof(struct options, look.color)},                                                \
		{"--no-color", NULL, "the same as --color never", HEDDLE_OPTION_FLAG,                 \
			offsetof(struct options, look.no_color)},                                     \
	{                                                                                             \
		"-w", NULL, "print names in full, however wide lines become", HEDDLE_OPTION_FLAG,     \
			offsetof(struct options, look.wide)                                           \
	}

/* 0, or HEDDLE_EXIT_USAGE after one line on stderr. */
int heddle__look_check(const char *command, const struct heddle_look_options *options);

/*
 * What stdout can show, as the options want it. On a terminal, what is printed to stdout from here on goes through the
 * user's pager: call it just before printing, once.
 */
struct heddle_look heddle__look_begin(const struct heddle_look_options *options);

#endif
