/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * THREADS in the bound of an array when it is dynamic: only as a factor, because a number stands for it in what clang
 * compiles, by which sizes can be divided. Where other bounds vary, sizes are computed when the program runs, and
 * THREADS stays what it is.
 */
#include "upc/translate/rewriter.h"

#include <stdlib.h>
#include <string.h>

/* Whether token I, between the brackets at OPEN, is an operator with an operand before it. */
static bool is_binary(const struct tokens *tokens, int open, int i)
{
	static const char *const closing[] = {")", "]", NULL};
	int before = upc__token_previous(tokens, i);
	return tokens->list[i].kind == TOKEN_PUNCTUATION && before != open &&
	       (tokens->list[before].kind != TOKEN_PUNCTUATION || upc__token_in(tokens, before, closing));
}

/*
 * Whether the operand at token FACTOR, THREADS or parentheses around it, is nothing but a factor of what stands between
 * the brackets at OPEN. Operators of one precedence group from the left: of `a / b * THREADS * c`, the quotient is a
 * factor too.
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

/* The next bound's bracket, from I on and before END; END: none. */
static int next_bound(const struct tokens *tokens, int i, int end)
{
	while (i < end && !upc__token_is(tokens, i, "[")) {
		bool layout = upc__token_is(tokens, i, "shared");
		i = upc__token_next(tokens, i);
		if (layout && upc__token_is(tokens, i, "[") && tokens->list[i].partner > i)
			i = upc__token_next(tokens, tokens->list[i].partner);
	}
	return i;
}

/* Whether the bounds from I to before END, copied, are what they are here, and may contain a variable. */
static bool may_vary(const struct tokens *tokens, int i, int end)
{
	bool name = false;
	for (i = next_bound(tokens, i, end); i < end; i = next_bound(tokens, i, end)) {
		int close = tokens->list[i].partner;
		for (; i < close; i = upc__token_next(tokens, i)) {
			const struct token *token = &tokens->list[i];
			bool word = token->kind == TOKEN_WORD && !upc__token_is(tokens, i, "THREADS");
			if (upc__token_is(tokens, i, "shared") || upc__token_is(tokens, i, "{") ||
				(word && strncmp(token->text, "upc_", 4) == 0))
				return false;
			name = name || word;
		}
	}
	return name;
}

/* The product of the bounds from I to before END. Caller frees. */
static char *product(const struct tokens *tokens, int i, int end)
{
	char *all = upc__format("1");
	for (i = next_bound(tokens, i, end); i < end; i = next_bound(tokens, upc__token_next(tokens, i), end)) {
		int first = upc__token_next(tokens, i), close = tokens->list[i].partner;
		char *bound =
			first < close ? upc__tokens_text(tokens, first, upc__token_previous(tokens, close)) : NULL;
		char *more = upc__format("%s * (%s)", all, bound ? bound : "1");
		free(bound);
		free(all);
		all = more;
		i = close;
	}
	return all;
}

void upc__keep_threads(struct rewriter *rewriter, int first, int end)
{
	struct tokens *tokens = rewriter->tokens;
	if (tokens->list[first].outer < 0 || !may_vary(tokens, first, end))
		return;
	char *all = product(tokens, first, end);
	char *choice =
		upc__format("__builtin_choose_expr(__builtin_constant_p(%s), %ldL, THREADS)", all, UPC_THREADS_FACTOR);
	for (int i = next_bound(tokens, first, end); i < end; i = next_bound(tokens, i, end))
		for (int close = tokens->list[i].partner; i < close; i = upc__token_next(tokens, i))
			if (upc__token_is(tokens, i, "THREADS"))
				upc__token_replace(tokens, i, choice);
	free(choice);
	free(all);
}

int upc__rewrite_bound(struct rewriter *rewriter, int open)
{
	struct tokens *tokens = rewriter->tokens;
	int found = 0;
	for (int i = open + 1; i < tokens->list[open].partner; i++) {
		if (!upc__token_is(tokens, i, "THREADS"))
			continue;
		if (!tokens->list[i].replacement)
			check_factor(rewriter, open, i);
		char *factor = upc__format("%ldL", UPC_THREADS_FACTOR);
		upc__token_replace(tokens, i, factor);
		free(factor);
		found++;
	}
	return found;
}
