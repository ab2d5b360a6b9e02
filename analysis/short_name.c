/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the outermost brackets of a demangled name, then its qualifiers. Characters of an operator's name, such as "<",
 * are not brackets.
 */
#include "analysis/short_name.h"

#include "analysis/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 4096 /* bytes; the search takes quadratic time if brackets are not closed */

/* Returns the length of an operator's name with its symbol, "<<=", "->", "()"; 0: the text does not begin with one. */
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

/* True if a bracket at `at` has arguments, unlike "(anonymous namespace)" and "(3 levels)". */
static bool holds_arguments(const char *name, size_t at)
{
	return at && (isalnum((unsigned char)name[at - 1]) || strchr("_>)", name[at - 1]));
}

/* Returns the end of the bracket that begins at `at`, behind its last character; 0: it is not closed. */
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

/* Finds the longest bracket whose contents are longer than the mark; false: there is none. */
static bool find_longest(const char *name, size_t mark, size_t *begin, size_t *end)
{
	size_t most = mark, behind_operator = 0;
	for (size_t at = 0; name[at];) {
		size_t skip = operator_length(name + at);
		size_t close = 0;
		if (skip) /* "operator< <int>": a blank separates the argument */
			behind_operator = at + skip + (name[at + skip] == ' ' && name[at + skip + 1] == '<');
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

/* Returns the offset of the first "::" from which the rest, with the mark, fits; 0: there is none. */
static size_t end_of_qualifiers(const char *name, size_t room, size_t mark)
{
	for (size_t at = 0; name[at];) {
		size_t skip = operator_length(name + at);
		size_t close = !skip && (name[at] == '<' || name[at] == '(') ? end_of_bracket(name, at) : 0;
		if (at > mark && strncmp(name + at, "::", 2) == 0 && mark + heddle__columns(name + at) <= room)
			return at;
		at = skip ? at + skip : close ? close : at + 1;
	}
	return 0;
}

/* Replaces the text from `begin` to `end` by the mark; NULL: no memory. */
static char *leave_out(const char *name, size_t begin, size_t end, const char *mark)
{
	char *shorter = malloc(strlen(name) + strlen(mark) + 1);
	if (shorter)
		sprintf(shorter, "%.*s%s%s", (int)begin, name, mark, name + end);
	return shorter;
}

char *heddle__short_name(const char *name, size_t room, bool utf8)
{
	const char *mark = utf8 ? "…" : "..";
	size_t begin = 0, end = 0;
	char *copy = NULL;
	if (strnlen(name, LONGEST) == LONGEST)
		return NULL;
	for (;;) {
		const char *now = copy ? copy : name;
		if (heddle__columns(now) <= room)
			return copy;
		if (!find_longest(now, strlen(mark), &begin, &end)) {
			begin = 0;
			end = end_of_qualifiers(now, room, heddle__columns(mark));
		}
		char *shorter = end ? leave_out(now, begin, end, mark) : NULL;
		if (!shorter)
			return copy;
		free(copy);
		copy = shorter;
		end = 0;
	}
}
