/* SPDX-License-Identifier: BSD-3-Clause */
/* getopt_long is not used, because of its messages and because it accepts abbreviations. */
#include "cli/base/options.h"

#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/suggest.h"
#include "cli/base/words.h"

#include <errno.h>
#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct heddle_option *find_option(const struct heddle_option *options, const char *text, size_t length)
{
	for (; options && options->help; options++)
		if (options->name && strlen(options->name) == length && strncmp(options->name, text, length) == 0)
			return options;
	return NULL;
}

static bool set_percent(const char *text, double limit, double *value)
{
	char *end;
	if (!text)
		return false;
	errno = 0;
	*value = strtod(text, &end);
	return errno == 0 && end != text && (*end == '\0' || strcmp(end, "%") == 0) && *value >= 0 && *value <= limit;
}

static bool set_count(const char *text, unsigned *value)
{
	char *end;
	if (!text)
		return false;
	errno = 0;
	unsigned long number = strtoul(text, &end, 10);
	*value = (unsigned)number;
	return errno == 0 && end != text && *end == '\0' && text[0] != '-' && number >= 1 && number <= 1000000000;
}

/* Returns NULL, or a description of the expected value. */
static const char *set(const struct heddle_option *option, const char *text, void *target)
{
	void *variable = (char *)target + option->offset;
	switch (option->type) {
	case HEDDLE_OPTION_FLAG:
		*(bool *)variable = true;
		return NULL;
	case HEDDLE_OPTION_TEXT:
		*(const char **)variable = option->argument ? text : "1";
		return NULL;
	case HEDDLE_OPTION_LIST:
		heddle__words_add(variable, text);
		return NULL;
	case HEDDLE_OPTION_PERCENT:
		return set_percent(text, 100, variable) ? NULL : "a share from 0 to 100 %";
	case HEDDLE_OPTION_RISE:
		return set_percent(text, DBL_MAX, variable) ? NULL : "a percentage of 0 or more";
	default:
		return set_count(text, variable) ? NULL : "a number from 1 to 1000000000";
	}
}

static int complain(
	const struct heddle_command *command, size_t length, const char *option, const char *what, const char *argument)
{
	fprintf(stderr, "heddle: %s: option '%.*s' %s%s; see: heddle %s --help\n", command->name, (int)length, option,
		what, argument, command->name);
	return HEDDLE_EXIT_USAGE;
}

static int complain_unknown(const struct heddle_command *command, const char *text)
{
	char hint[HEDDLE_SUGGEST_LENGTH + 32];
	size_t length = strcspn(text, "=");
	struct heddle_suggestion near = heddle__suggest(text, length);
	for (const struct heddle_option *option = command->options; option && option->help; option++)
		if (option->name)
			heddle__suggest_try(&near, option->name);
	heddle__suggest_try(&near, "--help");
	fprintf(stderr, "heddle: %s: unknown option '%.*s'%s see: heddle %s --help\n", command->name, (int)length, text,
		heddle__suggest_text(&near, hint, sizeof(hint)), command->name);
	return HEDDLE_EXIT_USAGE;
}

int heddle__option_take(const struct heddle_command *command, int argc, char **argv, int *at, void *target)
{
	const char *text = argv[*at];
	size_t length = strcspn(text, "=");
	const struct heddle_option *option = find_option(command->options, text, length);
	if (!option)
		return -1;
	const char *value = text[length] == '=' ? text + length + 1 : NULL;
	if (!option->argument && value)
		return complain(command, length, text, "takes no argument", "");
	if (option->argument && !value)
		value = *at + 1 < argc ? argv[++*at] : "";
	if (option->argument && !*value)
		return complain(command, length, text, "needs an argument: ", option->argument);
	const char *wanted = set(option, value, target);
	if (!wanted)
		return 0;
	fprintf(stderr, "heddle: %s: %s: '%s' is not %s\n", command->name, option->name, value, wanted);
	return HEDDLE_EXIT_USAGE;
}

static bool asks_for_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* True for `--metric help` and `--metric=help`. */
static bool asks_for_metrics(const struct heddle_command *command, const char *word, const char *next)
{
	if (!command->lists_metrics)
		return false;
	return strcmp(word, "--metric=help") == 0 ||
	       (strcmp(word, "--metric") == 0 && next && strcmp(next, "help") == 0);
}

int heddle__options_parse(
	const struct heddle_command *command, int argc, char **argv, void *target, const char **rest, int *rest_count)
{
	bool only_rest = false;
	*rest_count = 0;
	for (int at = 1; at < argc; at++) {
		if (only_rest || argv[at][0] != '-' || argv[at][1] == '\0') {
			rest[(*rest_count)++] = argv[at];
			only_rest |= command->runs_program;
		} else if (strcmp(argv[at], "--") == 0) {
			only_rest = true;
		} else if (asks_for_help(argv[at])) {
			heddle__print_help(command);
			return HEDDLE_EXIT_HELPED;
		} else if (asks_for_metrics(command, argv[at], argv[at + 1])) {
			heddle__print_metrics();
			return HEDDLE_EXIT_HELPED;
		} else {
			int status = heddle__option_take(command, argc, argv, &at, target);
			if (status)
				return status < 0 ? complain_unknown(command, argv[at]) : status;
		}
	}
	return 0;
}
