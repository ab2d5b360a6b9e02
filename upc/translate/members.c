/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds members of structures by their names; types are not known here. */
#include "upc/translate/members.h"

#include <string.h>

#define MOST_TYPEDEFS 8 /* typedefs of typedefs */
#define MANY_DIMENSIONS 99

int upc__last_member(const struct tokens *tokens, int first, int last)
{
	int member = -1;
	for (int i = first; i <= last; i++) {
		if (upc__token_is(tokens, i, ".") || upc__token_is(tokens, i, "->"))
			member = upc__token_next(tokens, i);
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return member;
}

int upc__indices_after(const struct tokens *tokens, int name)
{
	int indices = 0, next = upc__token_next(tokens, name);
	for (; upc__token_is(tokens, next, "[") && tokens->list[next].partner > 0; indices++)
		next = upc__token_next(tokens, tokens->list[next].partner);
	return indices;
}

static bool same_word(const struct token *a, const struct token *b)
{
	return a->kind == TOKEN_WORD && a->length == b->length && strncmp(a->text, b->text, (size_t)a->length) == 0;
}

/* The first token of the declaration that contains token I. */
static int declaration_start(const struct tokens *tokens, int i)
{
	for (int outer = tokens->list[i].outer;;) {
		int before = upc__token_previous(tokens, i);
		if (before < 0 || before == outer || upc__token_is(tokens, before, ";"))
			return i;
		int partner = tokens->list[before].partner;
		/*
		 * The previous closing brace ends a function or a structure; a structure in this declaration has a tag
		 * before it.
		 */
		if (upc__token_is(tokens, before, "}") && tokens->list[before].outer < 0 &&
			upc__token_is(tokens, upc__token_previous(tokens, partner), ")"))
			return i;
		i = partner >= 0 && partner < before ? partner : before;
	}
}

static int dimensions_of(const struct tokens *tokens, int declarator, int depth);

/* Whether a word is a typedef of an array type. */
static bool is_array_type(const struct tokens *tokens, int word, int depth)
{
	for (int i = 1; i < tokens->count && depth < MOST_TYPEDEFS; i++) {
		bool ends = upc__token_is(tokens, i + 1, ";") || upc__token_is(tokens, i + 1, ",") ||
			    upc__token_is(tokens, i + 1, "[");
		if (ends && same_word(&tokens->list[i], &tokens->list[word]) && i != word &&
			upc__token_is(tokens, declaration_start(tokens, i), "typedef") &&
			dimensions_of(tokens, i, depth + 1) > 0)
			return true;
	}
	return false;
}

bool upc__is_typedef(const struct tokens *tokens, int word)
{
	for (int i = 1; i < tokens->count; i++) {
		bool ends = upc__token_is(tokens, i + 1, ";") || upc__token_is(tokens, i + 1, ",") ||
			    upc__token_is(tokens, i + 1, "[");
		if (ends && same_word(&tokens->list[i], &tokens->list[word]) &&
			upc__token_is(tokens, declaration_start(tokens, i), "typedef"))
			return true;
	}
	return false;
}

static int dimensions_of(const struct tokens *tokens, int declarator, int depth)
{
	int dimensions = upc__indices_after(tokens, declarator);
	if (dimensions > 0 || upc__token_is(tokens, upc__token_previous(tokens, declarator), "*"))
		return dimensions;
	for (int i = declaration_start(tokens, declarator); i < declarator; i = upc__token_next(tokens, i)) {
		if (upc__token_is(tokens, i, ","))
			break;
		if (tokens->list[i].kind == TOKEN_WORD && is_array_type(tokens, i, depth))
			return MANY_DIMENSIONS;
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return 0;
}

int upc__member_dimensions(const struct tokens *tokens, int name)
{
	int most = 0;
	for (int i = 1; i + 1 < tokens->count; i++) {
		if (!same_word(&tokens->list[i], &tokens->list[name]))
			continue;
		bool access = upc__token_is(tokens, i - 1, ".") || upc__token_is(tokens, i - 1, "->");
		bool declared = upc__token_is(tokens, i + 1, "[") || upc__token_is(tokens, i + 1, ";") ||
				upc__token_is(tokens, i + 1, ",");
		if (access || !declared || !upc__token_is(tokens, tokens->list[i].outer, "{"))
			continue;
		int dimensions = dimensions_of(tokens, i, 0);
		most = dimensions > most ? dimensions : most;
	}
	return most;
}

void upc__strip_parentheses(const struct tokens *tokens, int *first, int *last)
{
	while (*first < *last && upc__token_is(tokens, *first, "(") && tokens->list[*first].partner == *last) {
		*first = upc__token_next(tokens, *first);
		*last = upc__token_previous(tokens, *last);
	}
}

/* The first binary + or - outside of brackets; -1: none. */
static int find_sum(const struct tokens *tokens, int first, int last)
{
	for (int i = first; i <= last; i++) {
		int before = upc__token_previous(tokens, i);
		bool operand = before >= first &&
			       (tokens->list[before].kind != TOKEN_PUNCTUATION || upc__token_is(tokens, before, ")") ||
				       upc__token_is(tokens, before, "]"));
		if (operand && (upc__token_is(tokens, i, "+") || upc__token_is(tokens, i, "-")))
			return i;
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return -1;
}

bool upc__is_inner_address(const struct tokens *tokens, int first, int last)
{
	upc__strip_parentheses(tokens, &first, &last);
	int sum = find_sum(tokens, first, last);
	if (sum >= 0)
		return upc__is_inner_address(tokens, first, upc__token_previous(tokens, sum)) ||
		       upc__is_inner_address(tokens, upc__token_next(tokens, sum), last);
	bool address = upc__token_is(tokens, first, "&");
	if (address) {
		first = upc__token_next(tokens, first);
		upc__strip_parentheses(tokens, &first, &last);
	}
	int member = upc__last_member(tokens, first, last);
	if (member < 0)
		return false;
	int indices = upc__indices_after(tokens, member), dimensions = upc__member_dimensions(tokens, member);
	return address ? indices <= dimensions : indices < dimensions;
}
