/* SPDX-License-Identifier: BSD-3-Clause */
/* Command-line options from a table, from which `--help` is printed, too. */
#ifndef HEDDLE_CLI_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_H

#include <stddef.h>

struct heddle_command;

enum heddle_option_type {
	HEDDLE_OPTION_FLAG,    /* bool, becomes true */
	HEDDLE_OPTION_TEXT,    /* const char *, points into argv; without an argument "1" */
	HEDDLE_OPTION_LIST,    /* struct heddle_words, to be freed: one word for each time that the option is given */
	HEDDLE_OPTION_PERCENT, /* double, 0 to 100 */
	HEDDLE_OPTION_RISE,    /* double, percent of the former value: 0 and more */
	HEDDLE_OPTION_COUNT,   /* unsigned, 1 and more */
};

struct heddle_option {
	const char *name;     /* "--min" */
	const char *argument; /* "PCT"; NULL: none */
	const char *help;     /* NULL ends the table */
	enum heddle_option_type type;
	size_t offset; /* of the variable in the command's struct of options */
};

/* For the help: the environment variable that an option sets for the program. */
struct heddle_option_variable {
	const char *name;
	const char *initial; /* value if neither option nor variable is given; "": not set */
};

/*
 * Reads options, as `--name=value` or `--name value`. They may stand anywhere before "--"; if the command's arguments
 * are those of another program, only before the first word that is not an option. Remaining words are stored in
 * rest[0].. (which has room for argc entries), their number in *rest_count. Returns 0, HEDDLE_EXIT_HELPED after -h or
 * --help, or HEDDLE_EXIT_USAGE after one line on stderr.
 */
int heddle__options_parse(
	const struct heddle_command *command, int argc, char **argv, void *target, const char **rest, int *rest_count);

/*
 * Reads one option, if argv[*at] is in the command's table: moves *at to the last word that belongs to it. Returns 0,
 * -1 if it is not in the table, or HEDDLE_EXIT_USAGE after one line on stderr.
 */
int heddle__option_take(const struct heddle_command *command, int argc, char **argv, int *at, void *target);

#endif
