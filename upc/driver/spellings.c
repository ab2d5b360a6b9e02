/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options of Berkeley UPC, GNU UPC and Clang UPC: those with an equivalent here are translated, those without one are
 * ignored, so that build files written for these compilers work unchanged.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

static const char *const threads_options[] = {"-fupc-threads=", "-fupc-threads-", "-threads", "-T", "-n"};

static const struct {
	const char *option;
	const char *is; /* this compiler's spelling */
} renamed[] = {
	{"-inst", "--inst"},
	{"-inst-local", "--inst-local"},
	{"-inst-functions", "--inst-functions"},
	{"-fupc-instrument", "--inst"},
	{"-fupc-instrument-functions", "--inst-functions"},
	{"-fupc", NULL},
	{"-upc", NULL},
};

/* Options to ignore; `value` says what the next argument may be. */
static const struct {
	const char *option;
	enum { NO_VALUE, A_NUMBER, A_WORD } value;
} ignored[] = {
	{"-network", A_WORD},
	{"-pthreads", A_NUMBER},
	{"-nopthreads", NO_VALUE},
	{"-translator", A_WORD},
	{"-shared-heap", A_WORD},
	{"-shared-heap-offset", A_WORD},
	{"-heap-offset", A_WORD},
	{"-inst-toolname", A_WORD},
	{"-opt", NO_VALUE},
	{"-opt-enable", A_WORD},
	{"-tv", NO_VALUE},
	{"-lines", NO_VALUE},
	{"-nolines", NO_VALUE},
	{"-link-cache", NO_VALUE},
	{"-nolink-cache", NO_VALUE},
	{"-norc", NO_VALUE},
	{"-require-size", NO_VALUE},
	{"-save-all-temps", NO_VALUE},
	{"-smart-output", NO_VALUE},
	{"-uses-mpi", NO_VALUE},
	{"-uses-threads", NO_VALUE},
	{"-dwarf-2-upc", NO_VALUE},
};

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_number(const char *text)
{
	return text && isdigit((unsigned char)*text) && text[strspn(text, "0123456789")] == '\0';
}

/* -T N, -TN and -T=N. -T is also a linker option, so it is not consumed if its value is not a number. */
static int take_threads(const char *option, const char *next, const char **value)
{
	for (size_t i = 0; i < sizeof threads_options / sizeof *threads_options; i++) {
		if (!starts(option, threads_options[i]))
			continue;
		const char *rest = option + strlen(threads_options[i]);
		bool own = starts(threads_options[i], "-fupc") || starts(threads_options[i], "-threads");
		*value = *rest == '=' ? rest + 1 : *rest == '\0' ? next : rest;
		if (own && !*value)
			*value = "";
		if (own || is_number(*value))
			return *rest == '\0' && !starts(threads_options[i], "-fupc") ? 2 : 1;
	}
	return 0;
}

static int ignore(const char *option, const char *next)
{
	if (starts(option, "-Ww,") || starts(option, "-Wu,") || starts(option, "-fupc-") || starts(option, "-fno-upc-"))
		return 1;
	size_t length = strcspn(option, "=");
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
		if (strlen(ignored[i].option) != length || strncmp(option, ignored[i].option, length) != 0)
			continue;
		bool word = ignored[i].value == A_WORD || (ignored[i].value == A_NUMBER && is_number(next));
		return word && option[length] == '\0' && next ? 2 : 1;
	}
	return 0;
}

int upc__spelled(const char **option, const char *next, const char **threads)
{
	const char *name = *option + starts(*option, "--"); /* Berkeley's options have one dash or two */
	int taken = take_threads(name, next, threads);
	if (taken > 0)
		return taken;
	*threads = NULL;
	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
		if (strcmp(name, renamed[i].option) == 0) {
			*option = renamed[i].is;
			return !renamed[i].is;
		}
	taken = ignore(name, next);
	if (taken > 0)
		fprintf(stderr, "heddle-upcc1: warning: %s: an option of other UPC compilers, ignored\n", *option);
	return taken;
}
