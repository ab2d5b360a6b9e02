/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of dynamic shared memory: what the result of an allocation is assigned to, by simple parsing of the line of the
 * call and a few before it.
 */
#include "profile/object.h"

#include <ctype.h>
#include <string.h>

#define LINES_BACK 4 /* on which the assignment may begin */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The beginning of a line; the end of the text if it has fewer lines. */
static const char *line_at(const char *source, uint32_t line)
{
	while (line-- > 1 && *source) {
		const char *end = strchr(source, '\n');
		source = end ? end + 1 : source + strlen(source);
	}
	return source;
}

/* The first call of the function in [from, end); NULL: none. */
static const char *find_call(const char *from, const char *end, const char *function)
{
	size_t length = strlen(function);
	for (const char *at = from; (at = strstr(at, function)) != NULL && at < end; at += length) {
		const char *next = at + length;
		while (*next == ' ' || *next == '\t')
			next++;
		if (*next == '(' && (at == from || !is_word(at[-1])))
			return at;
	}
	return NULL;
}

static const char *skip_blanks_back(const char *from, const char *at)
{
	while (at > from && isspace((unsigned char)at[-1]))
		at--;
	return at;
}

/* From behind a closing parenthesis or bracket back to the opening one; NULL: there is none. */
static const char *skip_group_back(const char *from, const char *at)
{
	int depth = 0;
	while (at > from) {
		char c = *--at;
		depth += (c == ')' || c == ']') - (c == '(' || c == '[');
		if (depth == 0)
			return at;
	}
	return NULL;
}

/* From a call back over casts and parentheses to its '='; NULL: it is not assigned. */
static const char *find_assignment(const char *from, const char *call)
{
	const char *at = skip_blanks_back(from, call);
	while (at && at > from && (at[-1] == ')' || at[-1] == '('))
		at = at[-1] == ')' ? skip_group_back(from, at) : at - 1, at = at ? skip_blanks_back(from, at) : NULL;
	if (!at || at == from || at[-1] != '=')
		return NULL;
	return at - 1 > from && strchr("=<>!+-*/%&|^", at[-2]) ? NULL : at - 1;
}

/* The beginning of the name that ends at `at`: words, members and subscripts. */
static const char *begin_of_name(const char *from, const char *at)
{
	while (at && at > from) {
		if (at[-1] == ']')
			at = skip_group_back(from, at);
		else if (is_word(at[-1]) || at[-1] == '.')
			at--;
		else if (at - 1 > from && at[-1] == '>' && at[-2] == '-')
			at -= 2;
		else if (strchr("[.-", *at) && isspace((unsigned char)at[-1]))
			at = skip_blanks_back(from, at); /* before a subscript or a member */
		else
			break;
	}
	return at;
}

/* Copies a name without its subscripts and blanks. False: it is none. */
static bool copy_name(char *name, size_t size, const char *at, const char *end)
{
	size_t length = 0;
	int depth = 0;
	if (at >= end || isdigit((unsigned char)*at))
		return false;
	for (; at < end && length + 1 < size; at++) {
		bool bracket = *at == '[' || *at == ']';
		depth -= *at == ']';
		if ((depth == 0 && !isspace((unsigned char)*at)) || (bracket && depth == 0))
			name[length++] = *at;
		depth += *at == '[';
	}
	name[length] = '\0';
	return length > 0 && (isalpha((unsigned char)*name) || *name == '_');
}

/* Whether a variable is returned before its function ends, at a brace in the first column. */
static bool is_returned(const char *from, const char *name)
{
	const char *end = strstr(from, "\n}");
	size_t length = strlen(name);
	for (const char *at = from; (at = strstr(at, "return")) != NULL && (!end || at < end); at += 6) {
		const char *what = at + 6 + strspn(at + 6, " \t(");
		if (strncmp(what, name, length) == 0 && strspn(what + length, " \t)") == strcspn(what + length, ";"))
			return true;
	}
	return false;
}

bool profile_object_assigned(const char *source, uint32_t line, const char *function, char *name, size_t size)
{
	if (!*function)
		return false;
	const char *start = line_at(source, line), *end = strchr(start, '\n');
	const char *call = find_call(start, end ? end : start + strlen(start), function);
	if (!call)
		return false;
	const char *from = line_at(source, line > LINES_BACK ? line - LINES_BACK : 1);
	const char *assignment = find_assignment(from, call);
	if (!assignment)
		return false;
	const char *behind = skip_blanks_back(from, assignment);
	const char *begin = begin_of_name(from, behind);
	return begin && copy_name(name, size, begin, behind) && !is_returned(call, name);
}
