/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of tokens and of what is between them. */
#include "tune/source.h"

#include "cli/base/exit_status.h"
#include "profile/base/regular_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
	*source = (struct tune_source){.work = work, .path = path, .text = text.at, .length = text.length};
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

const char *heddle__tune_begin(const struct tune_source *source, int token)
{
	const struct tune_token *it = &source->tokens[token];
	return it->expansion ? it->expansion->at : it->text;
}

const char *heddle__tune_end(const struct tune_source *source, int token)
{
	const struct tune_token *it = &source->tokens[token];
	return it->expansion ? it->expansion->at + it->expansion->length : it->text + it->length;
}

bool heddle__tune_are_joined(const struct tune_source *source, int left)
{
	static const char *const opening[] = {"(", "[", ".", "->", NULL};
	static const char *const closing[] = {")", "]", ",", ";", "[", ".", "->", NULL};
	bool joined = heddle__tune_is(source, left + 1, "(") && source->tokens[left].kind == TUNE_WORD;
	for (int i = 0; opening[i]; i++)
		joined |= heddle__tune_is(source, left, opening[i]);
	for (int i = 0; closing[i]; i++)
		joined |= heddle__tune_is(source, left + 1, closing[i]);
	return joined;
}

/* Returns true if there is anything between a token and the next one. */
static bool has_gap(const struct tune_source *source, int token)
{
	const struct tune_expansion *expansion = source->tokens[token].expansion;
	if (expansion && expansion == source->tokens[token + 1].expansion)
		return !heddle__tune_are_joined(source, token);
	return heddle__tune_end(source, token) != heddle__tune_begin(source, token + 1);
}

/* Adds the use of a macro, which may have several lines. */
static void add_expansion(struct tune_text *line, const struct tune_expansion *expansion)
{
	for (int i = 0; i < expansion->length; i++) {
		const char *at = expansion->at + i;
		heddle__tune_add_bytes(line, *at == '\n' || *at == '\r' || *at == '\t' ? " " : at, 1);
	}
}

char *heddle__tune_line(const struct tune_source *source, int first, int last)
{
	struct tune_text line = {.work = source->work};
	heddle__tune_add(&line, "");
	for (int i = first; i <= last; i++) {
		const struct tune_token *it = &source->tokens[i];
		const struct tune_expansion *expansion = it->expansion;
		if (i > first && has_gap(source, i - 1))
			heddle__tune_add(&line, " ");
		if (expansion && expansion->first == i && expansion->last <= last) {
			add_expansion(&line, expansion);
			i = expansion->last;
		} else {
			heddle__tune_add_bytes(&line, it->text, (size_t)it->length);
		}
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
