/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tokens of a source. What would make a token differ from what it looks like (a backslash inside it, digraphs,
 * trigraphs) is refused where it stands: such texts are rare, and rewriting them blindly would damage them.
 */
#include "cli/tune/source.h"

#include "cli/exit_status.h"
#include "profile/regular_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
	struct tune_source *source;
	const char *at, *end;
	const char *line_start, *seen; /* of the last token: where its line begins, where it begins itself */
	int line, room;
	bool line_begins; /* nothing but blanks and comments in this line so far */
};

static _Noreturn void refuse_here(const struct scan *scan, const char *what)
{
	heddle__tune_stop(scan->source->work, HEDDLE_EXIT_REFUSED, scan->source->path, scan->line, "%s", what);
}

static void add_token(struct scan *scan, enum tune_token_kind kind, const char *start, int line)
{
	struct tune_source *source = scan->source;
	if (source->count + 1 >= scan->room) {
		scan->room = 2 * scan->room + 256;
		struct tune_token *more = heddle__tune_take(source->work, sizeof(*more) * (size_t)scan->room);
		if (source->count)
			memcpy(more, source->tokens, sizeof(*more) * (size_t)source->count);
		source->tokens = more;
	}
	/* The line begins behind the last line end before the token; earlier tokens were looked at before. */
	const char *end = memrchr(scan->seen, '\n', (size_t)(start - scan->seen));
	if (end)
		scan->line_start = end + 1;
	scan->seen = start;
	source->tokens[source->count++] = (struct tune_token){.kind = kind,
		.text = start,
		.length = (int)(scan->at - start),
		.line = line,
		.column = (int)(start - scan->line_start) + 1,
		.partner = -1};
}

