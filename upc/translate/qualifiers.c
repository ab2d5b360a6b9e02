/* SPDX-License-Identifier: BSD-3-Clause */
/* Which qualifiers may stand together: layouts, strict and relaxed, directly or through typedefs. */
#include <stdlib.h>
#include <string.h>

#include "upc/translate/rewriter.h"

/* After the token `shared`, or after its layout. */
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

/* The word before or after word I in one list of specifiers or qualifiers, layouts passed over; -1: none. */
static int neighbour(const struct tokens *tokens, int i, bool forward)
{
	int next;
	if (forward) {
		next = upc__token_is(tokens, i, "shared") ? after_shared(tokens, i) : upc__token_next(tokens, i);
	} else {
		next = upc__token_previous(tokens, i);
		if (upc__token_is(tokens, next, "]") && tokens->list[next].partner > 0)
			next = upc__token_previous(tokens, tokens->list[next].partner);
	}
	return is_word(tokens, next) ? next : -1;
}

/* The first word of the list that word I is in. */
static int first_word(const struct tokens *tokens, int i)
{
	for (int before; (before = neighbour(tokens, i, false)) >= 0; i = before)
		;
	return i;
}

/* A typedef of a shared type, but not of a pointer to one. */
static const struct array_name *shared_typedef(const struct rewriter *rewriter, int i)
{
	const struct array_name *name = upc__array_name(rewriter, i);
	return name != NULL && name->is_typedef && name->block != NULL ? name : NULL;
}

int upc__consistency(const struct rewriter *rewriter, int i)
{
	const struct tokens *tokens = rewriter->tokens;
	int found = 0;
	for (int j = first_word(tokens, i); j >= 0; j = neighbour(tokens, j, true)) {
		const struct array_name *name = shared_typedef(rewriter, j);
		found |= upc__token_is(tokens, j, "strict") ? UPC_STRICT : 0;
		found |= upc__token_is(tokens, j, "relaxed") ? UPC_RELAXED : 0;
		found |= name != NULL ? name->consistency : 0;
	}
	return found;
}

/* Types that aren't looked into may be shared. */
static const char *const unknown[] = {"typeof", "__typeof__", "__typeof", "_Atomic", NULL};

static bool may_be_shared(const struct rewriter *rewriter, int i)
{
	const struct tokens *tokens = rewriter->tokens;
	for (int j = first_word(tokens, i); j >= 0; j = neighbour(tokens, j, true))
		if (upc__token_is(tokens, j, "shared") || upc__token_in(tokens, j, unknown) ||
			shared_typedef(rewriter, j) != NULL)
			return true;
	/* struct {...} shared strict x, typeof (x) strict y */
	int before = upc__token_previous(tokens, first_word(tokens, i));
	return upc__token_is(tokens, before, ")") || upc__token_is(tokens, before, "}");
}

void upc__check_consistency(struct rewriter *rewriter, int i)
{
	const struct token *token = &rewriter->tokens->list[i];
	if (upc__consistency(rewriter, i) == (UPC_STRICT | UPC_RELAXED))
		upc__refuse(rewriter, i, "a type cannot be both 'strict' and 'relaxed'");
	else if (!may_be_shared(rewriter, i))
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

/* Of two layouts in one list, NULL for none: which is to be dropped, 0 or 1; -1: they contradict each other. */
static int choose(const char *first, const char *second)
{
	if (first == NULL)
		return 0;
	return second == NULL || strcmp(first, second) == 0 ? 1 : -1;
}

bool upc__merge_shared(struct rewriter *rewriter, int shared)
{
	struct tokens *tokens = rewriter->tokens;
	bool gone = false;
	char *layout = own_layout(tokens, shared);
	for (int j = neighbour(tokens, shared, true); j >= 0 && !gone; j = neighbour(tokens, j, true)) {
		const struct array_name *name = shared_typedef(rewriter, j);
		if (upc__token_is(tokens, j, "shared")) {
			char *other = own_layout(tokens, j);
			int dropped = choose(layout, other);
			if (dropped < 0)
				upc__refuse(rewriter, j, "one type cannot have two layouts");
			drop(tokens, dropped == 0 ? shared : j);
			gone = dropped == 0;
			free(other);
		} else if (name != NULL && (layout == NULL || strcmp(layout, name->block) == 0)) {
			drop(tokens, shared);
			gone = true;
		}
	}
	free(layout);
	return gone;
}
