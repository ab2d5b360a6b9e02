/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text without comments is searched for names, brackets and assignments. An index is known if no variable with remote
 * elements occurs in it, nor a private one that is assigned from such, except as the element that the affinity names.
 */
#include "cli/advise/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The end of a comment or literal that begins at `at`; `at` itself: none does. */
static size_t skip(const char *text, size_t at)
{
	size_t end = at;
	char quote = text[at];
	if (quote == '/' && text[at + 1] == '/')
		return at + strcspn(text + at, "\n");
	if (quote == '/' && text[at + 1] == '*') {
		const char *close = strstr(text + at + 2, "*/");
		return close ? (size_t)(close - text) + 2 : strlen(text);
	}
	if (quote != '"' && quote != '\'')
		return at;
	for (end++; text[end] && text[end] != quote && text[end] != '\n'; end++)
		end += text[end] == '\\' && text[end + 1];
	return end + (text[end] == quote);
}

/* Blanks comments and literals, but no line ends. */
static void blank(char *text)
{
	for (size_t at = 0; text[at];) {
		size_t end = skip(text, at);
		if (end == at)
			at++;
		for (; at < end; at++)
			if (text[at] != '\n')
				text[at] = ' ';
	}
}

static size_t line_start(const char *text, uint32_t line)
{
	size_t at = 0;
	while (--line > 0 && text[at]) {
		at += strcspn(text + at, "\n");
		at += text[at] == '\n';
	}
	return at;
}

/* Where a word stands from `from` to before `to`; `to`: nowhere. */
static size_t find_word(const char *text, size_t from, size_t to, const char *word)
{
	size_t length = strlen(word);
	for (size_t at = from; at + length <= to; at++)
		if (strncmp(text + at, word, length) == 0 && !is_word(text[at + length]) &&
			(at == 0 || !is_word(text[at - 1])))
			return at;
	return to;
}

/* Behind the bracket that closes the one at `at`; the text's end: none does. */
static size_t behind_bracket(const char *text, size_t at)
{
	size_t depth = 0;
	for (; text[at]; at++) {
		depth += strchr("([{", text[at]) != NULL;
		if (strchr(")]}", text[at]) && --depth == 0)
			return at + 1;
	}
	return at;
}

static size_t skip_blanks(const char *text, size_t at)
{
	return at + strspn(text + at, " \t\r\n");
}

/* The affinity's text behind &, without blanks; "": no address. */
static char *find_affinity(const char *text, size_t open, size_t close)
{
	size_t at = close - 1, length = 0;
	char *affinity = calloc(1, close - open + 1);
	while (at > open && text[at] != ';')
		at--;
	at = skip_blanks(text, at + 1);
	if (!affinity || text[at] != '&')
		return affinity;
	for (at++; at + 1 < close; at++)
		if (!isspace((unsigned char)text[at]))
			affinity[length++] = text[at];
	return affinity;
}

/* The loop whose upc_forall is at `open`. */
static bool read_loop(struct heddle_loop_text *loop, size_t open)
{
	open = skip_blanks(loop->text, open + strlen("upc_forall"));
	if (loop->text[open] != '(')
		return false;
	loop->begin = behind_bracket(loop->text, open);
	loop->affinity = find_affinity(loop->text, open, loop->begin);
	size_t body = skip_blanks(loop->text, loop->begin);
	loop->end = loop->text[body] == '{' ? behind_bracket(loop->text, body) : body + strcspn(loop->text + body, ";");
	return loop->affinity;
}

static bool find_loop(struct heddle_loop_text *loop, uint32_t line)
{
	size_t start = line_start(loop->text, line), stop = line_start(loop->text, line + 1);
	size_t open = find_word(loop->text, start, stop, "upc_forall");
	return open != stop && read_loop(loop, open);
}

