/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "cli/run/settings.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "format/quantity.h"

struct setting {
	const char *name, *variable, *option, *argument, *initial, *help;
	enum heddle_setting_kind kind;
	long low, high;
};

static const struct setting settings[HEDDLE_SETTING_COUNT] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) \
	{#name, variable, option, argument, initial, help, HEDDLE_SETTING_KIND_##kind, low, high},
	HEDDLE_SETTINGS(X)
#undef X
};

/* True if `word` (of that length) is in the list `words`, separated by `separator`. */
static bool listed(const char *words, char separator, const char *word, size_t length)
{
	const char separators[] = {separator, '\0'};
	while (*words != '\0') {
		size_t size = strcspn(words, separators);

		if (size == length && strncmp(words, word, length) == 0)
			return length > 0;
		words += size + (words[size] != '\0');
	}
	return false;
}

static bool valid_list(const char *words, const char *value)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");

		if (!listed(words, ',', at, length))
			return false;
		at += length;
		if (*at == '\0')
			return true;
	}
}

static bool valid_number(const struct setting *setting, const char *value)
{
	char *end;
	long number;
	if (*value < '0' || *value > '9')
		return false;
	errno = 0;
	number = strtol(value, &end, 10);
	return errno == 0 && *end == '\0' && number >= setting->low && number <= setting->high;
}

/* Returns 0, or the errno with which the file cannot be read. */
static int readable_file(const char *path)
{
	struct stat about;
	if (stat(path, &about) != 0 || access(path, R_OK) != 0)
		return errno;
	return S_ISDIR(about.st_mode) ? EISDIR : 0;
}

/* Refuses SIGKILL and SIGSTOP, which the system delivers to no handler. */
static int check_signal(const struct setting *setting, const char *from, const char *value)
{
	long number = strtol(value, NULL, 10);
	if (setting != &settings[HEDDLE_SETTING_SAMPLE_SIGNAL] || (number != SIGKILL && number != SIGSTOP))
		return 0;
	fprintf(stderr, "heddle: run: %s: %ld is %s, which cannot be handled: choose another, such as %d\n", from,
		number, number == SIGKILL ? "SIGKILL" : "SIGSTOP", SIGURG);
	return HEDDLE_EXIT_USAGE;
}

static int check_quantity(const struct setting *setting, const char *from, const char *value)
{
	uint64_t first, last;
	if (setting->kind == HEDDLE_SETTING_KIND_SIZE && heddle__read_size(value, &first) &&
		first >= (uint64_t)setting->low && first <= (uint64_t)setting->high)
		return 0;
	if (setting->kind == HEDDLE_SETTING_KIND_TIME && heddle__read_time(value, &first) && first > 0)
		return 0;
	if (setting->kind == HEDDLE_SETTING_KIND_WINDOW && heddle__read_window(value, &first, &last))
		return 0;
	if (setting->kind == HEDDLE_SETTING_KIND_SIZE)
		fprintf(stderr, "heddle: run: %s: '%s' is not a size from %ldK to %ldM, such as 8M\n", from, value,
			setting->low >> 10, setting->high >> 20);
	else
		fprintf(stderr, "heddle: run: %s: '%s' is not %s\n", from, value,
			setting->kind == HEDDLE_SETTING_KIND_TIME ? "a time above 0, such as 5s or 300ms"
								  : "two times, FROM:TO, such as 10s:20s");
	return HEDDLE_EXIT_USAGE;
}

/* Reports a wrong value, and its origin. Returns 0 or HEDDLE_EXIT_USAGE. */
static int check_value(const struct setting *setting, const char *from, const char *value)
{
	switch (setting->kind) {
	case HEDDLE_SETTING_KIND_NUMBER:
		if (valid_number(setting, value))
			return check_signal(setting, from, value);
		fprintf(stderr, "heddle: run: %s: '%s' is not a number from %ld to %ld\n", from, value, setting->low,
			setting->high);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_CHOICE:
		if (listed(setting->argument, '|', value, strlen(value)))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not one of %s\n", from, value, setting->argument);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_LIST:
		if (valid_list(setting->argument, value))
			return 0;
		fprintf(stderr, "heddle: run: %s: '%s' is not a list of names from %s\n", from, value,
			setting->argument);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_PATH:
		if (*value != '\0')
			return 0;
		fprintf(stderr, "heddle: run: %s: a directory's name is missing\n", from);
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_FILE:
		if (*value == '!' || readable_file(value) == 0)
			return 0;
		fprintf(stderr, "heddle: run: %s: cannot read '%s': %s\n", from, value, strerror(readable_file(value)));
		return HEDDLE_EXIT_USAGE;
	case HEDDLE_SETTING_KIND_SIZE:
	case HEDDLE_SETTING_KIND_TIME:
	case HEDDLE_SETTING_KIND_WINDOW:
		return check_quantity(setting, from, value);
	case HEDDLE_SETTING_KIND_TEXT: /* cli/counters.c checks it */
	case HEDDLE_SETTING_KIND_FLAG:
		break;
	}
	return 0;
}

static int make_trace_directory(const char *from, const char *value)
{
	if ((mkdir(value, 0777) == 0 || errno == EEXIST) && access(value, W_OK | X_OK) == 0)
		return 0;
	fprintf(stderr, "heddle: run: %s: cannot write to '%s': %s\n", from, value, strerror(errno));
	return HEDDLE_EXIT_OUTPUT;
}

static int set_setting(const struct setting *setting, const char *value)
{
	char whole[PATH_MAX];
	int failure = check_value(setting, setting->option, value);
	/* An absolute path, since the program's children may start in another directory. */
	bool local = setting == &settings[HEDDLE_SETTING_TRACE_DIR];
	if (failure == 0 && local)
		failure = make_trace_directory(setting->option, value);
	if ((local || setting->kind == HEDDLE_SETTING_KIND_FILE) && realpath(value, whole))
		value = whole;
	if (failure == 0)
		setenv(setting->variable, value, 1);
	return failure;
}

/* Variables from the environment are checked as options are. */
static int check_environment(void)
{
	for (int i = 0; i < HEDDLE_SETTING_COUNT; i++) {
		const char *value = getenv(settings[i].variable);

		if (value && *value != '\0' && check_value(&settings[i], settings[i].variable, value) != 0)
			return HEDDLE_EXIT_USAGE;
	}
	return 0;
}

int heddle__run_settings_take(const char *const given[HEDDLE_SETTING_COUNT])
{
	int failure = 0;
	for (int i = 0; i < HEDDLE_SETTING_COUNT && failure == 0; i++)
		if (given[i])
			failure = set_setting(&settings[i], given[i]);
	return failure != 0 ? failure : check_environment();
}

void heddle__run_settings_sample(void)
{
	const char *hz = getenv("HEDDLE_SAMPLE_HZ"), *event = getenv("HEDDLE_SAMPLE_EVENT");
	if ((!hz || *hz == '\0') && (!event || *event == '\0'))
		setenv("HEDDLE_SAMPLE_HZ", HEDDLE_RUN_SAMPLE_HZ, 1);
}
