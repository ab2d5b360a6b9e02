/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits preprocessed text into tokens, and records edits. Ends the program, which is the compiler, without memory. */
#include "upc/translate/tokens.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *memory)
{
	if (!memory) {
		fputs("heddle-upcc1: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

char *upc__format(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = NULL;
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	return need(text);
}

/* The state of the reader. */
struct reader {
	struct tokens *tokens;
	const char *const *upc_headers;
	const char *at;
	const char *line_start;
	int row;
	int file;
	int line; /* of the source, for this row */
	bool system;
	int capacity;
	int *slots; /* file names by hash, counted from 1; the number of slots is a power of two */
	int slot_count;
};

/* The slot that has the name, or a free one. */
static int *file_slot(const struct reader *reader, const char *name, size_t length)
{
	unsigned hash = 5381;
	for (size_t i = 0; i < length; i++)
		hash = 33 * hash + (unsigned char)name[i];
	for (;; hash++) {
		int *slot = &reader->slots[hash & (unsigned)(reader->slot_count - 1)];
		const char *own = *slot > 0 ? reader->tokens->files[*slot - 1] : NULL;
		if (!own || (strncmp(own, name, length) == 0 && own[length] == '\0'))
			return slot;
	}
}

static void grow_slots(struct reader *reader)
{
	free(reader->slots);
	reader->slot_count = reader->slot_count > 0 ? 2 * reader->slot_count : 64;
	reader->slots = need(calloc((size_t)reader->slot_count, sizeof *reader->slots));
	for (int i = 0; i < reader->tokens->file_count; i++) {
		const char *name = reader->tokens->files[i];
		*file_slot(reader, name, strlen(name)) = i + 1;
	}
}

static int file_index(struct reader *reader, const char *name, size_t length)
{
	struct tokens *tokens = reader->tokens;
	if (2 * (tokens->file_count + 1) > reader->slot_count)
		grow_slots(reader);
	int *slot = file_slot(reader, name, length);
	if (*slot == 0) {
		tokens->files = need(realloc(tokens->files, (size_t)(tokens->file_count + 1) * sizeof *tokens->files));
		tokens->files[tokens->file_count] = need(strndup(name, length));
		*slot = ++tokens->file_count;
	}
	return *slot - 1;
}

static bool below(const char *path, const char *folder)
{
	size_t length = strlen(folder);
	while (length > 1 && folder[length - 1] == '/')
		length--;
	return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool may_be_upc(const struct reader *reader, const char *path)
{
	for (const char *const *folder = reader->upc_headers; folder && *folder; folder++)
		if (below(path, *folder))
			return true;
	return false;
}

/* `# 12 "file" 1 3`: sets the position of the next line. Returns false for another directive. */
static bool line_marker(struct reader *reader, const char *text)
{
	text++;
	text += strspn(text, " \t");
	if (strncmp(text, "line", 4) == 0)
		text += 4 + strspn(text + 4, " \t");
	if (!isdigit((unsigned char)*text))
		return false;
	char *rest;
	reader->line = (int)strtol(text, &rest, 10) - 1; /* the end of this line increments it */
	rest += strspn(rest, " \t");
	if (*rest != '"')
		return true;
	const char *name = ++rest;
	while (*rest != '"' && *rest != '\n' && *rest != '\0')
		rest += *rest == '\\' && rest[1] != '\0' ? 2 : 1;
	reader->file = file_index(reader, name, (size_t)(rest - name));
	reader->system = false;
	for (; *rest != '\n' && *rest != '\0'; rest++)
		if (*rest == '3' && rest[-1] == ' ')
			reader->system = !may_be_upc(reader, reader->tokens->files[reader->file]);
	return true;
}

static void new_line(struct reader *reader, const char *next)
{
	reader->line_start = next;
	reader->row++;
	reader->line++;
}

static void add_token(struct reader *reader, enum token_kind kind, const char *end)
{
	struct tokens *tokens = reader->tokens;
	if (tokens->count + 1 >= reader->capacity) {
		reader->capacity = reader->capacity ? 2 * reader->capacity : 4096;
		tokens->list = need(realloc(tokens->list, (size_t)reader->capacity * sizeof *tokens->list));
	}
	tokens->list[tokens->count++] = (struct token){
		.text = reader->at,
		.length = (int)(end - reader->at),
		.kind = kind,
		.system = reader->system,
		.row = reader->row,
		.column = (int)(reader->at - reader->line_start) + 1,
		.file = reader->file,
		.line = reader->line,
		.partner = -1,
		.outer = -1,
	};
	reader->at = end;
}

static const char *string_end(const char *at, char quote)
{
	while (*at != '\0' && *at != quote && *at != '\n')
		at += *at == '\\' && at[1] != '\0' ? 2 : 1;
	return *at == quote ? at + 1 : at;
}

static bool word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static const char *number_end(const char *at)
{
	while (word_character(*at) || *at == '.' || ((*at == '+' || *at == '-') && strchr("eEpP", at[-1])))
		at++;
	return at;
}

static const char *punctuation_end(const char *at)
{
	static const char *const longest_first[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "&&", "||",
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">="};
	for (size_t i = 0; i < sizeof longest_first / sizeof *longest_first; i++)
		if (strncmp(at, longest_first[i], strlen(longest_first[i])) == 0)
			return at + strlen(longest_first[i]);
	return at + 1;
}

static void read_token(struct reader *reader)
{
	const char *at = reader->at;
	if (word_character(*at) && !isdigit((unsigned char)*at)) {
		const char *end = at;
		while (word_character(*end))
			end++;
		/* L"..." and u8'x' */
		if ((*end == '"' || *end == '\'') && end - at <= 2)
			add_token(reader, TOKEN_STRING, string_end(end + 1, *end));
		else
			add_token(reader, TOKEN_WORD, end);
	} else if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
		add_token(reader, TOKEN_NUMBER, number_end(at + 1));
	} else if (*at == '"' || *at == '\'') {
		add_token(reader, TOKEN_STRING, string_end(at + 1, *at));
	} else {
		add_token(reader, TOKEN_PUNCTUATION, punctuation_end(at));
	}
}

static void read_all(struct reader *reader)
{
	bool line_is_empty = true;
	while (*reader->at != '\0') {
		char c = *reader->at;
		if (c == '\n') {
			new_line(reader, ++reader->at);
			line_is_empty = true;
		} else if (isspace((unsigned char)c)) {
			reader->at++;
		} else if (c == '#' && line_is_empty) {
			const char *end = reader->at + strcspn(reader->at, "\n");
			const char *start = reader->at;
			add_token(reader, TOKEN_DIRECTIVE, end);
			line_marker(reader, start);
		} else {
			line_is_empty = false;
			read_token(reader);
		}
	}
}

/* Pairs brackets. An unmatched bracket has no partner: the C compiler will report it. */
static void pair_brackets(struct tokens *tokens)
{
	int open = -1;
	for (int i = 0; i < tokens->count; i++) {
		struct token *token = &tokens->list[i];
		token->outer = open;
		if (token->kind != TOKEN_PUNCTUATION || token->length != 1)
			continue;
		if (strchr("([{", *token->text)) {
			open = i;
		} else if (strchr(")]}", *token->text) && open >= 0) {
			token->partner = open;
			token->outer = tokens->list[open].outer;
			tokens->list[open].partner = i;
			open = token->outer;
		}
	}
}

/* Computes first_word of all tokens, because the start of a list of specifiers is needed at each of its words. */
static void find_first_words(struct tokens *tokens)
{
	int previous = -1; /* last token that is not a directive */
	for (int i = 0; i < tokens->count; i++) {
		struct token *token = &tokens->list[i];
		int before = previous;
		token->first_word = i;
		if (token->kind != TOKEN_DIRECTIVE)
			previous = i;
		if (before < 0 || tokens->list[before].outer != token->outer)
			continue;
		if (tokens->list[before].partner >= 0 && *tokens->list[before].text == ']')
			before = upc__token_previous(tokens, tokens->list[before].partner);
		if (before >= 0 && tokens->list[before].kind == TOKEN_WORD)
			token->first_word = tokens->list[before].first_word;
	}
}

struct tokens *upc__tokens_read(const char *text, const char *const *upc_headers)
{
	struct tokens *tokens = need(calloc(1, sizeof *tokens));
	tokens->source = text;
	struct reader reader = {
		.tokens = tokens, .upc_headers = upc_headers, .at = text, .line_start = text, .line = 1};
	reader.file = file_index(&reader, "", 0);
	read_all(&reader);
	add_token(&reader, TOKEN_END, reader.at);
	tokens->count--;
	free(reader.slots);
	pair_brackets(tokens);
	find_first_words(tokens);
	return tokens;
}

void upc__tokens_free(struct tokens *tokens)
{
	if (!tokens)
		return;
	for (int i = 0; i < tokens->count; i++) {
		free(tokens->list[i].replacement);
		free(tokens->list[i].before);
		free(tokens->list[i].after);
	}
	for (int i = 0; i < tokens->file_count; i++)
		free(tokens->files[i]);
	free(tokens->files);
	free(tokens->list);
	free(tokens);
}

bool upc__token_is(const struct tokens *tokens, int i, const char *text)
{
	if (i < 0 || i >= tokens->count)
		return false;
	const struct token *token = &tokens->list[i];
	return *token->text == *text && (token->kind == TOKEN_WORD || token->kind == TOKEN_PUNCTUATION) &&
	       strncmp(token->text, text, (size_t)token->length) == 0 && text[token->length] == '\0';
}

bool upc__token_in(const struct tokens *tokens, int i, const char *const *list)
{
	for (; *list; list++)
		if (upc__token_is(tokens, i, *list))
			return true;
	return false;
}

int upc__token_next(const struct tokens *tokens, int i)
{
	do
		i++;
	while (i < tokens->count && tokens->list[i].kind == TOKEN_DIRECTIVE);
	return i < tokens->count ? i : tokens->count;
}

int upc__token_previous(const struct tokens *tokens, int i)
{
	do
		i--;
	while (i >= 0 && tokens->list[i].kind == TOKEN_DIRECTIVE);
	return i < 0 ? -1 : i;
}

char *upc__tokens_text(const struct tokens *tokens, int first, int last)
{
	char *text = NULL;
	size_t size;
	FILE *out = need(open_memstream(&text, &size));
	for (int i = first; i <= last && i < tokens->count; i++) {
		const struct token *token = &tokens->list[i];
		if (token->kind == TOKEN_DIRECTIVE)
			continue;
		fprintf(out, "%s%s", i > first ? " " : "", token->before ? token->before : "");
		if (token->replacement)
			fputs(token->replacement, out);
		else
			fprintf(out, "%.*s", token->length, token->text);
		fputs(token->after ? token->after : "", out);
	}
	fclose(out);
	return need(text);
}

void upc__token_replace(struct tokens *tokens, int i, const char *text)
{
	if (i < 0 || i >= tokens->count)
		return;
	free(tokens->list[i].replacement);
	tokens->list[i].replacement = need(strdup(text));
}

void upc__token_before(struct tokens *tokens, int i, const char *text)
{
	if (i < 0 || i >= tokens->count)
		return;
	struct token *token = &tokens->list[i];
	char *both = upc__format("%s%s", text, token->before ? token->before : "");
	free(token->before);
	token->before = both;
}

void upc__token_after(struct tokens *tokens, int i, const char *text)
{
	if (i < 0 || i >= tokens->count)
		return;
	struct token *token = &tokens->list[i];
	char *both = upc__format("%s%s", token->after ? token->after : "", text);
	free(token->after);
	token->after = both;
}
