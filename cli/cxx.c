/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle c++`: as `heddle cc`, for C++. */
#include "cli/cc.h"
#include "cli/commands.h"

static int run(int argc, char **argv)
{
	static const char *const defaults[] = {"c++", "g++", "clang++", NULL};
	struct heddle_wrapper wrapper = {
		.command = "c++", .variable = "HEDDLE_CXX", .with = "--with-cc", .defaults = defaults};

	if (heddle__wrapper_wants_help(argc, argv))
		return heddle__print_help(&heddle__command_cxx);
	return heddle__compile_c(&wrapper, argc, argv);
}

static const struct heddle_option options[] = {
	HEDDLE_WRAPPER_OPTIONS("--with-cc"),
	{0},
};

const struct heddle_command heddle__command_cxx = {
	.name = "c++",
	.summary = "Compile C++, with events if asked for",
	.arguments = "COMPILER-ARGUMENT...",
	.details = "Calls the C++ compiler: --with-cc, else $HEDDLE_CXX, else c++, g++ or clang++. Its own options "
		   "work as\n"
		   "ever, so make CXX=\"heddle c++\" does.\n",
	.options = options,
	.own_help = true,
	.run = run,
};
