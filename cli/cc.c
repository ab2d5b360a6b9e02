/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle cc` and what `heddle c++` shares with it: the C or C++ compiler, with Heddle's headers in its path and, if
 * requested, the compiler's own hooks at functions' entry and exit. Nothing is linked: the C library has empty hooks,
 * and the headers look for Heddle in the running process. So a program built in this way runs the same without Heddle.
 */
#include "cli/cc.h"

#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/locate.h"

#include <stdio.h>
#include <string.h>

/* Returns false, after a line, if the compiler cannot exclude functions or files from instrumentation. */
static bool add_exclusions(struct heddle_wrapper *wrapper, struct heddle_words *words)
{
	char version[4096];
	if (!wrapper->exclude_functions && !wrapper->exclude_files)
		return true;
	heddle__wrapper_ask(wrapper, (const char *const[]){"--version", NULL}, version, sizeof(version));
	if (strstr(version, "clang")) {
		fprintf(stderr,
			"heddle: %s: clang cannot exclude functions by lists: mark them with "
			"__attribute__((no_instrument_function)), or compile with gcc\n",
			wrapper->name);
		return false;
	}
	if (wrapper->exclude_functions)
		heddle__words_add_format(
			words, "-finstrument-functions-exclude-function-list=%s", wrapper->exclude_functions);
	if (wrapper->exclude_files)
		heddle__words_add_format(words, "-finstrument-functions-exclude-file-list=%s", wrapper->exclude_files);
	return true;
}

/* C compilers warn about `#pragma pupc` with -Wall. Users who name that warning decide for themselves. */
static void silence_pragma(const struct heddle_wrapper *wrapper, struct heddle_words *words)
{
	for (size_t i = 0; i < wrapper->rest.count; i++)
		if (strstr(wrapper->rest.at[i], "unknown-pragmas") || strcmp(wrapper->rest.at[i], "--") == 0)
			return;
	heddle__words_add(words, "-Wno-unknown-pragmas");
}

/* Adds words before and after the user's arguments. Returns 0 or an exit status. */
static int add_words(struct heddle_wrapper *wrapper, struct heddle_words *before, struct heddle_words *after)
{
	char headers[PATH_MAX];
	if (heddle__locate_headers(headers) != 0) {
		fprintf(stderr, "heddle: %s: %s is missing: build or install all of Heddle\n", wrapper->name, headers);
		return HEDDLE_EXIT_FAILED;
	}
	/* The second one is for <heddle/...>; it may be a system directory, which must keep its place in the order. */
	heddle__words_add(before, "-isystem");
	heddle__words_add_format(before, "%s/heddle", headers);
	heddle__words_add(before, "-idirafter");
	heddle__words_add(before, headers);
	heddle__words_add(before, "-D__UPC_PUPC__=1");
	if (wrapper->inst) {
		heddle__words_add(before, "-D__UPC_PUPC_INST__=1");
		silence_pragma(wrapper, after);
	}
	if (wrapper->functions) {
		heddle__words_add(before, "-finstrument-functions");
		heddle__words_add(before, "-fno-omit-frame-pointer");
		if (!add_exclusions(wrapper, before))
			return HEDDLE_EXIT_USAGE;
	}
	return 0;
}

int heddle__compile_c(struct heddle_wrapper *wrapper, int argc, char **argv)
{
	struct heddle_words before = {0}, after = {0};
	int status = heddle__wrapper_prepare(wrapper, argc, argv);
	if (status == 0)
		status = add_words(wrapper, &before, &after);
	if (status == 0)
		status = heddle__wrapper_become(wrapper, &before, &after);
	heddle__words_free(&before);
	heddle__words_free(&after);
	heddle__wrapper_free(wrapper);
	return status;
}

static int run(int argc, char **argv)
{
	static const char *const defaults[] = {"cc", "gcc", "clang", NULL};
	struct heddle_wrapper wrapper = {.name = "cc",
		.command = &heddle__command_cc,
		.variable = "HEDDLE_CC",
		.with = "--with-cc",
		.defaults = defaults};
	if (heddle__wrapper_wants_help(argc, argv)) {
		heddle__print_help(&heddle__command_cc);
		return HEDDLE_EXIT_HELPED;
	}
	return heddle__compile_c(&wrapper, argc, argv);
}

static const struct heddle_option options[] = {
	HEDDLE_WRAPPER_OPTIONS("--with-cc"),
	{0},
};

const struct heddle_command heddle__command_cc = {
	.name = "cc",
	.summary = "Compile C, optionally with events",
	.arguments = "[COMPILER-ARGUMENT]...",
	.details = "Calls the C compiler: --with-cc, else $HEDDLE_CC, else cc, gcc or clang. Its own options work\n"
		   "unchanged, and so does make CC=\"heddle cc\".\n",
	.options = options,
	.exit_status = HEDDLE_WRAPPER_EXIT_STATUS,
	.run = run,
};
