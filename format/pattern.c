/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tracks the set of all pattern positions that the text may have reached, so there is no backtracking. Must not
 * allocate or recurse deeper than a pattern is long.
 */
#include "format/pattern.h"

#include <string.h>

struct match {
	const char *pattern;
	size_t length;
	bool in_braces[HEDDLE_PATTERN_LIMIT + 1];
	bool now[HEDDLE_PATTERN_LIMIT + 1], next[HEDDLE_PATTERN_LIMIT + 1];
};

/* Returns one past the brace that closes the group of position `at`, or the end of the pattern if there is none. */
static size_t after_group(const struct match *match, size_t at)
{
	while (at < match->length && match->pattern[at] != '}')
		at++;
	return at < match->length ? at + 1 : at;
}

static bool is_separator(const struct match *match, size_t at)
{
	return match->pattern[at] == ',' && match->in_braces[at];
}

/* Adds position `at`, and all positions that can be reached from it without consuming a letter of the text. */
static void reach(const struct match *match, bool *set, size_t at)
{
	while (!set[at]) {
		set[at] = true;
		if (match->pattern[at] == '{') {
			for (size_t i = at + 1; i < match->length && match->pattern[i] != '}'; i++)
				if (match->pattern[i] == ',')
					reach(match, set, i + 1);
			at++;
		} else if (is_separator(match, at)) {
			at = after_group(match, at);
		} else if (match->pattern[at] == '*' || match->pattern[at] == '}') {
			at++;
		} else {
			return;
		}
	}
}

/* Consumes one letter of the text. False: no position is left. */
static bool step(struct match *match, char letter)
{
	bool any = false;
	memset(match->next, 0, match->length + 1);
	for (size_t i = 0; i < match->length; i++) {
		if (!match->now[i] || is_separator(match, i))
			continue;
		bool digit = match->pattern[i] == '#' && letter >= '0' && letter <= '9';
		if (match->pattern[i] == '*')
			reach(match, match->next, i);
		else if (digit || (match->pattern[i] == letter && !strchr("#{}", letter)))
			reach(match, match->next, i + 1);
		else
			continue;
		any = true;
	}
	memcpy(match->now, match->next, match->length + 1);
	return any;
}

/* Returns the length of the literal prefix, in which most texts differ. */
static size_t literal_start(const char *pattern)
{
	return strcspn(pattern, "*#{}");
}

bool heddle__pattern_matches(const char *pattern, const char *text)
{
	size_t literal = literal_start(pattern);
	if (strncmp(pattern, text, literal) != 0)
		return false;
	struct match match = {.pattern = pattern + literal, .length = strlen(pattern + literal)};
	if (match.length > HEDDLE_PATTERN_LIMIT)
		return false;
	if (strcmp(match.pattern, "*") == 0)
		return true;
	for (size_t i = 0, inside = 0; i < match.length; i++) {
		inside = match.pattern[i] == '{' ? 1 : match.pattern[i] == '}' ? 0 : inside;
		match.in_braces[i] = inside;
	}
	reach(&match, match.now, 0);
	for (const char *at = text + literal; *at; at++) {
		bool rest = match.length && match.now[match.length - 1] && match.pattern[match.length - 1] == '*';
		if (rest)
			return true; /* the last `*` matches the rest */
		if (!step(&match, *at))
			return false;
	}
	return match.now[match.length];
}
