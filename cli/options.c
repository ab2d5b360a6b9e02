/* SPDX-License-Identifier: BSD-3-Clause */
/* Not getopt_long: its messages and its guessing of abbreviations are not ours to word. */
#include "cli/options.h"

#include "cli/exit_status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct heddle_option *find(const struct heddle_option *options, const char *text, size_t length)
{
	for (; options && options->name; options++)
		if (strlen(options->name) == length && strncmp(options->name, text, length) == 0)
			return options;
	return NULL;
}

static bool set_percent(const char *text, double *value)
{
	char *end;
	errno = 0;
	*value = strtod(text, &end);
	return errno == 0 && end != text && (*end == '\0' || strcmp(end, "%") == 0) && *value >= 0 && *value <= 100;
}

static bool set_count(const char *text, unsigned *value)
{
	char *end;
	errno = 0;
	unsigned long number = strtoul(text, &end, 10);
	*value = (unsigned)number;
	return errno == 0 && end != text && *end == '\0' && text[0] != '-' && number >= 1 && number <= 1000000000;
}

static bool set(const struct heddle_option *option, const char *text, void *target)
{
	void *variable = (char *)target + option->offset;
	switch (option->type) {
	case HEDDLE_OPTION_FLAG:
		*(bool *)variable = true;
		return true;
	case HEDDLE_OPTION_TEXT:
		*(const char **)variable = text;
		return *text != '\0';
	case HEDDLE_OPTION_PERCENT:
		return set_percent(text, variable);
	default:
		return set_count(text, variable);
	}
}

static int complain(const char *command, const char *option, size_t length, const char *what)
{
	fprintf(stderr, "heddle: %s: option=%.*s %s: `heddle help %s` lists the options\n", command, (int)length,
		option, what, command);
	return HEDDLE_EXIT_USAGE;
}

static int take_option(
	const struct heddle_option *options, const char *command, char **argv, int argc, int *at, void *target)
{
	const char *text = argv[*at], *equals = strchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : strlen(text);
	const struct heddle_option *option = find(options, text, length);
	if (!option)
		return complain(command, text, length, "is unknown");
	if (!option->argument && equals)
		return complain(command, text, length, "takes no value");
	const char *value = equals ? equals + 1 : NULL;
	if (option->argument && !value) {
		if (*at + 1 >= argc)
			return complain(command, text, length, "needs a value");
		value = argv[++*at];
	}
	if (set(option, value, target))
		return 0;
	fprintf(stderr, "heddle: %s: %s=%s is not a valid %s: `heddle help %s` says what is\n", command, option->name,
		value, option->argument, command);
	return HEDDLE_EXIT_USAGE;
}

int heddle__options_parse(const struct heddle_option *options, const char *command, int argc, char **argv, void *target,
	const char **rest, int *rest_count)
{
	bool only_rest = false;
	*rest_count = 0;
	for (int at = 1; at < argc; at++) {
		if (only_rest || argv[at][0] != '-' || argv[at][1] == '\0') {
			rest[(*rest_count)++] = argv[at];
		} else if (strcmp(argv[at], "--") == 0) {
			only_rest = true;
		} else {
			int status = take_option(options, command, argv, argc, &at, target);
			if (status)
				return status;
		}
	}
	return 0;
}
