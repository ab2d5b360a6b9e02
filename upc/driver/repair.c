/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a message is about a null pointer constant. */
#include "upc/driver/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/translate/tokens.h"

/* The tokens of a range; false when it is not a valid range. */
static bool tokens_of(const struct report *report, const struct upc_text_range *place, int *first, int *last)
{
	const struct upc_translation *translation = report->translation;
	*first = upc__token_at(translation, place->row - 1, place->column);
	*last = upc__token_at(translation, place->end_row - 1, place->end_column - 1);
	return *first >= 0 && *last >= *first;
}

/* A null pointer constant: 0, or the expansion of NULL, also after the translator removed its cast. */
static bool is_zero(const struct tokens *tokens, int first, int last)
{
	char *text = upc__tokens_text(tokens, first, last);
	char plain[16] = "";
	size_t length = 0;
	for (const char *c = text; *c != '\0' && length + 1 < sizeof plain; c++)
		if (*c != ' ' && *c != '(' && *c != ')')
			plain[length++] = *c;
	free(text);
	return strcmp(plain, "0") == 0 || strcmp(plain, "void*0") == 0;
}

bool upc__is_null(const struct report *report, const struct upc_message *message)
{
	for (int i = 0; i < message->range_count; i++) {
		int first, last;
		if (tokens_of(report, &message->ranges[i], &first, &last) &&
			is_zero(report->translation->tokens, first, last))
			return true;
	}
	return false;
}
