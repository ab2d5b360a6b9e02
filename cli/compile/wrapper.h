/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `heddle cc`, `heddle c++` and `heddle upcc` share: GASP's options of compilers, finding the compiler, and
 * executing it. All arguments that are not Heddle's are passed to the compiler unchanged and in order.
 */
#ifndef HEDDLE_CLI_WRAPPER_H
#define HEDDLE_CLI_WRAPPER_H

#include "cli/base/commands.h"
#include "cli/base/words.h"
#include "cli/run/event_list.h"

#include <stdbool.h>

struct heddle_wrapper {
	/* The command. */
	const struct heddle_command *command;
	const char *name;            /* its name: "cc" */
	const char *variable;        /* environment variable with the compiler: "HEDDLE_CC" */
	const char *with;            /* option with the compiler: "--with-cc" */
	const char *const *defaults; /* compilers to look for, ends with NULL */

	/* From the arguments. */
	bool inst, local, functions; /* events to compile in; `local` and `functions` imply `inst` */
	const char *flag;            /* the last argument was an option without a value */
	const char *only;            /* file of --inst-only; NULL: all events */
	const char *exclude_functions, *exclude_files;
	const char *compiler_path; /* from --with-...; NULL: not given */
	struct heddle_words rest;  /* the compiler's arguments */
	bool links;                /* a program is to be linked: there are files, and no -c, -E, -S, -M, ... */

	struct heddle_event_list events; /* contents of `only` */
	struct heddle_words compiler;    /* the compiler, with arguments that always come first */
};

/* Rows of a table of options. Options without a text value are flags, which take_argument interprets. */
#define HEDDLE_WRAPPER_TEXT(name, argument, help, field)                                         \
	{                                                                                        \
		name, argument, help, HEDDLE_OPTION_TEXT, offsetof(struct heddle_wrapper, field) \
	}
#define HEDDLE_WRAPPER_FLAG(name, help) HEDDLE_WRAPPER_TEXT(name, NULL, help, flag)

/* The options of the three commands; `with` is the option that names the compiler. */
#define HEDDLE_WRAPPER_OPTIONS(with)                                                                               \
	HEDDLE_WRAPPER_FLAG("--inst", "compile in user events and the model's events"),                            \
		HEDDLE_WRAPPER_FLAG("--inst-local", "also accesses to shared memory with local affinity"),         \
		HEDDLE_WRAPPER_FLAG("--inst-functions", "also entry and exit of functions"),                       \
		HEDDLE_WRAPPER_TEXT("--inst-only", "FILE", "only the events that FILE names, one per line", only), \
		HEDDLE_WRAPPER_FLAG("--noinst", "none of these; the last such option applies"),                    \
		HEDDLE_WRAPPER_FLAG("--profile", "GASP 1.3: all events but local accesses"),                       \
		HEDDLE_WRAPPER_FLAG("--profile-local", "GASP 1.3: all events"),                                    \
		HEDDLE_WRAPPER_TEXT("--profile-only", "FILE", "GASP 1.3's --inst-only", only),                     \
		HEDDLE_WRAPPER_TEXT("--inst-exclude-functions", "LIST",                                            \
			"no events for functions whose names contain a word of LIST", exclude_functions),          \
		HEDDLE_WRAPPER_TEXT(                                                                               \
			"--inst-exclude-files", "LIST", "no events for functions in such files", exclude_files),   \
		HEDDLE_WRAPPER_TEXT(with, "PATH", "the compiler", compiler_path)

#define HEDDLE_WRAPPER_EXIT_STATUS                                                                       \
	"the compiler's own; 1 or 2 after an error of Heddle, 126 if the compiler cannot be executed,\n" \
	"127 if none was found"

/* True if help was requested: --help or -h as the only argument. Otherwise these options are the compiler's. */
bool heddle__wrapper_wants_help(int argc, char **argv);

/*
 * Removes Heddle's options from the arguments, reads the list of events and finds the compiler. Returns 0 or an exit
 * status.
 */
int heddle__wrapper_prepare(struct heddle_wrapper *wrapper, int argc, char **argv);

/*
 * Calls the compiler with `options` (ends with NULL) and reads what it prints, both streams, at most size - 1 bytes,
 * into `text`, unless that is NULL. Returns its exit status; -1 if it cannot be started or a signal ended it.
 */
int heddle__wrapper_ask(const struct heddle_wrapper *wrapper, const char *const *options, char *text, size_t size);

/* Executes the compiler, with `before`, the user's arguments and `after`. Returns an exit status if that fails. */
int heddle__wrapper_become(
	struct heddle_wrapper *wrapper, const struct heddle_words *before, const struct heddle_words *after);

void heddle__wrapper_free(struct heddle_wrapper *wrapper);

#endif
