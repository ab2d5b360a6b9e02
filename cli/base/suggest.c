/* SPDX-License-Identifier: BSD-3-Clause */
/* Edit distance with transpositions. It only compares names; the caller passes them. */
#include "cli/base/suggest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Row i holds the distances from the first i letters of `a` to prefixes of `b`. Two swapped neighbours count once. */
size_t heddle__edit_distance(const char *a, const char *b)
{
	size_t rows[3][HEDDLE_SUGGEST_LENGTH + 1], width = strlen(b), i = 1;
	if (width > HEDDLE_SUGGEST_LENGTH)
		return SIZE_MAX;
	for (size_t j = 0; j <= width; j++)
		rows[0][j] = j;
	for (; a[i - 1] != '\0'; i++) {
		size_t *row = rows[i % 3], *before = rows[(i + 2) % 3], *first = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= width; j++) {
			bool changed = a[i - 1] != b[j - 1] && (a[i - 1] ^ b[j - 1]) != 0x20;

			row[j] = least(least(before[j], row[j - 1]) + 1, before[j - 1] + changed);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], first[j - 2] + 1);
		}
	}
	return rows[(i + 2) % 3][width];
}

struct heddle_suggestion heddle__suggest(const char *word, size_t length)
{
	/* At most one letter in three may be wrong. */
	return (struct heddle_suggestion){.word = word, .length = length, .distance = length / 3 + 1};
}

void heddle__suggest_try(struct heddle_suggestion *suggestion, const char *name)
{
	char word[HEDDLE_SUGGEST_LENGTH + 1];
	size_t distance;
	if (suggestion->length < 2 || suggestion->length > HEDDLE_SUGGEST_LENGTH)
		return;
	memcpy(word, suggestion->word, suggestion->length);
	word[suggestion->length] = '\0';
	distance = strncmp(word, name, suggestion->length) == 0 ? 0 : heddle__edit_distance(word, name);
	if (distance >= suggestion->distance)
		return;
	suggestion->distance = distance;
	suggestion->name = name;
}

const char *heddle__suggest_text(const struct heddle_suggestion *suggestion, char *text, size_t size)
{
	if (suggestion->name)
		snprintf(text, size, ", did you mean '%s'?", suggestion->name);
	else
		snprintf(text, size, ";");
	return text;
}
