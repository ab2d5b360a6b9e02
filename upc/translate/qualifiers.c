/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks which qualifiers may be combined, directly or through typedefs: layouts, strict and relaxed. */
#include <stdlib.h>
#include <string.h>

#include "upc/translate/rewriter.h"

/* The token after `shared`, or after its layout. */
static int after_shared(const struct tokens *tokens, int shared)
{
	int next = upc__token_next(tokens, shared);
	if (upc__token_is(tokens, next, "[") && tokens->list[next].partner > 0)
		next = upc__token_next(tokens, tokens->list[next].partner);
	return next;
}

static bool is_word(const struct tokens *tokens, int i)
{
	return i >= 0 && i < tokens->count && tokens->list[i].kind == TOKEN_WORD;
}

/* The next word after word I in one list of specifiers or qualifiers, skipping layouts; -1: none. */
static int next_word(const struct tokens *tokens, int i)
{
	int next = upc__token_is(tokens, i, "shared") ? after_shared(tokens, i) : upc__token_next(tokens, i);
	return is_word(tokens, next) ? next : -1;
}

/* The first word of the list that contains word I. */
static int first_word(const struct tokens *tokens, int i)
{
	return tokens->list[i].first_word;
}

/* Word I as a typedef of a shared type; NULL: another word, or a typedef of a pointer to one. */
static const struct typedef_name *shared_typedef(const struct rewriter *rewriter, int i)
{
	const struct typedef_name *name = upc__typedef_named(rewriter, i);
	return name && name->is_shared ? name : NULL;
}

int upc__consistency(const struct rewriter *rewriter, int i)
{
	const struct tokens *tokens = rewriter->tokens;
	int found = 0;
	for (int j = first_word(tokens, i); j >= 0; j = next_word(tokens, j)) {
		const struct typedef_name *name = shared_typedef(rewriter, j);
		found |= upc__token_is(tokens, j, "strict") ? UPC_STRICT : 0;
		found |= upc__token_is(tokens, j, "relaxed") ? UPC_RELAXED : 0;
		found |= name ? name->consistency : 0;
	}
	return found;
}

/* Types that are not analyzed and may be shared. */
static const char *const unknown[] = {"typeof", "__typeof__", "__typeof", "_Atomic", NULL};

static bool find_shared(const struct rewriter *rewriter, int i)
{
	const struct tokens *tokens = rewriter->tokens;
	for (int j = first_word(tokens, i); j >= 0; j = next_word(tokens, j))
		if (upc__token_is(tokens, j, "shared") || upc__token_in(tokens, j, unknown) ||
			shared_typedef(rewriter, j))
			return true;
	/* struct {...} shared strict x, typeof (x) strict y */
	int before = upc__token_previous(tokens, first_word(tokens, i));
	return upc__token_is(tokens, before, ")") || upc__token_is(tokens, before, "}");
}

/* Examines a list once, at its first word, and caches the result: a list may have many such words. */
static void look_at_list(struct rewriter *rewriter, int i)
{
	int list = first_word(rewriter->tokens, i);
	if (rewriter->qualified.list == list + 1 && rewriter->qualified.names == rewriter->name_count)
		return;
	rewriter->qualified.list = list + 1;
	rewriter->qualified.names = rewriter->name_count;
	rewriter->qualified.consistency = upc__consistency(rewriter, i);
	rewriter->qualified.may_be_shared = find_shared(rewriter, i);
}

void upc__check_consistency(struct rewriter *rewriter, int i)
{
	const struct token *token = &rewriter->tokens->list[i];
	look_at_list(rewriter, i);
	if (rewriter->qualified.consistency == (UPC_STRICT | UPC_RELAXED))
		upc__refuse(rewriter, i, "a type cannot be both 'strict' and 'relaxed'");
	else if (!rewriter->qualified.may_be_shared)
		upc__refuse(rewriter, i, "'%.*s' needs a shared type", token->length, token->text);
}

static char *own_layout(const struct tokens *tokens, int shared)
{
	int open = upc__token_next(tokens, shared);
	if (!upc__token_is(tokens, open, "[") || tokens->list[open].partner < 0)
		return NULL;
	int close = tokens->list[open].partner;
	if (upc__token_next(tokens, open) == close)
		return upc__format("0");
	return upc__tokens_text(tokens, upc__token_next(tokens, open), upc__token_previous(tokens, close));
}

static void drop(struct tokens *tokens, int shared)
{
	int end = after_shared(tokens, shared);
	for (int i = shared; i < end; i++)
		if (tokens->list[i].kind != TOKEN_DIRECTIVE)
			upc__token_replace(tokens, i, "");
}

/* Returns which of two layouts in a list to drop, 0 or 1; -1: they conflict. A layout of NULL: none. */
static int choose(const char *first, const char *second)
{
	if (!first)
		return 0;
	return !second || strcmp(first, second) == 0 ? 1 : -1;
}

bool upc__merge_shared(struct rewriter *rewriter, int shared)
{
	struct tokens *tokens = rewriter->tokens;
	bool gone = false;
	char *layout = own_layout(tokens, shared);
	for (int j = next_word(tokens, shared); j >= 0 && !gone; j = next_word(tokens, j)) {
		const struct typedef_name *name = shared_typedef(rewriter, j);
		if (upc__token_is(tokens, j, "shared")) {
			char *other = own_layout(tokens, j);
			int dropped = choose(layout, other);
			if (dropped < 0)
				upc__refuse(rewriter, j, "one type cannot have two layouts");
			drop(tokens, dropped == 0 ? shared : j);
			gone = dropped == 0;
			free(other);
		} else if (name && !layout) { /* clang compares the layouts */
			drop(tokens, shared);
			gone = true;
		}
	}
	free(layout);
	return gone;
}
