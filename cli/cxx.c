/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle c++`: like `heddle cc`, for C++. */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/cc.h"

static int run(int argc, char **argv)
{
	static const char *const defaults[] = {"c++", "g++", "clang++", NULL};
	struct heddle_wrapper wrapper = {.name = "c++",
		.command = &heddle__command_cxx,
		.variable = "HEDDLE_CXX",
		.with = "--with-cc",
		.defaults = defaults};
	if (heddle__wrapper_wants_help(argc, argv)) {
		heddle__print_help(&heddle__command_cxx);
		return HEDDLE_EXIT_HELPED;
	}
	return heddle__compile_c(&wrapper, argc, argv);
}

static const struct heddle_option options[] = {
	HEDDLE_WRAPPER_OPTIONS("--with-cc"),
	{0},
};

const struct heddle_command heddle__command_cxx = {
	.name = "c++",
	.summary = "Compile C++, optionally with events",
	.arguments = "[COMPILER-ARGUMENT]...",
	.details = "Calls the C++ compiler: --with-cc, else $HEDDLE_CXX, else c++, g++ or clang++. Its own options "
		   "work\n"
		   "unchanged, and so does make CXX=\"heddle c++\".\n",
	.options = options,
	.exit_status = HEDDLE_WRAPPER_EXIT_STATUS,
	.run = run,
};
