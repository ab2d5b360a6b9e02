/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds old-style parameter declarations (K&R), which follow the parentheses and are valid before C23. */
#include "upc/translate/rewriter.h"

/* True if a list of old-style declarations begins after token I, the parenthesis that ends the parameter names. */
static bool ends_names(const struct tokens *tokens, int i)
{
	static const char *const lists[] = {
		"__attribute__", "__attribute", "__asm__", "__asm", "asm", "_Alignas", "__typeof__", "typeof", NULL};
	if (!upc__token_is(tokens, i, ")") || tokens->list[i].partner < 0)
		return false;
	int next = upc__token_next(tokens, i), before = upc__token_previous(tokens, tokens->list[i].partner);
	return next < tokens->count && tokens->list[next].kind == TOKEN_WORD && !upc__token_in(tokens, next, lists) &&
	       !upc__token_in(tokens, before, lists);
}

/*
 * int f(a, b) int a; shared int *b; {...}: outside of functions, such declarations are between the parentheses and a
 * block that follows a semicolon. Computed for all tokens at once: a query per token would scan all tokens before and
 * after it.
 */
void upc__find_old_parameters(struct tokens *tokens)
{
	bool in_list = false, block = false;
	for (int i = 0; i < tokens->count; i++) {
		if (tokens->list[i].outer >= 0)
			continue;
		if (upc__token_is(tokens, i, "}"))
			in_list = false;
		in_list = in_list || ends_names(tokens, i);
		tokens->list[i].old_style = in_list;
	}
	for (int i = tokens->count - 1; i >= 0; i--) {
		if (tokens->list[i].outer >= 0)
			continue;
		if (upc__token_is(tokens, i, "{"))
			block = upc__token_is(tokens, upc__token_previous(tokens, i), ";");
		tokens->list[i].old_style = tokens->list[i].old_style && block;
	}
}
