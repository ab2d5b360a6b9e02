/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The commands of `heddle`. Adding one: a file cli/NAME.c that defines `const struct heddle_command
 * heddle__command_NAME` (of "c++": cxx), one line in the list below, one in CMakeLists.txt.
 */
#ifndef HEDDLE_CLI_COMMANDS_H
#define HEDDLE_CLI_COMMANDS_H

#include "cli/base/options.h"

#include <stdbool.h>

/* In the order of `heddle help`. */
#define HEDDLE_COMMANDS(X) \
	X(run)             \
	X(report)          \
	X(browse)          \
	X(diff)            \
	X(scale)           \
	X(merge)           \
	X(export)          \
	X(info)            \
	X(advise)          \
	X(tune)            \
	X(doctor)          \
	X(cc)              \
	X(cxx)             \
	X(upcc)

struct heddle_command {
	const char *name;
	const char *summary;                            /* one line, for `heddle help` */
	const char *arguments;                          /* what follows the options: "[DIR]" */
	const char *details;                            /* paragraphs for its help, or NULL */
	const char *exit_status;                        /* sentence for its help; NULL: 0, or what heddle(1) lists */
	const struct heddle_option *options;            /* ends with an entry without help; NULL: none */
	const struct heddle_option_variable *variables; /* of the first options, up to one without a name; or NULL */
	bool lists_metrics;                             /* supports `--metric help` */
	bool lists_formats;                             /* lists the export formats in its help */
	bool runs_program;                              /* what follows the first argument belongs to another program */
	/* argv[0] is the command's name; the function handles --help. Returns the exit status (exit_status.h). */
	int (*run)(int argc, char **argv);
};

#define X(name) extern const struct heddle_command heddle__command_##name;
HEDDLE_COMMANDS(X)
#undef X

/* Prints a command's help on stdout. */
void heddle__print_help(const struct heddle_command *command);

/* Prints help for all metrics that a report can show. */
void heddle__print_metrics(void);

#endif
