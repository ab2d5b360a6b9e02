/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/settings.h"

#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "core/memory.h"

static const struct {
	const char *variable, *choices, *initial;
	enum heddle_setting_kind kind;
	long low, high;
} table[] = {
#define X(name, variable, option, argument, kind, low, high, initial, help) \
	[HEDDLE_SETTING_##name] = {variable, argument, initial, HEDDLE_SETTING_KIND_##kind, low, high},
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
	switch (table[setting].kind) {
	case HEDDLE_SETTING_KIND_NUMBER:
		number = strtol(text, &end, 10);
		return end != text && !*end && number >= table[setting].low && number <= table[setting].high;
	case HEDDLE_SETTING_KIND_CHOICE:
		return is_listed(table[setting].choices, text, "|");
	case HEDDLE_SETTING_KIND_LIST:
		return are_listed(table[setting].choices, text);
	case HEDDLE_SETTING_KIND_PATH:
	case HEDDLE_SETTING_KIND_FILE:
	case HEDDLE_SETTING_KIND_FLAG:
		return true;
	}
	return false;
}

/* The environment may change under us: keep a copy. */
static const char *keep(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = heddle__alloc(size);
	return copy ? memcpy(copy, text, size) : "";
}

void heddle__settings_read(void)
{
	for (enum heddle_setting i = 0; i < HEDDLE_SETTING_COUNT; i++) {
		const char *text = secure_getenv(table[i].variable);
		if (text && *text && !is_good(i, text)) {
			heddle__warn("%s=%s is not a valid value; using %s", table[i].variable, text,
				*table[i].initial ? table[i].initial : "the default");
			text = NULL;
		}
		values[i].text = text && *text ? keep(text) : table[i].initial;
		values[i].number = strtol(values[i].text, NULL, 10);
		if (table[i].kind == HEDDLE_SETTING_KIND_FLAG)
			values[i].number = *values[i].text && strcmp(values[i].text, "0") != 0;
	}
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
