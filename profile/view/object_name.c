/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names dynamic shared memory after the variable that an allocation's result is assigned to, by simple parsing of the
 * source backwards from the call. If the variable is not certain, the memory has no name.
 */
#include "profile/view/object.h"

#include <ctype.h>
#include <string.h>

#define MOST_CALLS 15 /* on a line: this many, or more */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the beginning of a line, or the end of the text if it has fewer lines. */
static const char *line_at(const char *source, uint32_t line)
{
	while (line-- > 1 && *source) {
		const char *end = strchr(source, '\n');
		source = end ? end + 1 : source + strlen(source);
	}
	return source;
}

static bool is_call(const char *from, const char *at, const char *function)
{
	size_t length = strlen(function);
	if (strncmp(at, function, length) != 0 || (at > from && is_word(at[-1])))
		return false;
	at += length;
	while (*at == ' ' || *at == '\t')
		at++;
	return *at == '(';
}

/* Returns the call if its line has the expected number of calls; else NULL. */
static const char *find_call(const char *source, const struct profile_object_call *call)
{
	bool local = strcmp(call->function, "upc_alloc") == 0;
	uint32_t found = 0, wanted = call->calls > 1 ? call->call : 1;
	const char *chosen = NULL;
	for (const char *at = line_at(source, call->line); *at && *at != '\n'; at++)
		if ((is_call(source, at, call->function) || (local && is_call(source, at, "upc_local_alloc"))) &&
			++found == wanted)
			chosen = at;
	return found == (call->calls > 1 ? call->calls : 1) && found < MOST_CALLS ? chosen : NULL;
}

static const char *skip_blanks_back(const char *from, const char *at)
{
	while (at > from && isspace((unsigned char)at[-1]))
		at--;
	return at;
}

/* Goes from behind a closing parenthesis or bracket back to the opening one; NULL: there is none. */
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

static bool is_assignment(const char *from, const char *behind)
{
	return behind > from && behind[-1] == '=' && *behind != '=' &&
	       !(behind - 1 > from && strchr("=<>!+-*/%&|^", behind[-2]));
}

/* True if `word` ends at `behind`. */
static bool ends_word(const char *from, const char *behind, const char *word)
{
	size_t length = strlen(word);
	const char *at = behind - length;
	return (size_t)(behind - from) >= length && strncmp(at, word, length) == 0 && (at == from || !is_word(at[-1]));
}

/*
 * Goes from an operand of `?:` back over the condition, and the operands before, to behind the '=' or `return` that it
 * belongs to. NULL: it belongs to something else.
 */
static const char *skip_condition_back(const char *from, const char *at)
{
	while (at && at > from) {
		at = skip_blanks_back(from, at);
		if (is_assignment(from, at) || ends_word(from, at, "return") || (at > from && at[-1] == '('))
			return at;
		if (at == from || strchr(";{},", at[-1]))
			return NULL;
		at = at[-1] == ')' || at[-1] == ']' ? skip_group_back(from, at) : at - 1;
	}
	return NULL;
}

/*
 * Goes from a call back over casts, parentheses and conditions to behind its '=' or `return`; NULL: it has another use.
 */
static const char *find_use(const char *from, const char *call)
{
	const char *at = skip_blanks_back(from, call);
	while (at && at > from) {
		if (is_assignment(from, at) || ends_word(from, at, "return"))
			return at;
		if (at[-1] == ')')
			at = skip_group_back(from, at);
		else if (at[-1] == '(')
			at--;
		else if (at[-1] == '?' || at[-1] == ':')
			at = skip_condition_back(from, at - 1);
		else
			return NULL;
		at = at ? skip_blanks_back(from, at) : NULL;
	}
	return NULL;
}

/* Returns the beginning of the name that ends at `at`: words, members and subscripts. */
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

/* Copies a name without its subscripts and blanks. Returns false if the text is not a name. */
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

/* True if a variable is returned before its function ends, at a brace in the first column. */
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

/* Goes from an expression back to the beginning of its statement. */
static const char *begin_of_statement(const char *from, const char *at)
{
	while (at && at > from && !strchr(";{}(", at[-1]))
		at = at[-1] == ')' || at[-1] == ']' ? skip_group_back(from, at) : at - 1;
	return at ? at + strspn(at, " \t\r\n") : NULL;
}

/* True if a '*' that dereferences a pointer ends at `behind`: the variable that is assigned to is then unknown. */
static bool is_dereferenced(const char *from, const char *behind)
{
	static const char *const words[] = {"return", "else", "do"};
	const char *at = skip_blanks_back(from, behind);
	if (at == from || at[-1] != '*')
		return false;
	while (at > from && at[-1] == '*')
		at = skip_blanks_back(from, at - 1);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (ends_word(from, at, words[i]))
			return true;
	if (at == from || (at[-1] != ',' && !is_word(at[-1]) && at[-1] != ']'))
		return true;
	/* A declaration begins with two words, or with "shared [". */
	const char *word = begin_of_statement(from, at);
	size_t length = word ? strcspn(word, " \t\r\n*[(=,;") : 0;
	const char *next = word ? word + length + strspn(word + length, " \t\r\n") : NULL;
	return !length || !(is_word(*next) || *next == '*' || strncmp(word, "shared", length) == 0);
}

enum profile_object_use profile_object_use(
	const char *source, const struct profile_object_call *call, char *name, size_t size)
{
	const char *at = *call->function ? find_call(source, call) : NULL;
	const char *use = at ? find_use(source, at) : NULL;
	if (!use)
		return PROFILE_OBJECT_UNKNOWN;
	if (use[-1] != '=')
		return PROFILE_OBJECT_RETURNED;
	const char *behind = skip_blanks_back(source, use - 1);
	const char *begin = begin_of_name(source, behind);
	if (!begin || is_dereferenced(source, begin) || !copy_name(name, size, begin, behind))
		return PROFILE_OBJECT_UNKNOWN;
	return is_returned(at, name) ? PROFILE_OBJECT_RETURNED : PROFILE_OBJECT_ASSIGNED;
}

/* ---- comments, strings, directives ---- */

static char *blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
	return from;
}

/* Blanks the contents of a quoted text, and returns its end. */
static char *blank_quoted(char *at)
{
	char quote = *at++, *end = at;
	while (*end && *end != quote && *end != '\n')
		end += end[0] == '\\' && end[1] ? 2 : 1;
	blank(at, end);
	return *end == quote ? end + 1 : end;
}

static char *end_of_comment(char *at)
{
	char *end = strstr(at + 2, "*/");
	return end ? end + 2 : at + strlen(at);
}

/* Returns the end of a line that may be continued. The end of a directive is behind comments that begin on its line. */
static char *end_of_line(char *at, bool directive)
{
	while (*at && *at != '\n') {
		if (directive && at[0] == '/' && at[1] == '*')
			at = end_of_comment(at);
		else
			at += at[0] == '\\' && at[1] ? 2 : 1;
	}
	return at;
}

void profile_object_blank(char *source)
{
	bool begins = true; /* the line has had only blanks so far */
	for (char *at = source; *at;) {
		if (at[0] == '/' && at[1] == '*') {
			at = blank(at, end_of_comment(at));
		} else if (at[0] == '/' && at[1] == '/') {
			at = blank(at, end_of_line(at, false));
		} else if (*at == '"' || *at == '\'') {
			at = blank_quoted(at);
		} else if (*at == '#' && begins) {
			at = blank(at, end_of_line(at, true));
		} else {
			begins = *at == '\n' || (begins && isspace((unsigned char)*at));
			at++;
		}
	}
}
