/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours as requested; without the option, on terminals unless NO_COLOR is set. */
#include "cli/base/terminal_options.h"

#include "cli/base/exit_status.h"
#include "cli/base/output_filter.h"
#include "cli/base/pager.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is(const char *text, const char *other)
{
	return text && strcmp(text, other) == 0;
}

int heddle__terminal_options_check(const char *command, const struct heddle_terminal_options *options)
{
	const char *color = options->color;
	if (!color || is(color, "always") || is(color, "never") || is(color, "auto"))
		return 0;
	fprintf(stderr, "heddle: %s: --color: '%s' is unknown: choose one of always, never, auto\n", command,
		heddle__shown(color));
	return HEDDLE_EXIT_USAGE;
}

static bool wants_color(const struct heddle_terminal_options *options)
{
	const char *term = getenv("TERM"), *none = getenv("NO_COLOR");
	if (options->no_color || is(options->color, "never"))
		return false;
	return is(options->color, "always") ||
	       (!(none && *none) && isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0));
}

struct heddle_terminal heddle__terminal_begin(const struct heddle_terminal_options *options)
{
	bool color = wants_color(options);
	struct heddle_terminal terminal = heddle__terminal_describe(color);
	if (color)
		heddle__output_filter_styles();
	if (options->wide)
		terminal.width = 0;
	heddle__pager_begin(options->wide);
	return terminal;
}
