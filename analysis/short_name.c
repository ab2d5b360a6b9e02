/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds outermost brackets of a demangled name. Operators have characters of brackets in their names: they are no
 * brackets. */
#include "analysis/short_name.h"

#include "analysis/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 4096 /* bytes; the search takes quadratic time of brackets that are not closed */

/* Characters of an operator's symbol after the word: "<<=", "->", "()"; 0: the text does not begin with an operator. */
static size_t operator_length(const char *text)
{
	static const char word[] = "operator";
	if (strncmp(text, word, sizeof(word) - 1) != 0)
		return 0;
	const char *symbol = text + sizeof(word) - 1;
	if (strncmp(symbol, "()", 2) == 0)
		return sizeof(word) - 1 + 2;
	return sizeof(word) - 1 + strspn(symbol, "<>=-");
}

/* Whether a bracket that begins at `at` holds arguments, unlike "(anonymous namespace)" and "(3 levels)". */
static bool holds_arguments(const char *name, size_t at)
{
	return at && (isalnum((unsigned char)name[at - 1]) || strchr("_>)", name[at - 1]));
}

/* The end of the bracket that begins there, behind its last character; 0: it is not closed. */
static size_t end_of_bracket(const char *name, size_t at)
{
	size_t depth = 0;
	while (name[at]) {
		size_t skip = operator_length(name + at);
		if (skip) {
			at += skip;
			continue;
		}
		depth += name[at] == '<' || name[at] == '(';
		depth -= (name[at] == '>' && name[at - 1] != '-') || name[at] == ')';
		at++;
		if (depth == 0)
			return at;
	}
	return 0;
}

/* The longest bracket whose contents are longer than the mark; false: there is none. */
static bool find_longest(const char *name, size_t mark, size_t *begin, size_t *end)
{
	size_t most = mark, behind_operator = 0;
	for (size_t at = 0; name[at];) {
		size_t skip = operator_length(name + at);
		size_t close = 0;
		if (skip)
			behind_operator = at + skip;
		else if ((name[at] == '<' || name[at] == '(') &&
			 (holds_arguments(name, at) || (at && at == behind_operator)))
			close = end_of_bracket(name, at);
		if (close && close - at - 2 > most) {
			most = close - at - 2;
			*begin = at + 1;
			*end = close - 1;
		}
		at = skip ? at + skip : close ? close : at + 1;
	}
	return most > mark;
}

char *heddle__short_name(const char *name, size_t room, bool utf8)
{
	const char *mark = utf8 ? "…" : "..";
	size_t begin = 0, end = 0, length = strlen(mark);
	char *copy = NULL;
	if (strnlen(name, LONGEST) == LONGEST)
		return NULL;
	while (heddle__columns(copy ? copy : name) > room && find_longest(copy ? copy : name, length, &begin, &end)) {
		copy = copy ? copy : strdup(name);
		if (!copy)
			return NULL;
		for (size_t i = 0; i < length; i++)
			copy[begin + i] = mark[i];
		memmove(copy + begin + length, copy + end, strlen(copy + end) + 1);
	}
	return copy;
}
