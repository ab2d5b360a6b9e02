/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `heddle cc`, `heddle c++` and `heddle upcc` share: GASP's options of compilers, the compiler behind the command,
 * and becoming it. All arguments that are not Heddle's reach the compiler untouched and in their order.
 */
#ifndef HEDDLE_CLI_WRAPPER_H
#define HEDDLE_CLI_WRAPPER_H

#include "cli/event_list.h"
#include "cli/options.h"
#include "cli/words.h"

#include <stdbool.h>

struct heddle_wrapper {
	/* Of the command. */
	const char *command;         /* "cc" */
	const char *variable;        /* that names the compiler: "HEDDLE_CC" */
	const char *with;            /* option that does: "--with-cc" */
	const char *const *defaults; /* compilers to look for, ended by NULL */

	/* From the arguments. */
	bool inst, local, functions; /* events to compile in; the last two imply the first */
	const char *only;            /* file of --inst-only; NULL: all events */
	const char *exclude_functions, *exclude_files;
	const char *compiler_path; /* of --with-...; NULL: not given */
	struct heddle_words rest;  /* the compiler's arguments */
	bool links;                /* they ask for a program: files, and no -c, -E, -S, -M, ... */

	struct heddle_event_list events; /* what `only` holds */
	struct heddle_words compiler;    /* program, and arguments that always come first */
};

/* For the commands' --help; `with` as above. */
#define HEDDLE_WRAPPER_OPTIONS(with)                                                                            \
	{"--inst", NULL, "compile in user events, and the model's events", HEDDLE_OPTION_FLAG, 0},              \
		{"--inst-local", NULL, "also accesses to a thread's own shared memory", HEDDLE_OPTION_FLAG, 0}, \
		{"--inst-functions", NULL, "also entry to and exit from functions", HEDDLE_OPTION_FLAG, 0},     \
		{"--inst-only", "FILE", "only the events that FILE names, one a line", HEDDLE_OPTION_TEXT, 0},  \
		{"--noinst", NULL, "none of these; the last one given holds", HEDDLE_OPTION_FLAG, 0},           \
		{"--profile", NULL, "GASP 1.3's --inst", HEDDLE_OPTION_FLAG, 0},                                \
		{"--profile-local", NULL, "GASP 1.3's --inst-local", HEDDLE_OPTION_FLAG, 0},                    \
		{"--profile-only", "FILE", "GASP 1.3's --inst-only", HEDDLE_OPTION_TEXT, 0},                    \
		{"--inst-exclude-functions", "LIST",                                                            \
			"no entry and exit of functions whose names hold a word of "                            \
			"LIST",                                                                                 \
			HEDDLE_OPTION_TEXT, 0},                                                                 \
		{"--inst-exclude-files", "LIST", "nor of functions in such files", HEDDLE_OPTION_TEXT, 0},      \
	{                                                                                                       \
		with, "PATH", "the compiler", HEDDLE_OPTION_TEXT, 0                                             \
	}

/* True if help was asked for: --help as the only argument. Any other is the compiler's. */
bool heddle__wrapper_wants_help(int argc, char **argv);

/* Take Heddle's options out of the arguments, read the list of events and find the compiler. 0 or an exit status. */
int heddle__wrapper_prepare(struct heddle_wrapper *wrapper, int argc, char **argv);

/*
 * What the compiler prints when called with `option`, both streams, at most size - 1 bytes; "" when it can't be
 * started.
 */
void heddle__wrapper_ask(const struct heddle_wrapper *wrapper, const char *option, char *text, size_t size);

/* Become the compiler, with `before`, the user's arguments and `after`. Returns an exit status if that fails. */
int heddle__wrapper_become(
	struct heddle_wrapper *wrapper, const struct heddle_words *before, const struct heddle_words *after);

void heddle__wrapper_free(struct heddle_wrapper *wrapper);

#endif
