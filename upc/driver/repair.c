/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides from an expression's tokens alone whether it is only the address of a member. Types are not known here. */
#include "upc/driver/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/translate/members.h"
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

/* The first TEXT of a range outside of brackets; -1: none. */
static int find(const struct tokens *tokens, int first, int last, const char *text)
{
	for (int i = first; i <= last; i++) {
		if (upc__token_is(tokens, i, text))
			return i;
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return -1;
}

/* The colon of the ?: whose question mark is given; -1: none. */
static int find_colon(const struct tokens *tokens, int question, int last)
{
	int depth = 0;
	for (int i = question; i <= last; i++) {
		depth += upc__token_is(tokens, i, "?") - upc__token_is(tokens, i, ":");
		if (depth == 0)
			return i;
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return -1;
}

/* A member's address, also behind a comma; a choice (?:) between two, or between one and a null pointer. */
static bool is_member_address(const struct tokens *tokens, int first, int last)
{
	int comma;
	do {
		upc__strip_parentheses(tokens, &first, &last);
		comma = find(tokens, first, last, ",");
		first = comma < 0 ? first : upc__token_next(tokens, comma);
	} while (comma >= 0);
	int question = find(tokens, first, last, "?");
	if (question < 0)
		return upc__is_inner_address(tokens, first, last);
	int colon = find_colon(tokens, question, last);
	if (colon < 0)
		return false;
	int middle = upc__token_next(tokens, question), middle_end = upc__token_previous(tokens, colon);
	int end = upc__token_next(tokens, colon);
	bool left = is_member_address(tokens, middle, middle_end), right = is_member_address(tokens, end, last);
	return (left && (right || is_zero(tokens, end, last))) || (right && is_zero(tokens, middle, middle_end));
}

/* The N-th quoted type, of 'T' (aka 'U') T; with MEANT, U. Caller frees. */
static char *quoted(const char *text, int n, bool meant)
{
	static const char also[] = " (aka '";
	for (;; n--) {
		const char *open = strchr(text, '\'');
		const char *close = open ? strchr(open + 1, '\'') : NULL;
		if (!close)
			return NULL;
		bool alias = strncmp(close + 1, also, strlen(also)) == 0;
		const char *meaning = alias ? close + 1 + strlen(also) : open + 1;
		const char *end = alias ? strchr(meaning, '\'') : close;
		if (!end)
			return NULL;
		if (n == 0 && meant)
			return upc__format("%.*s", (int)(end - meaning), meaning);
		if (n == 0)
			return upc__format("%.*s", (int)(close - open - 1), open + 1);
		text = end + 1;
	}
}

#define SPACE "__attribute__((address_space("

/*
 * The address space of the memory that pointer TYPE points to; NULL: private. That may itself hold pointers-to-shared:
 * `shared int *shared [] *` has two spaces, and only its last star behind the last of them.
 */
static const char *last_space(const char *type)
{
	const char *last = NULL;
	for (const char *at = type; at && (at = strstr(at, SPACE)) != NULL; at++)
		last = at;
	const char *star = last ? strchr(last, '*') : NULL;
	return star && !strchr(star + 1, '*') ? last : NULL;
}

static bool is_shared(const char *type, bool indefinite)
{
	const char *last = last_space(type);
	long number = last ? strtol(last + strlen(SPACE), NULL, 10) : 0;
	return number >= UPC_SPACE && (!indefinite || number == UPC_SPACE);
}

/* TYPE without that space, blanks, and qualifiers, which a conversion may add. Caller frees. */
static char *plain_type(const char *type)
{
	static const char *const dropped[] = {" ", "const ", "volatile ", "restrict ", NULL};
	char *plain = upc__format("%s ", type);
	const char *space = last_space(plain);
	size_t length = 0;
	for (const char *at = plain; *at != '\0';) {
		size_t skip = at == space ? strcspn(at, ")") + strlen(")))") : 0;
		for (int i = 0; dropped[i]; i++)
			if (strncmp(at, dropped[i], strlen(dropped[i])) == 0)
				skip = strlen(dropped[i]);
		if (skip == 0)
			plain[length++] = *at++;
		at += skip;
	}
	plain[length] = '\0';
	return plain;
}

/* Whether these pointer types differ in the address space and in qualifiers only. */
static bool are_alike(const char *a, const char *b)
{
	char *plain_a = plain_type(a), *plain_b = plain_type(b);
	bool alike = strcmp(plain_a, plain_b) == 0;
	free(plain_a);
	free(plain_b);
	return alike;
}

static void insert(struct report *report, int row, int column, bool is_end, char *text)
{
	struct upc_insertion *more =
		realloc(report->insertions, (size_t)(report->insertion_count + 1) * sizeof *report->insertions);
	if (!more)
		exit(1);
	report->insertions = more;
	struct upc_insertion *added = &more[report->insertion_count++];
	*added = (struct upc_insertion){.row = row - 1, .column = column, .is_end = is_end};
	added->text = text;
}

bool upc__repaired(struct report *report)
{
	bool any = report->insertion_count > 0;
	upc__insert(report->translation, report->insertions, report->insertion_count);
	free(report->insertions);
	report->insertions = NULL;
	report->insertion_count = 0;
	return any;
}

static void cast(struct report *report, const struct upc_text_range *place, const char *type)
{
	int first, last;
	if (!tokens_of(report, place, &first, &last) || !is_member_address(report->translation->tokens, first, last))
		return;
	insert(report, place->row, place->column, false, upc__format("((%s)(", type));
	insert(report, place->end_row, place->end_column, true, upc__format("%s", "))"));
}

/* Which type in the message is the target, for each wording of clang's. */
static int target_of(const char *text)
{
	if (strncmp(text, "passing ", 8) == 0 || strncmp(text, "returning ", 10) == 0 ||
		strncmp(text, "assigning ", 10) == 0)
		return 1;
	return strncmp(text, "initializing ", 13) == 0 ? 0 : -1;
}

static void repair_comparison(struct report *report, const struct upc_message *message)
{
	char *types[] = {quoted(message->text, 0, false), quoted(message->text, 1, false)};
	char *meant[] = {quoted(message->text, 0, true), quoted(message->text, 1, true)};
	if (is_shared(meant[0], false) && is_shared(meant[1], false) && message->range_count == 2 &&
		are_alike(meant[0], meant[1])) {
		if (is_shared(meant[1], true))
			cast(report, &message->ranges[0], types[1]);
		else if (is_shared(meant[0], true))
			cast(report, &message->ranges[1], types[0]);
	}
	for (int i = 0; i < 2; i++) {
		free(types[i]);
		free(meant[i]);
	}
}

void upc__repair(struct report *report, const struct upc_message *message)
{
	if (!strstr(message->level, "error"))
		return;
	if (strstr(message->text, "non-overlapping address spaces")) {
		repair_comparison(report, message);
		return;
	}
	int target = target_of(message->text);
	if (target < 0 || message->range_count == 0 || !strstr(message->text, "changes address space of pointer"))
		return;
	char *to = quoted(message->text, target, false);
	char *meant = quoted(message->text, target, true), *from = quoted(message->text, 1 - target, true);
	if (is_shared(meant, true) && is_shared(from, false) && are_alike(meant, from))
		cast(report, &message->ranges[message->range_count - 1], to);
	free(to);
	free(meant);
	free(from);
}
