/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with units, and names cut to a number of columns, for reports. */
#include "analysis/text.h"

#include "analysis/short_name.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define LEAST_OF_NAME 3 /* columns before a source position */

/* Reads one character of UTF-8, or one byte that is not UTF-8. Returns its number of bytes. */
static size_t read_character(const char *text, size_t length, wchar_t *character)
{
	unsigned char first = (unsigned char)text[0];
	size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
	*character = (wchar_t)(more ? first & (0x3f >> more) : first);
	for (size_t i = 1; i <= more; i++) {
		if (i >= length || ((unsigned char)text[i] & 0xc0) != 0x80)
			return 1;
		*character = *character << 6 | (text[i] & 0x3f);
	}
	return more + 1;
}

/* Returns the length in bytes of an escape sequence that sets a colour; 0: none. */
static size_t escape_length(const char *text, size_t length)
{
	size_t at = 2;
	if (length < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (at < length && text[at] != 'm')
		at++;
	return at < length ? at + 1 : 0;
}

/* Moves *at behind a character and returns its columns: two for East Asian characters, none for combining ones. */
static size_t step(const char *text, size_t length, size_t *at)
{
	wchar_t character;
	size_t escape = escape_length(text + *at, length - *at);
	*at += escape ? escape : read_character(text + *at, length - *at, &character);
	int columns = escape ? 0 : wcwidth(character);
	return columns < 0 ? 1 : (size_t)columns;
}

size_t heddle__columns_of(const char *text, size_t length)
{
	size_t columns = 0;
	for (size_t at = 0; at < length;)
		columns += step(text, length, &at);
	return columns;
}

size_t heddle__columns(const char *text)
{
	return heddle__columns_of(text, strlen(text));
}

/* Returns the columns that the kept end of a cut text takes. *end becomes the end of the rest, in bytes. */
static size_t kept_columns(const char *text, size_t room, size_t *end)
{
	const char *blank = strrchr(text, ' '), *caller = strchr(text, ';');
	if ((caller && caller[1] != ' ') || (!blank && strchr(text, '/')))
		return room;
	if (!blank || blank[1] != '@')
		return 0;
	*end = (size_t)(blank - text);
	size_t columns = heddle__columns(blank);
	return columns + LEAST_OF_NAME <= room ? columns : 0;
}

struct heddle_cut heddle__cut(const char *text, size_t room, bool utf8)
{
	size_t length = strlen(text), columns = heddle__columns(text);
	struct heddle_cut cut = {.head = length, .mark = "", .tail = text + length, .columns = columns};
	const char *mark = utf8 ? "…" : "..";
	size_t wide = heddle__columns(mark);
	if (columns <= room)
		return cut;
	size_t left = room > wide ? room - wide : 0, from = 0, taken = 0, skipped = 0, end = length;
	size_t kept = kept_columns(text, left, &end);
	cut.head = 0;
	for (size_t at = 0, size; taken + (size = step(text, length, &at)) <= left - kept && at <= end; cut.head = at)
		taken += size;
	while (skipped < columns - kept)
		skipped += step(text, length, &from);
	cut.mark = room < wide ? "" : mark;
	cut.tail = text + from;
	cut.columns = taken + heddle__columns(cut.mark) + (columns - skipped);
	return cut;
}

size_t heddle__fit(char *fitted, size_t size, const char *text, size_t room, bool utf8)
{
	char *shortened = heddle__short_name(text, room, utf8);
	if (shortened)
		text = shortened;
	struct heddle_cut cut = heddle__cut(text, room, utf8);
	int length = snprintf(fitted, size, "%.*s%s%s", (int)cut.head, text, cut.mark, cut.tail);
	free(shortened);
	if (length < 0 || (size_t)length >= size)
		return heddle__fit(fitted, size, "?", room, utf8);
	return cut.columns;
}

char *heddle__format_percent(char *text, size_t size, uint64_t value, uint64_t total)
{
	if (value == 0)
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.1f", total ? 100.0 * (double)value / (double)total : 0);
	return text;
}

char *heddle__format_time(char *text, size_t size, uint64_t ns)
{
	static const struct {
		double unit;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	size_t u = 0;
	while (u < 3 && (double)ns < units[u].unit * 0.9995)
		u++;
	double value = (double)ns / units[u].unit;
	if (value >= 999.5) { /* of seconds, which are the largest unit */
		char seconds[32];
		snprintf(
			text, size, "%s s", heddle__format_count(seconds, sizeof(seconds), (uint64_t)nearbyint(value)));
		return text;
	}
	int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	snprintf(text, size, "%.*f %s", u == 3 ? 0 : digits, value, units[u].name);
	return text;
}

char *heddle__format_count(char *text, size_t size, uint64_t count)
{
	char digits[32];
	size_t length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count), used = 0;
	for (size_t i = 0; i < length && used + 2 < size; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	return text;
}

char *heddle__format_bytes(char *text, size_t size, uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double value = (double)bytes;
	size_t u = 0;
	for (; value >= 999.5 && u + 1 < sizeof(units) / sizeof(*units); u++)
		value /= 1024;
	int digits = u == 0 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	snprintf(text, size, "%.*f %s", digits, value, units[u]);
	return text;
}

char *heddle__format_value(char *text, size_t size, uint64_t value, const char *unit)
{
	if (strcmp(unit, "ns") == 0)
		return heddle__format_time(text, size, value);
	if (strcmp(unit, "bytes") == 0)
		return heddle__format_bytes(text, size, value);
	return heddle__format_count(text, size, value);
}

char *heddle__format_number(char *text, size_t size, double number)
{
	double size_of_it = fabs(number);
	if (number == floor(number) && size_of_it < 1e15) {
		text[0] = '-';
		heddle__format_count(text + (number < 0), size - (number < 0), (uint64_t)size_of_it);
	} else if (size_of_it >= 1000 && size_of_it < 1e9) {
		snprintf(text, size, "%.1f", number);
	} else {
		snprintf(text, size, "%.4g", number);
	}
	return text;
}
