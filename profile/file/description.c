/* SPDX-License-Identifier: BSD-3-Clause */
/* A small parser of printf formats. The formats come from the measured program, so printf is never called with them. */
#include "profile/file/description.h"

#include "format/ids.h"
#include "profile/base/printable.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Skips digits, or a '*', which consumes an argument. */
static const char *skip_digits(const char *at, uint32_t *arguments)
{
	if (*at != '*')
		return at + strspn(at, "0123456789");
	++*arguments;
	return at + 1;
}

/* Returns the end of the conversion whose '%' is at `at`, and counts its arguments. NULL: not a valid conversion. */
static const char *conversion_end(const char *at, uint32_t *arguments)
{
	at++;
	at += strspn(at, "-+ #0'I");
	at = skip_digits(at, arguments);
	if (*at == '.')
		at = skip_digits(at + 1, arguments);
	at += strspn(at, "hlLqjzt");
	if (!*at || !strchr("diouxXeEfFgGaAcspm", *at))
		return NULL;
	*arguments += *at != 'm';
	return at + 1;
}

/* Removes characters between words and numbers. A closing bracket at the end belongs to the words: "time (s)". */
static void trim(const char **from, const char **to)
{
	while (*from < *to && strchr(" \t\r\n,;:=|/'\"([{<)]}>", **from))
		++*from;
	while (*from < *to && strchr(" \t\r\n,;:=|/'\"([{<", (*to)[-1]))
		--*to;
}

/*
 * Finds the words before the conversion of an argument, in a description that ends at `end_of_it`. Returns false if the
 * format is invalid; then nothing of it is used.
 */
static bool find_words(
	const char *description, const char *end_of_it, uint32_t argument, const char **from, const char **to)
{
	const char *words = description;
	uint32_t found = 0;
	*from = *to = description;
	for (const char *at = description; at < end_of_it;) {
		if (*at != '%') {
			at++;
			continue;
		}
		if (at[1] == '%') {
			at += 2;
			continue;
		}
		const char *end = conversion_end(at, &found);
		if (!end)
			return false;
		if (found == argument && end[-1] != 'm') {
			*from = words;
			*to = at;
		}
		words = at = end;
	}
	return true;
}

static void put_text(char *name, size_t size, const char *from, size_t length)
{
	size_t used = length < size ? length : size - 1;
	memcpy(name, from, used);
	name[used] = '\0';
	profile_make_printable(name);
}

/* Returns the end of the description in a text that may also have a string. */
static const char *description_end(const char *text)
{
	size_t length = strlen(text);
	for (size_t at = length; at-- > 0;)
		if (strncmp(text + at, HEDDLE_TEXT_BEGINS, HEDDLE_TEXT_MARK_BYTES) == 0)
			return text + at;
	const char *mark = length < HEDDLE_TEXT_MARK_BYTES ? text + length : text + length - HEDDLE_TEXT_MARK_BYTES;
	return strcmp(mark, HEDDLE_TEXT_IS_ANOTHER) == 0 ? mark : text + length;
}

static void put_name(char *name, size_t size, const char *description, uint32_t argument)
{
	const char *from, *to, *end = description_end(description);
	if (!find_words(description, end, argument, &from, &to)) {
		put_text(name, size, description, (size_t)(end - description));
		if (argument > 1)
			snprintf(name + strlen(name), size - strlen(name), ", argument %" PRIu32, argument);
		return;
	}
	trim(&from, &to);
	if (from < to)
		put_text(name, size, from, (size_t)(to - from));
	else
		snprintf(name, size, "argument %" PRIu32, argument);
}

char *profile_argument_name(char *name, size_t size, const char *description, uint32_t argument)
{
	bool of_end = argument > HEDDLE_ARGUMENT_OF_END;
	put_name(name, size, description, of_end ? argument - HEDDLE_ARGUMENT_OF_END : argument);
	if (of_end)
		snprintf(name + strlen(name), size - strlen(name), " at end");
	return name;
}

const char *profile_argument_string(const char *description, bool *further)
{
	const char *end = description_end(description);
	*further = strcmp(end, HEDDLE_TEXT_IS_ANOTHER) == 0;
	return *end ? end + HEDDLE_TEXT_MARK_BYTES : NULL;
}
