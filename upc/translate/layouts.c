/* SPDX-License-Identifier: BSD-3-Clause */
/* The layout of a shared type: an expression for its block size, and a check whether an array can have it. */
#include "upc/translate/declarators.h"

#include <stdlib.h>
#include <string.h>

static const char *const upc_sizes[] = {"upc_blocksizeof", "upc_elemsizeof", "upc_localsizeof", NULL};

/* Checks block sizes that are numbers; other expressions are known only after clang has evaluated them. */
static void check_block(struct rewriter *rewriter, int i, const char *block)
{
	char *end;
	long value = strtol(block, &end, 0);
	if (*block != '\0' && *end == '\0' && value > 524287)
		upc__refuse(rewriter, i, "block size %ld is more than UPC_MAX_BLOCK_SIZE (524287)", value);
	if (strncmp(block, "- ", 2) == 0)
		upc__refuse(rewriter, i, "block size is negative");
}

/* Returns true if token I continues a statement: an `else`, or the `while` after a `do`. */
static bool is_continued(const struct tokens *tokens, int i)
{
	int open = upc__token_next(tokens, i);
	bool ends = upc__token_is(tokens, open, "(") && tokens->list[open].partner > open &&
		    upc__token_is(tokens, upc__token_next(tokens, tokens->list[open].partner), ";");
	return upc__token_is(tokens, i, "else") || (ends && upc__token_is(tokens, i, "while"));
}

/* Returns the first token of the declaration or statement around token I: another declaration can be inserted there. */
static int declaration_around(const struct tokens *tokens, int i)
{
	static const char *const closing[] = {")", ";", "{", "}", "else", "do", ":", NULL};
	for (;;) {
		int before = upc__token_previous(tokens, i), partner = before < 0 ? -1 : tokens->list[before].partner;
		bool block = upc__token_is(tokens, before, "{") &&
			     upc__token_in(tokens, upc__token_previous(tokens, before), closing);
		bool ends = upc__token_is(tokens, before, ";") || upc__token_is(tokens, before, "}");
		bool inside = tokens->list[i].outer >= 0 && !upc__token_is(tokens, tokens->list[i].outer, "{");
		if (before < 0 || block || (ends && !inside && !is_continued(tokens, i)))
			return i;
		i = partner >= 0 && partner < before ? partner : before;
	}
}

/*
 * Because clang's tree shows no attributes, makes an enumeration constant of a block size that contains types. Returns
 * its name. The caller frees it.
 */
static char *name_block(struct rewriter *rewriter, int shared, char *block)
{
	struct tokens *tokens = rewriter->tokens;
	char *name = upc__format("__upc_block_%d", shared);
	char *constant = upc__format("enum { %s = %s }; ", name, block);
	upc__token_before(tokens, declaration_around(tokens, upc__specifiers_start(tokens, shared)), constant);
	free(constant);
	free(block);
	return name;
}

char *upc__layout_text(struct rewriter *rewriter, int shared, int *after)
{
	struct tokens *tokens = rewriter->tokens;
	int open = upc__token_next(tokens, shared);
	*after = open;
	if (!upc__token_is(tokens, open, "[") || tokens->list[open].partner < 0)
		return upc__format("1");
	int close = tokens->list[open].partner;
	*after = upc__token_next(tokens, close);
	int first = upc__token_next(tokens, open);
	char *text = NULL;
	bool has_types = false;
	if (first == close)
		text = upc__format("0");
	else if (!upc__token_is(tokens, first, "*") || upc__token_next(tokens, first) != close) {
		for (int i = first; i < close; i++)
			if (upc__token_in(tokens, i, upc_sizes)) {
				upc__rewrite_upc_sizeof(rewriter, i);
				has_types = true;
			} else if (upc__token_is(tokens, i, "shared"))
				upc__rewrite_shared(rewriter, i);
			else if (upc__token_is(tokens, i, "THREADS") && rewriter->options->static_threads == 0) {
				upc__refuse(rewriter, i, "a block size that contains THREADS needs static THREADS");
				upc__token_replace(tokens, i, "1");
			}
		text = upc__tokens_text(tokens, first, upc__token_previous(tokens, close));
		check_block(rewriter, first, text);
		if (has_types)
			text = name_block(rewriter, shared, text);
	}
	upc__blank(tokens, open, close);
	return text;
}
