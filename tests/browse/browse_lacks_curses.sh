#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Built without ncurses, `heddle browse` prints one line about what is missing. Only its own file is compiled that way;
# the functions of the command that it needs are never called.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'END'
#include "cli/base/commands.h"
#include "cli/base/session.h"
#include "cli/base/source_dirs.h"

#include <unistd.h>

int heddle__measurement_argument(const struct heddle_command *command, int argc, char **argv, void *target, const char **path)
{
	(void)command, (void)argc, (void)argv, (void)target;
	*path = "m";
	return 0;
}

int heddle__source_dirs_allow(const char *command, struct heddle_words *directories)
{
	(void)command, (void)directories;
	return 0;
}

/* As if standard input and output were a terminal. */
int isatty(int descriptor)
{
	(void)descriptor;
	return 1;
}

int main(int argc, char **argv)
{
	return heddle__command_browse.run(argc, argv);
}
END
${CC:-gcc} -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -I"$HEDDLE_SOURCE" -I"$HEDDLE_SOURCE/include" \
	-I"$HEDDLE_BUILD/profile" -I"$HEDDLE_BUILD/format" -o "$work/browse" "$work/main.c" "$HEDDLE_SOURCE/cli/browse.c"
status=0
"$work/browse" >"$work/out" 2>"$work/err" || status=$?
[ "$status" -eq 1 ] || { echo "exit status $status"; exit 1; }
[ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q 'lacks ncurses (package libncurses-dev)' "$work/err" ||
	{ cat "$work/out" "$work/err"; exit 1; }
