/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dynamic THREADS in the bound of an array: allowed only as a factor, because in the text for clang it is replaced by a
 * number by which sizes can be divided.
 */
#include "upc/translate/rewriter.h"

/* Returns true if token I, between the brackets at OPEN, is an operator with an operand before it. */
static bool is_binary(const struct tokens *tokens, int open, int i)
{
	static const char *const closing[] = {")", "]", NULL};
	int before = upc__token_previous(tokens, i);
	return tokens->list[i].kind == TOKEN_PUNCTUATION && before != open &&
	       (tokens->list[before].kind != TOKEN_PUNCTUATION || upc__token_in(tokens, before, closing));
}

/*
 * Returns true if the operand at token FACTOR, THREADS or parentheses around it, is only a factor of the expression
 * between the brackets at OPEN. Operators of equal precedence group from the left: in `a / b * THREADS * c`, the
 * quotient is a factor, too.
 */
static bool is_factor(const struct tokens *tokens, int open, int factor)
{
	static const char *const before[] = {"*", "/", "%", ".", "->", "(", "[", NULL};
	static const char *const after[] = {"*", ".", "->", "(", "[", NULL};
	int close = tokens->list[open].partner;
	int previous = upc__token_previous(tokens, factor);
	int end = tokens->list[factor].partner > factor ? tokens->list[factor].partner : factor;
	int next = upc__token_next(tokens, end);
	bool times = upc__token_is(tokens, previous, "*") && is_binary(tokens, open, previous);
	if ((previous != open && !times) || (next != close && !upc__token_is(tokens, next, "*")))
		return false;
	for (int i = upc__token_next(tokens, open); i < close; i = upc__token_next(tokens, i)) {
		if (is_binary(tokens, open, i) && !upc__token_in(tokens, i, i < factor ? before : after))
			return false;
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return true;
}

/* Checks THREADS at token I of the bound that begins at OPEN: alone or a factor, optionally in parentheses. */
static void check_factor(struct rewriter *rewriter, int open, int i)
{
	const struct tokens *tokens = rewriter->tokens;
	for (int factor = i; tokens->list[factor].outer >= open; factor = tokens->list[factor].outer)
		if (!is_factor(tokens, tokens->list[factor].outer, factor)) {
			upc__refuse(rewriter, i,
				"with dynamic THREADS, THREADS can only be multiplied in the bound of an array");
			return;
		}
}

int upc__rewrite_bound(struct rewriter *rewriter, int open)
{
	struct tokens *tokens = rewriter->tokens;
	int found = 0;
	for (int i = open + 1; i < tokens->list[open].partner; i++) {
		if (!upc__token_is(tokens, i, "THREADS") || tokens->list[i].replacement)
			continue;
		check_factor(rewriter, open, i);
		upc__token_replace(tokens, i, UPC_THREADS_TEXT);
		found++;
	}
	return found;
}
