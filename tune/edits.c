/* SPDX-License-Identifier: BSD-3-Clause */
/* The changes of a file, collected from its loops, and the changed file. */
#include "tune/plan.h"

#include <ctype.h>
#include <string.h>

/* Returns true if NAME is used in the function, in a directive, or outside of functions. */
static bool is_taken(const struct tune_loop *loop, const struct tune_symbol *function, const char *name)
{
	const struct tune_source *source = &loop->file->source;
	size_t length = strlen(name);
	for (int i = 0; i < source->count; i++) {
		const struct tune_token *it = &source->tokens[i];
		bool inside = i > function->parameters && i < source->tokens[function->body].partner;
		if ((inside && heddle__tune_is(source, i, name)) ||
			(it->kind == TUNE_DIRECTIVE && memmem(it->text, (size_t)it->length, name, length)))
			return true;
	}
	return heddle__tune_find_name(loop->file, name);
}

/* g_next of g->next, levels_k_plus_1_next of levels[k + 1].next */
static const char *as_identifier(struct tune_work *work, const char *name)
{
	static const char *const words[] = {
		"->", "_", ".", "_", "[", "_", "+", "_plus_", "-", "_minus_", "*", "_times_", "!", "not_"};
	struct tune_text text = {.work = work};
	while (*name) {
		size_t word = 0, count = sizeof(words) / sizeof(*words);
		while (word < count && strncmp(name, words[word], strlen(words[word])) != 0)
			word += 2;
		bool letter =
			isalnum((unsigned char)*name) || *name == '_' || *name == '$' || (unsigned char)*name >= 0x80;
		if (word < count)
			heddle__tune_add(&text, words[word + 1]);
		else if (letter)
			heddle__tune_add_bytes(&text, name, 1);
		name += word < count ? strlen(words[word]) : 1;
	}
	return text.at;
}

const char *heddle__tune_new_name(
	const struct tune_loop *loop, const struct tune_symbol *function, const char *base, const char *suffix)
{
	struct tune_work *work = loop->file->work;
	base = as_identifier(work, base);
	const char *name = heddle__tune_format(work, "%s_%s", base, suffix);
	for (int n = 2; is_taken(loop, function, name); n++)
		name = heddle__tune_format(work, "%s_%s%d", base, suffix, n);
	return name;
}

const char *heddle__tune_line_start(const struct tune_source *source, const char *at)
{
	while (at > source->text && at[-1] != '\n')
		at--;
	return at;
}

void heddle__tune_start_change(struct tune_change *change, struct tune_file *file)
{
	const struct tune_source *source = &file->source;
	const char *end = memchr(source->text, '\n', source->length);
	*change = (struct tune_change){.file = file, .first = source->count};
	change->newline = end && end > source->text && end[-1] == '\r' ? "\r\n" : "\n";
}

static void add_edit(struct tune_change *change, struct tune_edit edit)
{
	if (change->count == change->room) {
		change->room = 2 * change->room + 8;
		struct tune_edit *more = heddle__tune_take(change->file->work, sizeof(*more) * (size_t)change->room);
		if (change->count)
			memcpy(more, change->edits, sizeof(*more) * (size_t)change->count);
		change->edits = more;
	}
	/* Edits at one place keep their order. */
	int at = change->count++;
	for (; at > 0 && change->edits[at - 1].begin > edit.begin; at--)
		change->edits[at] = change->edits[at - 1];
	change->edits[at] = edit;
}

void heddle__tune_edit(
	struct tune_change *change, const char *begin, const char *end, const char *text, const struct tune_symbol *in)
{
	add_edit(change, (struct tune_edit){.begin = begin, .end = end, .text = text});
	if (in->body < change->first)
		change->first = in->body;
}

struct tune_change *heddle__tune_keep_change(const struct tune_change *change)
{
	struct tune_work *work = change->file->work;
	struct tune_change *kept = heddle__tune_take(work, sizeof(*kept));
	*kept = *change;
	kept->room = change->count;
	kept->edits = change->count ? heddle__tune_take(work, sizeof(*kept->edits) * (size_t)change->count) : NULL;
	if (change->count)
		memcpy(kept->edits, change->edits, sizeof(*kept->edits) * (size_t)change->count);
	return kept;
}

static bool includes_library(const struct tune_source *source)
{
	for (int i = 0; i < source->count; i++)
		if (source->tokens[i].kind == TUNE_DIRECTIVE &&
			memmem(source->tokens[i].text, (size_t)source->tokens[i].length, "heddle/upc_cache.h", 18))
			return true;
	return false;
}

static bool begins(const struct tune_token *token, const char *word)
{
	const char *at = token->text + 1;
	at += strspn(at, " \t");
	return strncmp(at, word, strlen(word)) == 0;
}

/* The place after the last #include that is outside of #if and before the changes; else that of the first token. */
static const char *place_for_include(const struct tune_change *change)
{
	const struct tune_source *source = &change->file->source;
	const char *place = heddle__tune_line_start(source, heddle__tune_begin(source, 0));
	int depth = 0;
	for (int i = 0; i < change->first; i++) {
		const struct tune_token *token = &source->tokens[i];
		if (token->kind != TUNE_DIRECTIVE)
			continue;
		depth += begins(token, "if");
		depth -= begins(token, "endif");
		if (depth == 0 && begins(token, "include"))
			place = token->text + token->length + 1;
	}
	return place;
}

void heddle__tune_finish_change(struct tune_change *change)
{
	if (includes_library(&change->file->source))
		return;
	const char *place = place_for_include(change);
	const char *text = heddle__tune_format(change->file->work, "#include <heddle/upc_cache.h>%s", change->newline);
	add_edit(change, (struct tune_edit){.begin = place, .end = place, .text = text});
}

const char *heddle__tune_apply(const struct tune_change *change, size_t *length)
{
	const struct tune_source *source = &change->file->source;
	struct tune_text text = {.work = source->work};
	const char *at = source->text;
	for (int i = 0; i < change->count; i++) {
		heddle__tune_add_bytes(&text, at, (size_t)(change->edits[i].begin - at));
		heddle__tune_add(&text, change->edits[i].text);
		at = change->edits[i].end;
	}
	heddle__tune_add_bytes(&text, at, (size_t)(source->text + source->length - at));
	*length = text.length;
	return text.at;
}
