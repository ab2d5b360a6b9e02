/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC's statements and operators, as calls that the lowering knows. */
#include "upc/translate/rewriter.h"

#include <stdlib.h>
#include <string.h>

/* From I on, the first TEXT outside of brackets and before LIMIT; LIMIT when there is none. */
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

void upc__rewrite_synchronization(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	int first = upc__token_next(tokens, i);
	int end = find_outside(tokens, first, ";", tokens->count);
	const struct token *token = &tokens->list[i];
	if (end == tokens->count || tokens->list[end].outer != token->outer) {
		upc__refuse(rewriter, i, "expected ';' after '%.*s'", token->length, token->text);
		return;
	}
	/* `0 |`: no other type than an integer will do. */
	char *call = upc__format(first == end ? "__%.*s(0, 0)" : "__%.*s(1, 0 | (", token->length, token->text);
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

/* Replaces the tokens from FIRST to before END by nothing. */
static void blank(struct tokens *tokens, int first, int end)
{
	for (int i = first; i < end; i++)
		if (tokens->list[i].kind != TOKEN_DIRECTIVE)
			upc__token_replace(tokens, i, "");
}

/* Around the loop: counts how deep it is, or only marks it for measuring. The number keeps nested ones apart. */
static char *loop_head(const char *kind, int number)
{
	return upc__format("for (int __upc_inner_%d __attribute__((__cleanup__(__upc_forall_%s_leave), __unused__)) = "
			   "__upc_forall_%s_enter(), __upc_once_%d = 1; __upc_once_%d; __upc_once_%d = 0) for",
		number, kind, kind, number, number, number);
}

/*
 * upc_forall (a; b; c; affinity) body  ->  for (once) for (a; b; c) if (!(inner || affinity)) {} else body
 * The cleanup counts the depth down however the loop is left. The kind tells the lowering what an i32 or i64 was: it
 * needs the sign, and clang passes a `shared void *` as an integer, and structures in ways of their own: `!` refuses
 * them.
 */
static void rewrite_affinity(struct rewriter *rewriter, int i, int semicolon, int close)
{
	struct tokens *tokens = rewriter->tokens;
	char *open = loop_head("affinity", i);
	upc__token_replace(tokens, i, open);
	free(open);
	char *expression =
		upc__tokens_text(tokens, upc__token_next(tokens, semicolon), upc__token_previous(tokens, close));
	char *kind = upc__format("), _Generic((%s), " UPC_GENERIC
				 ": 3, unsigned int: 1, unsigned long: 1, unsigned long long: 1, default: 0) + 0 * "
				 "sizeof !(%s)))) {} else",
		expression, expression);
	char *test = upc__format(") if (!(__upc_inner_%d || __upc_affinity((", i);
	upc__token_replace(tokens, semicolon, test);
	free(test);
	upc__token_replace(tokens, close, kind);
	free(kind);
	free(expression);
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
	char *loop = loop_head("plain", i);
	upc__token_replace(tokens, i, loop);
	free(loop);
	blank(tokens, third, close);
}

static const char *const unary[] = {"*", "&", "-", "+", "~", "!", "++", "--", NULL};

/* The last token of the operand that begins at I (what sizeof takes: a type in parentheses, or a unary expression). */
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

/* A size that may have the factor for THREADS in it. */
static bool may_have_threads(const struct rewriter *rewriter, int first, int last)
{
	if (rewriter->sizes_have_threads)
		return true;
	for (int i = first; i <= last; i++) {
		const struct array_name *name = upc__array_name(rewriter, i);
		if ((name != NULL && name->has_threads) || upc__token_is(rewriter->tokens, i, "THREADS"))
			return true;
	}
	return false;
}

void upc__rewrite_sizeof(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	if (rewriter->options->static_threads != 0)
		return;
	int first = upc__token_next(tokens, i);
	int last = operand_end(tokens, first);
	if (last < first || !may_have_threads(rewriter, first, last))
		return;
	upc__token_replace(tokens, i, "__upc_size(sizeof");
	upc__token_after(tokens, last, ")");
}

/* Whether the operand is a member of something: those have no block. */
static bool is_member(const struct tokens *tokens, int first, int last)
{
	if (upc__token_is(tokens, first, "(") && tokens->list[first].partner == last)
		return is_member(tokens, upc__token_next(tokens, first), upc__token_previous(tokens, last));
	int before = upc__token_previous(tokens, last);
	return before > first && (upc__token_is(tokens, before, ".") || upc__token_is(tokens, before, "->"));
}

/* A name in as many parentheses as you like: its block size is known without the compiler, so it can be a constant. */
static const struct array_name *plain_name(const struct rewriter *rewriter, int first, int last)
{
	while (first < last && upc__token_is(rewriter->tokens, first, "(") &&
		rewriter->tokens->list[first].partner == last) {
		first = upc__token_next(rewriter->tokens, first);
		last = upc__token_previous(rewriter->tokens, last);
	}
	const struct array_name *name = first == last ? upc__array_name(rewriter, first) : NULL;
	return name != NULL && name->block != NULL ? name : NULL;
}

/*
 * The answer for a variable as a constant expression, NULL when the translator cannot know it. The text counts with the
 * factor for THREADS as sizeof has it: one thread's share has it once.
 */
static char *constant_size(const struct rewriter *rewriter, const struct array_name *name, char kind)
{
	if (kind == 'b')
		return upc__format("((__SIZE_TYPE__)(%s)", name->block);
	if (!name->has_plain_base || name->is_typedef)
		return NULL;
	char *element = upc__format("%s", name->name);
	for (int i = 0; i < name->dimensions; i++) {
		char *inner = upc__format("%s[0]", element);
		free(element);
		element = inner;
	}
	int threads = rewriter->options->static_threads;
	long factor = threads == 0 && name->has_threads ? UPC_THREADS_FACTOR : 1;
	char *size;
	if (kind == 'e')
		size = upc__format("(sizeof %s", element);
	else if (name->dimensions == 0)
		size = upc__format("(sizeof %s", name->name);
	else
		size = upc__format("((%s) == 0 ? sizeof %s : (((sizeof %s / sizeof %s / %ldL + (%s) - 1) / ((%s) + "
				   "!(%s)) + %d) / %d)"
				   " * (%s) * sizeof %s",
			name->block, name->name, name->name, element, factor, name->block, name->block, name->block,
			threads == 0 ? 0 : threads - 1, threads == 0 ? 1 : threads, name->block, element);
	free(element);
	return size;
}

/* upc_blocksizeof, upc_elemsizeof, upc_localsizeof. What the translator doesn't know the lowering reads off the
 * operand's type. */
void upc__rewrite_upc_sizeof(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct token *token = &tokens->list[i];
	int first = upc__token_next(tokens, i);
	int last = operand_end(tokens, first);
	if (last < first)
		return;
	const struct array_name *name = plain_name(rewriter, first, last);
	char *constant = name ? constant_size(rewriter, name, token->text[strlen("upc_")]) : NULL;
	if (constant != NULL) {
		char *open = upc__format("%s + 0 * sizeof", constant);
		upc__token_replace(tokens, i, open);
		upc__token_after(tokens, last, ")");
		free(open);
		free(constant);
		return;
	}
	const char *kind = is_member(tokens, first, last) ? "_member" : "";
	char *open = upc__format("__%.*s%s(((__typeof__", token->length, token->text, kind);
	upc__token_replace(tokens, i, open);
	free(open);
	bool parenthesized = upc__token_is(tokens, first, "(") && tokens->list[first].partner == last;
	if (!parenthesized)
		upc__token_before(tokens, first, "(");
	upc__token_after(tokens, last, parenthesized ? " *)0))" : ") *)0))");
}
