/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of typedefs of shared types and of arrays. */
#include "upc/translate/declarators.h"

#include <stdlib.h>
#include <string.h>

static unsigned hash(const char *text, size_t length)
{
	unsigned value = 5381;
	for (size_t i = 0; i < length; i++)
		value = 33 * value + (unsigned char)text[i];
	return value;
}

/* Returns true for tags and members, which have separate name spaces. */
static bool is_other_name(const struct tokens *tokens, int i)
{
	int before = upc__token_previous(tokens, i);
	return upc__token_is(tokens, before, ".") || upc__token_is(tokens, before, "->") || upc__is_tag(tokens, i);
}

const struct typedef_name *upc__typedef_named(const struct rewriter *rewriter, int i)
{
	const struct token *token = &rewriter->tokens->list[i];
	if (i >= rewriter->tokens->count || token->kind != TOKEN_WORD || rewriter->name_count == 0)
		return NULL;
	unsigned bucket = hash(token->text, (size_t)token->length) & (rewriter->bucket_count - 1);
	for (int n = rewriter->newest[bucket]; n > 0; n = rewriter->names[n - 1].same_hash) {
		const char *name = rewriter->names[n - 1].name;
		if (strncmp(name, token->text, (size_t)token->length) == 0 && name[token->length] == '\0')
			return is_other_name(rewriter->tokens, i) ? NULL : &rewriter->names[n - 1];
	}
	return NULL;
}

static void grow_table(struct rewriter *rewriter)
{
	unsigned count = rewriter->bucket_count > 0 ? 4 * rewriter->bucket_count : 1024;
	struct typedef_name *names = rewriter->names;
	int *newest = calloc(count, sizeof *newest);
	if (!newest)
		exit(1);
	free(rewriter->newest);
	rewriter->newest = newest;
	rewriter->bucket_count = count;
	for (int n = 1; n <= rewriter->name_count; n++) {
		unsigned bucket = hash(names[n - 1].name, strlen(names[n - 1].name)) & (count - 1);
		names[n - 1].same_hash = newest[bucket];
		newest[bucket] = n;
	}
}

const struct typedef_name *upc__base_typedef(const struct rewriter *rewriter, int name)
{
	const struct tokens *tokens = rewriter->tokens;
	const struct typedef_name *first = NULL;
	int outer = tokens->list[name].outer;
	for (int i = upc__token_previous(tokens, name); i >= 0; i = upc__token_previous(tokens, i)) {
		if (upc__token_is(tokens, i, ";") || upc__token_is(tokens, i, "{") || tokens->list[i].outer != outer)
			break;
		const struct typedef_name *base = upc__typedef_named(rewriter, i);
		if (base)
			first = base;
		if (tokens->list[i].base != 0) {
			first = tokens->list[i].base > 0 ? &rewriter->names[tokens->list[i].base - 1] : first;
			break;
		}
		if (tokens->list[i].partner >= 0 && tokens->list[i].partner < i)
			i = tokens->list[i].partner;
	}
	tokens->list[name].base = first ? (int)(first - rewriter->names) + 1 : -1;
	return first;
}

void upc__remember_typedef(struct rewriter *rewriter, const struct declarator *found, bool is_shared)
{
	const struct token *token = &rewriter->tokens->list[found->name];
	int consistency = upc__consistency(rewriter, found->name);
	const struct typedef_name *base = upc__base_typedef(rewriter, found->name);
	int dimensions = found->dimensions + (base ? base->dimensions : 0);
	if ((unsigned)rewriter->name_count >= rewriter->bucket_count)
		grow_table(rewriter);
	rewriter->names = upc__grow(rewriter->names, rewriter->name_count, sizeof *rewriter->names);
	unsigned bucket = hash(token->text, (size_t)token->length) & (rewriter->bucket_count - 1);
	rewriter->names[rewriter->name_count++] = (struct typedef_name){
		.name = upc__format("%.*s", token->length, token->text),
		.token = found->name,
		.is_shared = is_shared,
		.dimensions = dimensions,
		.consistency = consistency,
		.same_hash = rewriter->newest[bucket],
	};
	rewriter->newest[bucket] = rewriter->name_count;
}

/*
 * Names are recorded where their declaration begins: a name that is declared after the block may therefore be the last
 * one, and the loop stops there.
 */
void upc__forget_names(struct rewriter *rewriter, int close)
{
	int count = rewriter->name_count, open = rewriter->tokens->list[close].partner;
	for (; open >= 0 && rewriter->name_count > 0; rewriter->name_count--) {
		struct typedef_name *name = &rewriter->names[rewriter->name_count - 1];
		if (name->token < open || name->token > close)
			break;
		unsigned bucket = hash(name->name, strlen(name->name)) & (rewriter->bucket_count - 1);
		rewriter->newest[bucket] = name->same_hash;
		free(name->name);
	}
	if (rewriter->name_count < count)
		rewriter->qualified.list = 0;
}

void upc__free_names(struct rewriter *rewriter)
{
	for (int i = 0; i < rewriter->name_count; i++)
		free(rewriter->names[i].name);
	free(rewriter->names);
	free(rewriter->newest);
}

int upc__base_array(const struct rewriter *rewriter, int first, int end)
{
	for (int i = first; i < end; i = upc__token_next(rewriter->tokens, i)) {
		const struct typedef_name *name = upc__typedef_named(rewriter, i);
		if (name && !name->is_shared && name->dimensions > 0)
			return i;
	}
	return -1;
}