/* A backslash at the end of a line, with or without a carriage return. Its length, or 0. */
static int splice(const struct scan *scan, const char *at)
{
	if (at + 1 < scan->end && at[0] == '\\' && at[1] == '\n')
		return 2;
	return at + 2 < scan->end && at[0] == '\\' && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

static void skip_comment(struct scan *scan)
{
	scan->at += 2;
	while (scan->at + 1 < scan->end && !(scan->at[0] == '*' && scan->at[1] == '/')) {
		scan->line += *scan->at == '\n';
		scan->at++;
	}
	if (scan->at + 1 >= scan->end)
		refuse_here(scan, "a comment does not end");
	scan->at += 2;
}

/* To the end of the line, in which comments may hide line ends. */
static void skip_line(struct scan *scan, bool comments)
{
	while (scan->at < scan->end && *scan->at != '\n') {
		int length = splice(scan, scan->at);
		if (length) {
			scan->at += length;
			scan->line++;
		} else if (comments && scan->at + 1 < scan->end && scan->at[0] == '/' && scan->at[1] == '*') {
			skip_comment(scan);
		} else {
			scan->at++;
		}
	}
}

static void take_quoted(struct scan *scan)
{
	char quote = *scan->at++;
	while (scan->at < scan->end && *scan->at != quote) {
		int length = splice(scan, scan->at);
		if (*scan->at == '\n')
			refuse_here(scan, "a string or character does not end in its line");
		scan->line += length > 0;
		scan->at += length ? length : *scan->at == '\\' ? 2 : 1;
	}
	if (scan->at >= scan->end)
		refuse_here(scan, "a string or character does not end");
	scan->at++;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static void take_number(struct scan *scan)
{
	while (scan->at < scan->end &&
		(in_word(*scan->at) || *scan->at == '.' ||
			((*scan->at == '+' || *scan->at == '-') && strchr("eEpP", scan->at[-1]))))
		scan->at++;
}

/* The longest punctuation first. */
static const char *const punctuation[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
	"<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##"};

static void take_punctuation(struct scan *scan)
{
	static const char *const digraphs[] = {"<%", "%>", "<:", ":>", "%:", "\?\?"};
	size_t left = (size_t)(scan->end - scan->at);
	for (size_t i = 0; i < sizeof(digraphs) / sizeof(*digraphs); i++)
		if (left >= 2 && strncmp(scan->at, digraphs[i], 2) == 0)
			refuse_here(scan, "digraphs and trigraphs are not supported");
	if (!strchr("[](){}.&*+-~!/%<>^|?:;=,#", *scan->at))
		refuse_here(scan, "a character that is not part of C");
	for (size_t i = 0; i < sizeof(punctuation) / sizeof(*punctuation); i++) {
		size_t length = strlen(punctuation[i]);
		if (left >= length && strncmp(scan->at, punctuation[i], length) == 0) {
			scan->at += length;
			return;
		}
	}
	scan->at++;
}

/* True if what stands here is no token: blanks, comments, continued lines. */
static bool skip_blank(struct scan *scan)
{
	const char *at = scan->at;
	bool two = at + 1 < scan->end;
	if (*at == '\n') {
		scan->line++;
		scan->line_begins = true;
		scan->at++;
	} else if (isspace((unsigned char)*at)) {
		scan->at++;
	} else if (two && at[0] == '/' && at[1] == '*') {
		skip_comment(scan);
	} else if (two && at[0] == '/' && at[1] == '/') {
		skip_line(scan, false);
	} else if (splice(scan, at)) {
		if (at > scan->source->text && in_word(at[-1]) && in_word(at[splice(scan, at)]))
			refuse_here(scan, "a word that continues in the next line is not supported");
		scan->at += splice(scan, at);
		scan->line++;
	} else {
		return false;
	}
	return true;
}

static void take_token(struct scan *scan)
{
	const char *start = scan->at;
	int line = scan->line;
	enum tune_token_kind kind = TUNE_PUNCTUATION;
	bool prefix = (*start == 'L' || *start == 'u' || *start == 'U') && start + 1 < scan->end;
	if (*start == '#' && scan->line_begins) {
		skip_line(scan, true);
		kind = TUNE_DIRECTIVE;
	} else if (*start == '"' || *start == '\'' || (prefix && (start[1] == '"' || start[1] == '\''))) {
		scan->at += *start != '"' && *start != '\'';
		take_quoted(scan);
		kind = TUNE_STRING;
	} else if (isdigit((unsigned char)*start) ||
		   (*start == '.' && start + 1 < scan->end && isdigit((unsigned char)start[1]))) {
		scan->at++;
		take_number(scan);
		kind = TUNE_NUMBER;
	} else if (in_word(*start)) {
		while (scan->at < scan->end && in_word(*scan->at))
			scan->at++;
		kind = TUNE_WORD;
	} else {
		take_punctuation(scan);
	}
	add_token(scan, kind, start, line);
	scan->line_begins = false;
}

static char partner_of(char c)
{
	static const char open[] = "([{", close[] = ")]}";
	const char *at = c ? strchr(open, c) : NULL;
	if (!at)
		return 0;
	return close[at - open];
}

static void pair_brackets(struct tune_source *source)
{
	int *open = heddle__tune_take(source->work, sizeof(*open) * ((size_t)source->count + 1)), depth = 0;
	for (int i = 0; i < source->count; i++) {
		struct tune_token *token = &source->tokens[i];
		if (token->kind != TUNE_PUNCTUATION || token->length != 1)
			continue;
		if (partner_of(*token->text)) {
			open[depth++] = i;
		} else if (strchr(")]}", *token->text)) {
			struct tune_token *other = depth ? &source->tokens[open[--depth]] : NULL;
			if (!other || partner_of(*other->text) != *token->text) {
				source->unbalanced = true;
				return;
			}
			other->partner = i;
			token->partner = open[depth];
		}
	}
	source->unbalanced = depth > 0;
}

void heddle__tune_split(
	struct tune_work *work, const char *path, const char *text, size_t length, struct tune_source *source)
{
	*source = (struct tune_source){.work = work, .path = path, .text = text, .length = length};
	struct scan scan = {.source = source,
		.at = text,
		.end = text + length,
		.line_start = text,
		.seen = text,
		.line = 1,
		.line_begins = true};
	while (scan.at < scan.end)
		if (!skip_blank(&scan))
			take_token(&scan);
	add_token(&scan, TUNE_END, scan.at, scan.line);
	source->count--;
	pair_brackets(source);
}

int heddle__tune_load(struct tune_work *work, const char *path, struct tune_source *source)
{
	FILE *file = profile_open_stream(path);
	if (!file)
		return -errno;
	struct tune_text text = {.work = work};
	char part[16384];
	size_t got;
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		heddle__tune_add_bytes(&text, part, got);
	int error = ferror(file) ? -EIO : 0;
	fclose(file);
	heddle__tune_add(&text, "");
	if (!error && memchr(text.at, '\0', text.length))
		heddle__tune_stop(work, HEDDLE_EXIT_REFUSED, path, 1, "not a text: it has a byte 0");
	if (!error)
		heddle__tune_split(work, path, text.at, text.length, source);
	return error;
}

bool heddle__tune_is(const struct tune_source *source, int token, const char *text)
{
	const struct tune_token *it = &source->tokens[token];
	return token >= 0 && token < source->count && it->kind != TUNE_DIRECTIVE && it->kind != TUNE_STRING &&
	       (size_t)it->length == strlen(text) && strncmp(it->text, text, (size_t)it->length) == 0;
}

bool heddle__tune_same(const struct tune_source *source, int one, int other)
{
	const struct tune_token *a = &source->tokens[one], *b = &source->tokens[other];
	return a->kind == b->kind && a->length == b->length && strncmp(a->text, b->text, (size_t)a->length) == 0;
}

int heddle__tune_next(const struct tune_source *source, int token)
{
	do
		token++;
	while (token < source->count && source->tokens[token].kind == TUNE_DIRECTIVE);
	return token < source->count ? token : source->count;
}

int heddle__tune_before(const struct tune_source *source, int token)
{
	do
		token--;
	while (token >= 0 && source->tokens[token].kind == TUNE_DIRECTIVE);
	return token;
}

char *heddle__tune_word(const struct tune_source *source, int token)
{
	const struct tune_token *it = &source->tokens[token];
	return heddle__tune_copy(source->work, it->text, (size_t)it->length);
}

char *heddle__tune_line(const struct tune_source *source, int first, int last)
{
	struct tune_text line = {.work = source->work};
	heddle__tune_add(&line, "");
	for (int i = first; i <= last; i++) {
		const struct tune_token *it = &source->tokens[i];
		if (i > first && it[-1].text + it[-1].length != it->text)
			heddle__tune_add(&line, " ");
		heddle__tune_add_bytes(&line, it->text, (size_t)it->length);
	}
	return line.at;
}

void heddle__tune_refuse(const struct tune_source *source, int token, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	heddle__tune_stop_list(
		source->work, HEDDLE_EXIT_REFUSED, source->path, source->tokens[token].line, format, list);
}
