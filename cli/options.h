/* SPDX-License-Identifier: BSD-3-Clause */
/* Command-line options from a table, which is what `--help` prints too. */
#ifndef HEDDLE_CLI_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_H

#include <stddef.h>

enum heddle_option_type {
	HEDDLE_OPTION_FLAG,    /* bool, becomes true */
	HEDDLE_OPTION_TEXT,    /* const char *, points into argv */
	HEDDLE_OPTION_PERCENT, /* double, 0 to 100 */
	HEDDLE_OPTION_COUNT,   /* unsigned, 1 and more */
};

struct heddle_option {
	const char *name;     /* "--min"; NULL ends the table */
	const char *argument; /* "PCT"; NULL for a flag */
	const char *help;
	enum heddle_option_type type;
	size_t offset; /* of the variable in the command's struct of options */
};

/*
 * Reads options wherever they stand, up to "--"; `--name=value` and `--name value` both. What is left goes to rest[0]..
 * (room for argc entries), their number to *rest_count. Returns 0, or prints one line and returns HEDDLE_EXIT_USAGE.
 */
int heddle__options_parse(const struct heddle_option *options, const char *command, int argc, char **argv, void *target,
	const char **rest, int *rest_count);

#endif
