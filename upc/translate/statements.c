/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates UPC statements and operators to calls that the lowering recognizes. */
#include "upc/translate/declarators.h"

#include <stdlib.h>
#include <string.h>

/* The position of the first TEXT from I on that is outside of brackets and before LIMIT; else LIMIT. */
static int find_outside(const struct tokens *tokens, int i, const char *text, int limit)
{
	while (i < limit) {
		if (upc__token_is(tokens, i, text))
			return i;
		int partner = tokens->list[i].partner;
		i = upc__token_next(tokens, partner > i ? partner : i);
	}
	return limit;
}

/* The semicolon that ends the expression at I; if there is none, the number of tokens. */
static int statement_end(const struct tokens *tokens, int i)
{
	static const char *const never[] = {"{", "}", "upc_barrier", "upc_notify", "upc_wait", NULL};
	while (i < tokens->count && !upc__token_is(tokens, i, ";")) {
		int partner = tokens->list[i].partner;
		if (upc__token_in(tokens, i, never) || (partner >= 0 && partner < i))
			return tokens->count;
		i = upc__token_next(tokens, partner > i ? partner : i);
	}
	return i;
}

void upc__rewrite_synchronization(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	int first = upc__token_next(tokens, i);
	int end = statement_end(tokens, first);
	const struct token *token = &tokens->list[i];
	if (end == tokens->count || tokens->list[end].outer != token->outer) {
		upc__refuse(rewriter, i, "expected ';' after '%.*s'", token->length, token->text);
		return;
	}
	/* Numbers and pointers, which can be cast to a long, can be assigned to an int; clang refuses all others. */
	char *call = upc__format(first == end ? "__%.*s(0, 0)" : "__%.*s(1, (int)(long)(", token->length, token->text);
	upc__token_replace(tokens, i, call);
	free(call);
	if (first != end)
		upc__token_before(tokens, end, "))");
}

void upc__rewrite_fence(struct rewriter *rewriter, int i)
{
	upc__token_replace(rewriter->tokens, i, "__upc_fence()");
	if (!upc__token_is(rewriter->tokens, upc__token_next(rewriter->tokens, i), ";"))
		upc__refuse(rewriter, upc__token_next(rewriter->tokens, i), "expected ';' after 'upc_fence'");
}

/* Removes the text of the tokens from FIRST to before END. */
static void blank(struct tokens *tokens, int first, int end)
{
	for (int i = first; i < end; i++)
		if (tokens->list[i].kind != TOKEN_DIRECTIVE)
			upc__token_replace(tokens, i, "");
}

/*
 * The loop that is placed around a upc_forall: it counts the nesting depth, or only marks the loop for instrumentation.
 * NUMBER makes names of nested loops differ.
 */
static char *loop_head(const char *kind, int number)
{
	return upc__format("for (int __upc_inner_%d __attribute__((__cleanup__(__upc_forall_%s_leave), __unused__)) = "
			   "__upc_forall_%s_enter(), __upc_once_%d = 1; __upc_once_%d; __upc_once_%d = 0) for",
		number, kind, kind, number, number, number);
}

/*
 * upc_forall (a; b; c; affinity) body -> for (once) for (a; b; c) if (!(inner || affinity)) {} else body
 *
 * The cleanup decrements the depth however the loop is left.
 */
static void rewrite_affinity(struct rewriter *rewriter, int i, int semicolon, int close)
{
	char *open = loop_head("affinity", i), *test = upc__format(") if (!(__upc_inner_%d || __upc_affinity((", i);
	upc__token_replace(rewriter->tokens, i, open);
	upc__token_replace(rewriter->tokens, semicolon, test);
	upc__token_replace(rewriter->tokens, close, ")))) {} else ");
	free(test);
	free(open);
}

void upc__rewrite_forall(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	int open = upc__token_next(tokens, i);
	int close = upc__token_is(tokens, open, "(") ? tokens->list[open].partner : -1;
	if (close < 0) {
		upc__refuse(rewriter, open, "expected '(' after 'upc_forall'");
		return;
	}
	int first = find_outside(tokens, open + 1, ";", close);
	int second = first < close ? find_outside(tokens, first + 1, ";", close) : close;
	int third = second < close ? find_outside(tokens, second + 1, ";", close) : close;
	int fourth = third < close ? find_outside(tokens, third + 1, ";", close) : close;
	if (third == close || fourth != close) {
		upc__refuse(rewriter, fourth, "upc_forall needs three ';': the last part is its affinity");
		return;
	}
	int affinity = upc__token_next(tokens, third);
	if (affinity != close && !upc__token_is(tokens, affinity, "continue")) {
		rewrite_affinity(rewriter, i, third, close);
		return;
	}
	if (affinity != close && upc__token_next(tokens, affinity) != close)
		upc__refuse(rewriter, upc__token_next(tokens, affinity), "expected ')' after 'continue'");
	char *loop = loop_head("every", i);
	upc__token_replace(tokens, i, loop);
	free(loop);
	blank(tokens, third, close);
}

static const char *const unary[] = {"*", "&", "-", "+", "~", "!", "++", "--", NULL};

/* The last token of the operand that begins at I, as for sizeof: a type in parentheses, or a unary expression. */
static int operand_end(const struct tokens *tokens, int i)
{
	while (upc__token_in(tokens, i, unary))
		i = upc__token_next(tokens, i);
	if (upc__token_is(tokens, i, "sizeof"))
		return operand_end(tokens, upc__token_next(tokens, i));
	int end = upc__token_is(tokens, i, "(") ? tokens->list[i].partner : i;
	for (;;) {
		int next = upc__token_next(tokens, end);
		if (upc__token_is(tokens, next, "[") || upc__token_is(tokens, next, "("))
			end = tokens->list[next].partner;
		else if (upc__token_is(tokens, next, ".") || upc__token_is(tokens, next, "->"))
			end = upc__token_next(tokens, next);
		else if (upc__token_is(tokens, next, "++") || upc__token_is(tokens, next, "--"))
			end = next;
		else
			return end;
		if (end < 0)
			return i;
	}
}

/*
 * Rewrites upc_blocksizeof, upc_elemsizeof or upc_localsizeof as a number that the typing pass computes, and an
 * expression with the operand's type: a pointer to it, because an incomplete type has no size.
 */
void upc__rewrite_upc_sizeof(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	int first = upc__token_next(tokens, i), last = operand_end(tokens, first);
	if (last < first)
		return;
	bool alone = upc__token_is(tokens, first, "(") && tokens->list[first].partner == last;
	int length = tokens->list[i].length - (int)strlen("of");
	char *open = upc__format("(" UPC_UNKNOWN_FORMAT " + __%.*s * sizeof((__typeof__%s", UPC_UNKNOWN_NUMBER(i),
		length, tokens->list[i].text, alone ? "" : "(");
	upc__token_replace(tokens, i, open);
	upc__token_after(tokens, last, alone ? " *)0))" : ") *)0))");
	rewriter->translation->has_constants = true;
	free(open);
}