static uint32_t line_of(const char *text, size_t at)
{
	uint32_t line = 1;
	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

uint32_t heddle__loop_around_line(const char *source, uint32_t line, uint32_t *last)
{
	struct heddle_loop_text loop = {.text = strdup(source)};
	uint32_t found = 0;
	if (!loop.text)
		return 0;
	blank(loop.text);
	size_t end = strlen(loop.text), here = line_start(loop.text, line);
	size_t next = here + strcspn(loop.text + here, "\n");
	/* A later one that contains the line is further in. */
	for (size_t at = 0; (at = find_word(loop.text, at, end, "upc_forall")) < next; at++) {
		bool read = read_loop(&loop, at);
		free(loop.affinity);
		loop.affinity = NULL;
		if (!read || loop.end <= here)
			continue;
		found = line_of(loop.text, at);
		*last = line_of(loop.text, loop.end);
	}
	free(loop.text);
	return found;
}

/* ---- what needs remote data ---- */

/* Copies a part of the text without blanks, and without the element that the affinity names. */
static char *copy_part(const struct heddle_loop_text *loop, size_t from, size_t to)
{
	size_t length = 0, element = strlen(loop->affinity);
	char *part = calloc(1, to - from + 1), *found;
	for (; part && from < to; from++)
		if (!isspace((unsigned char)loop->text[from]) ||
			(length && is_word(part[length - 1]) && is_word(loop->text[from + 1])))
			part[length++] = isspace((unsigned char)loop->text[from]) ? ' ' : loop->text[from];
	while (part && element && (found = strstr(part, loop->affinity)) != NULL)
		memset(found, ' ', element);
	return part;
}

/* Whether a variable of that name occurs; members of structures may be called the same. */
static bool has_variable(const char *part, const char *name)
{
	size_t end = strlen(part);
	for (size_t at = 0; (at = find_word(part, at, end, name)) != end; at++)
		if (at == 0 || (part[at - 1] != '.' && (at == 1 || strncmp(part + at - 2, "->", 2) != 0)))
			return true;
	return false;
}

static bool has_any(const char *part, const char *const *names)
{
	for (; names && *names; names++)
		if (has_variable(part, *names))
			return true;
	return false;
}

static bool needs_remote(const struct heddle_loop_text *loop, size_t from, size_t to)
{
	char *part = copy_part(loop, from, to);
	bool needs = !part || has_any(part, loop->remote) || has_any(part, (const char *const *)loop->tainted);
	free(part);
	return needs;
}

static bool taint(struct heddle_loop_text *loop, const char *name, size_t length)
{
	size_t count = 0;
	while (loop->tainted && loop->tainted[count])
		if (strlen(loop->tainted[count]) == length && strncmp(loop->tainted[count], name, length) == 0)
			return false;
		else
			count++;
	char **grown = realloc(loop->tainted, (count + 2) * sizeof *grown);
	if (!grown)
		return false;
	loop->tainted = grown;
	grown[count] = strndup(name, length);
	grown[count + 1] = NULL;
	return grown[count];
}

/* Whether an assignment operator's last character is there: not of ==, <=, >=, !=. */
static bool is_assignment(const char *text, size_t at)
{
	return text[at] == '=' && text[at + 1] != '=' && at > 0 &&
	       (!strchr("=!<>", text[at - 1]) || (at > 1 && text[at - 1] == text[at - 2] && text[at - 1] != '='));
}

/* The name that an assignment at `at` is to: a private variable's. The length is 0 for other objects. */
static size_t assigned_name(const char *text, size_t at, size_t *length)
{
	size_t end = at;
	while (end > 0 && strchr("+-*/%&|^<> \t\r\n", text[end - 1]))
		end--;
	size_t start = end;
	while (start > 0 && is_word(text[start - 1]))
		start--;
	*length = end - start;
	return start;
}

/* The end of an expression: a comma or semicolon outside of brackets, or a bracket that it is in. */
static size_t expression_end(const char *text, size_t at)
{
	for (; text[at] && !strchr(",;)]}", text[at]);)
		at = strchr("([{", text[at]) ? behind_bracket(text, at) : at + 1;
	return at;
}

/* One pass over the assignments of the body; whether one more variable is tainted. */
static bool taint_once(struct heddle_loop_text *loop)
{
	bool more = false;
	for (size_t at = loop->begin; at < loop->end; at++) {
		size_t length;
		if (!is_assignment(loop->text, at))
			continue;
		size_t name = assigned_name(loop->text, at, &length);
		if (length && needs_remote(loop, at + 1, expression_end(loop->text, at + 1)))
			more |= taint(loop, loop->text + name, length);
	}
	return more;
}

bool heddle__loop_text_make(struct heddle_loop_text *loop, const char *source, uint32_t line, const char *const *remote)
{
	*loop = (struct heddle_loop_text){.text = strdup(source), .remote = remote};
	if (loop->text)
		blank(loop->text);
	if (!loop->text || !line || !find_loop(loop, line)) {
		heddle__loop_text_free(loop);
		return false;
	}
	while (taint_once(loop))
		;
	return true;
}

void heddle__loop_text_free(struct heddle_loop_text *loop)
{
	for (char **name = loop->tainted; name && *name; name++)
		free(*name);
	free(loop->tainted);
	free(loop->affinity);
	free(loop->text);
	*loop = (struct heddle_loop_text){0};
}

/* ---- indices ---- */

/* Whether the element that the affinity names is assigned in the body: an index that has it may change. */
static bool element_changes(const struct heddle_loop_text *loop)
{
	size_t element = strlen(loop->affinity);
	for (size_t at = loop->begin; element && at < loop->end; at++) {
		if (!is_assignment(loop->text, at))
			continue;
		size_t end = at;
		while (end > 0 && isspace((unsigned char)loop->text[end - 1]))
			end--;
		if (end >= element && strncmp(loop->text + end - element, loop->affinity, element) == 0)
			return true;
	}
	return false;
}

static enum heddle_index judge(const struct heddle_loop_text *loop, size_t from, size_t to)
{
	if (needs_remote(loop, from, to))
		return HEDDLE_INDEX_UNKNOWN;
	bool by_element = *loop->affinity && strstr(loop->text + from, loop->affinity) &&
			  strstr(loop->text + from, loop->affinity) < loop->text + to;
	return by_element && element_changes(loop) ? HEDDLE_INDEX_GUESSED : HEDDLE_INDEX_KNOWN;
}

/* The same for all subscripts from a bracket on. */
static enum heddle_index judge_all(const struct heddle_loop_text *loop, size_t at)
{
	enum heddle_index least = HEDDLE_INDEX_KNOWN;
	while (loop->text[at] == '[') {
		size_t end = behind_bracket(loop->text, at);
		enum heddle_index one = judge(loop, at + 1, end > at + 1 ? end - 1 : end);
		least = one < least ? one : least;
		at = skip_blanks(loop->text, end);
	}
	return least;
}

/* The element that the affinity names is the thread's own: it is none of the remote accesses. */
static bool is_element(const struct heddle_loop_text *loop, size_t at)
{
	size_t element = strlen(loop->affinity);
	return element && strncmp(loop->text + at, loop->affinity, element) == 0;
}

enum heddle_index heddle__loop_text_index(const struct heddle_loop_text *loop, const char *variable, uint32_t line)
{
	size_t at = line_start(loop->text, line), end = line_start(loop->text, line + 1);
	enum heddle_index least = HEDDLE_INDEX_KNOWN;
	bool found = false;
	at = at < loop->begin ? loop->begin : at;
	end = end > loop->end ? loop->end : end;
	while (at < end && (at = find_word(loop->text, at, end, variable)) < end) {
		size_t name = at, bracket = skip_blanks(loop->text, at + strlen(variable));
		at += strlen(variable);
		if (loop->text[bracket] != '[' || is_element(loop, name))
			continue;
		enum heddle_index one = judge_all(loop, bracket);
		least = one < least ? one : least;
		found = true;
	}
	return found ? least : HEDDLE_INDEX_UNKNOWN;
}

/* ---- names ---- */

/* The next name with a subscript at or after *at, which is moved behind it; its length; 0: none before `end`. */
static size_t next_subscripted(const struct heddle_loop_text *loop, size_t *at, size_t end, size_t *name)
{
	const char *text = loop->text;
	while (*at < end) {
		size_t start = *at, length = 0;
		while (is_word(text[start + length]))
			length++;
		*at += length ? length : 1;
		bool member = start > 0 && (text[start - 1] == '.' || (start > 1 && text[start - 1] == '>'));
		if (!length || member || text[skip_blanks(text, *at)] != '[' || is_element(loop, start))
			continue;
		*name = start;
		return length;
	}
	return 0;
}

char *heddle__loop_text_name(const struct heddle_loop_text *loop, const char *variable, uint32_t line)
{
	size_t at = line_start(loop->text, line), end = line_start(loop->text, line + 1), name, length;
	char *found = NULL;
	bool several = false;
	at = at < loop->begin ? loop->begin : at;
	end = end > loop->end ? loop->end : end;
	while ((length = next_subscripted(loop, &at, end, &name)) != 0) {
		bool same = strlen(variable) == length && strncmp(loop->text + name, variable, length) == 0;
		several |= found && (strlen(found) != length || strncmp(found, loop->text + name, length) != 0);
		if (same || !found) {
			free(found);
			found = strndup(loop->text + name, length);
		}
		if (same)
			return found;
	}
	if (several) {
		free(found);
		return NULL;
	}
	return found;
}
