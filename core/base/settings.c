/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the settings at init. An invalid value is reported and replaced by the default; it does not end the program. */
#include "core/base/settings.h"

#include <ctype.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "format/quantity.h"

#define PREFIX "--heddle-"
#define PREFIX_LENGTH (sizeof(PREFIX) - 1)

static const struct {
	const char *variable, *option, *choices, *initial;
	enum heddle_setting_kind kind;
	long low, high;
} table[] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) \
	[HEDDLE_SETTING_##name] = {variable, option, argument, initial, HEDDLE_SETTING_KIND_##kind, low, high},
	HEDDLE_SETTINGS(X)
#undef X
};

static struct {
	const char *text;
	long number;
} values[HEDDLE_SETTING_COUNT];

/* True if `word` is one of the words in `list`, which are separated by any of `separators`. */
static bool is_listed(const char *list, const char *word, const char *separators)
{
	size_t length = strlen(word);
	while (*list) {
		size_t n = strcspn(list, separators);
		if (n == length && strncmp(list, word, n) == 0)
			return true;
		list += n + (list[n] != '\0');
	}
	return false;
}

/* True if each word of `list` is one of `choices`. */
static bool are_listed(const char *choices, const char *list)
{
	char word[32];
	while (*list) {
		size_t n = strcspn(list, ",");
		if (n >= sizeof(word))
			return false;
		memcpy(word, list, n);
		word[n] = '\0';
		if (n && !is_listed(choices, word, ","))
			return false;
		list += n + (list[n] != '\0');
	}
	return true;
}

static bool is_good(enum heddle_setting setting, const char *text)
{
	char *end;
	long number;
	uint64_t from, to;
	switch (table[setting].kind) {
	case HEDDLE_SETTING_KIND_NUMBER:
		number = strtol(text, &end, 10);
		return end != text && !*end && number >= table[setting].low && number <= table[setting].high;
	case HEDDLE_SETTING_KIND_CHOICE:
		return is_listed(table[setting].choices, text, "|");
	case HEDDLE_SETTING_KIND_LIST:
		return are_listed(table[setting].choices, text);
	case HEDDLE_SETTING_KIND_SIZE:
		return heddle__read_size(text, &from) && from >= (uint64_t)table[setting].low &&
		       from <= (uint64_t)table[setting].high;
	case HEDDLE_SETTING_KIND_TIME:
		return heddle__read_time(text, &from) && from > 0;
	case HEDDLE_SETTING_KIND_WINDOW:
		return heddle__read_window(text, &from, &to);
	case HEDDLE_SETTING_KIND_PATH:
	case HEDDLE_SETTING_KIND_FILE:
	case HEDDLE_SETTING_KIND_TEXT:
	case HEDDLE_SETTING_KIND_FLAG:
		return true;
	}
	return false;
}

/* Returns a copy of the text, since the program may change its environment. */
static const char *keep(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = heddle__alloc(size);
	return copy ? memcpy(copy, text, size) : "";
}

static void set(enum heddle_setting setting, const char *text)
{
	values[setting].text = text;
	values[setting].number = strtol(text, NULL, 10);
	if (table[setting].kind == HEDDLE_SETTING_KIND_FLAG)
		values[setting].number = *text && strcmp(text, "0") != 0;
}

static void complain(const char *name, int length, const char *value, enum heddle_setting setting)
{
	heddle__warn("%.*s=%s is not a valid value; using %s", length, name, value,
		*values[setting].text ? values[setting].text : "the default");
}

static void read_environment(void)
{
	for (enum heddle_setting i = 0; i < HEDDLE_SETTING_COUNT; i++) {
		const char *text = secure_getenv(table[i].variable);
		set(i, table[i].initial);
		if (!text || !*text)
			continue;
		if (is_good(i, text))
			set(i, keep(text));
		else
			complain(table[i].variable, (int)strlen(table[i].variable), text, i);
	}
}

/*
 * The name of a setting in arguments: "sample-hz" for --sample-hz; derived from the variable if the option is a single
 * letter.
 */
static bool is_named(enum heddle_setting setting, const char *name, size_t length)
{
	const char *own = table[setting].option;
	if (own && strncmp(own, "--", 2) == 0)
		return strlen(own + 2) == length && strncmp(own + 2, name, length) == 0;
	own = table[setting].variable + strlen("HEDDLE_");
	if (strlen(own) != length)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (name[i] != (own[i] == '_' ? '-' : tolower((unsigned char)own[i])))
			return false;
	}
	return true;
}

static void take_argument(const char *word)
{
	const char *name = word + PREFIX_LENGTH;
	size_t length = strcspn(name, "=");
	const char *value = name[length] ? name + length + 1 : NULL;
	enum heddle_setting i = 0;
	while (i < HEDDLE_SETTING_COUNT && !is_named(i, name, length))
		i++;
	if (i == HEDDLE_SETTING_COUNT) {
		heddle__warn("%.*s is not a setting of Heddle; docs/settings.md lists them",
			(int)(PREFIX_LENGTH + length), word);
		return;
	}
	if (!value && table[i].kind == HEDDLE_SETTING_KIND_FLAG)
		value = "1";
	if (!value || !*value)
		heddle__warn("%.*s needs a value: %.*s=%s", (int)(PREFIX_LENGTH + length), word,
			(int)(PREFIX_LENGTH + length), word, table[i].choices ? table[i].choices : "1");
	else if (is_good(i, value))
		set(i, keep(value));
	else
		complain(word, (int)(PREFIX_LENGTH + length), value, i);
}

static bool is_for_heddle(const char *word)
{
	return strncmp(word, PREFIX, PREFIX_LENGTH) == 0;
}

void heddle__settings_read_arguments(int file)
{
	char bytes[4096], word[4096] = "";
	size_t length = 0, count = 0;
	ssize_t n;
	while ((n = read(file, bytes, sizeof(bytes))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (length < sizeof(word))
				word[length++] = bytes[i];
			if (bytes[i])
				continue;
			word[length - 1] = '\0';
			length = 0;
			if (count++ == 0)
				continue; /* argv[0] */
			if (strcmp(word, "--") == 0)
				return;
			if (is_for_heddle(word))
				take_argument(word);
		}
	}
}

void heddle__settings_read(void)
{
	read_environment();
	if (getauxval(AT_SECURE))
		return;
	int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		heddle__settings_read_arguments(file);
		close(file);
	}
}

void heddle__settings_strip_arguments(int *argc, char ***argv)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	if (!argc || !argv || !*argv)
		return;
	pthread_mutex_lock(&lock);
	/* An array that another thread has modified may end before its count. */
	char **words = *argv;
	bool options = true;
	int kept = 0;
	for (int i = 0; i < *argc && words[i]; i++) {
		options = options && strcmp(words[i], "--") != 0;
		if (i == 0 || !options || !is_for_heddle(words[i]))
			words[kept++] = words[i];
	}
	if (kept < *argc)
		words[kept] = NULL;
	*argc = kept;
	pthread_mutex_unlock(&lock);
}

long heddle__setting_number(enum heddle_setting setting)
{
	return values[setting].number;
}

const char *heddle__setting_text(enum heddle_setting setting)
{
	return values[setting].text;
}

bool heddle__setting_lists(enum heddle_setting setting, const char *word)
{
	return is_listed(values[setting].text, word, ",");
}
