/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads decimal digits one by one, as strtod depends on the program's locale. */
#include "format/quantity.h"

#include <stddef.h>

#define MOST_NS ((uint64_t)1 << 60) /* 36 years */

static bool is_digit(char letter)
{
	return letter >= '0' && letter <= '9';
}

/* Reads the number that `*text` begins with, times `unit`, and advances *text. False: none, or more than `most`. */
static bool read_number(const char **text, uint64_t unit, uint64_t most, uint64_t *number)
{
	uint64_t sum = 0;
	if (!is_digit(**text))
		return false;
	for (; is_digit(**text); ++*text) {
		sum = sum * 10 + (uint64_t)(**text - '0') * unit;
		if (sum > most)
			return false;
	}
	*number = sum;
	return true;
}

bool heddle__read_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMG";
	unsigned int power = 0;
	if (!read_number(&text, 1, UINT32_MAX, bytes))
		return false;
	while (*text && units[power] && units[power] != (char)(*text & ~0x20))
		power++;
	if (*text && (!units[power] || text[1]))
		return false;
	*bytes <<= *text ? 10 * (power + 1) : 0;
	return true;
}

/* Returns the unit that `*text` begins with, in ns, and advances *text. 0: none. */
static uint64_t read_unit(const char **text)
{
	uint64_t unit = **text == 'm' ? 1000000u : **text == 'u' ? 1000u : **text == 'n' ? 1 : 0;
	*text += unit != 0;
	if (**text != 's')
		return 0;
	++*text;
	return unit ? unit : 1000000000u;
}

/* Reads a time up to `stop` or the end of the text, and advances *text. */
static bool read_time(const char **text, char stop, uint64_t *ns)
{
	const char *digits = *text, *fraction = NULL;
	uint64_t whole = 0;
	while (is_digit(**text))
		++*text;
	if (**text == '.')
		for (fraction = ++*text; is_digit(**text);)
			++*text;
	uint64_t unit = read_unit(text);
	if (!unit || (**text && **text != stop) || !read_number(&digits, unit, MOST_NS, &whole))
		return false;
	for (uint64_t part = unit / 10; fraction && is_digit(*fraction) && part; part /= 10)
		whole += (uint64_t)(*fraction++ - '0') * part;
	*ns = whole;
	return true;
}

bool heddle__read_time(const char *text, uint64_t *ns)
{
	return read_time(&text, '\0', ns);
}

bool heddle__read_window(const char *text, uint64_t *from_ns, uint64_t *to_ns)
{
	if (!read_time(&text, ':', from_ns) || *text++ != ':')
		return false;
	*to_ns = UINT64_MAX;
	return !*text || (read_time(&text, '\0', to_ns) && *to_ns > *from_ns);
}
