/* SPDX-License-Identifier: BSD-3-Clause */
/* Command-line options from a table, which is what `--help` prints too. */
#ifndef HEDDLE_CLI_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_H

#include <stddef.h>

struct heddle_command;

enum heddle_option_type {
	HEDDLE_OPTION_FLAG,    /* bool, becomes true */
	HEDDLE_OPTION_TEXT,    /* const char *, points into argv; without an argument "1" */
	HEDDLE_OPTION_LIST,    /* struct heddle_words, to be freed: one word each time that the option is given */
	HEDDLE_OPTION_PERCENT, /* double, 0 to 100 */
	HEDDLE_OPTION_RISE,    /* double, percent of what was before: 0 and more */
	HEDDLE_OPTION_COUNT,   /* unsigned, 1 and more */
};

struct heddle_option {
	const char *name;     /* "--min" */
	const char *argument; /* "PCT"; NULL: it takes none */
	const char *help;     /* NULL ends the table */
	enum heddle_option_type type;
	size_t offset; /* of the variable in the command's struct of options */
};

/* For the help: what an option sets in the environment of a program. */
struct heddle_option_variable {
	const char *name;
	const char *initial; /* when neither is given; "": not set */
};

/*
 * Read options; `--name=value` and `--name value` both. They may stand anywhere up to "--", but for a command whose
 * arguments are another program's: there the first word that is no option ends them. What is left goes to rest[0]..
 * (room for argc entries), their number to *rest_count. Returns 0, HEDDLE_EXIT_HELPED after -h or --help, or
 * HEDDLE_EXIT_USAGE after one line on stderr.
 */
int heddle__options_parse(
	const struct heddle_command *command, int argc, char **argv, void *target, const char **rest, int *rest_count);

/*
 * One option, if argv[*at] is in the command's table: moves *at to the last word that belongs to it. Returns 0, -1 if
 * it is not in the table, or HEDDLE_EXIT_USAGE after one line on stderr.
 */
int heddle__option_take(const struct heddle_command *command, int argc, char **argv, int *at, void *target);

#endif
