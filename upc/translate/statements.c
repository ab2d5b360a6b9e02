/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates UPC statements and operators to calls that the lowering recognizes. */
#include "upc/translate/declarators.h"

#include <stdlib.h>
#include <string.h>

/* The first TEXT from I on, outside of brackets and before LIMIT; else LIMIT. */
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

/* The semicolon that ends the expression at I; without one, an index beyond the tokens. */
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
	/* `+`: only arithmetic types are valid operands; all of them can be assigned to an int. */
	char *call = upc__format(first == end ? "__%.*s(0, 0)" : "__%.*s(1, (int)+(", token->length, token->text);
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

/* Replaces the tokens from FIRST to before END with nothing. */
static void blank(struct tokens *tokens, int first, int end)
{
	for (int i = first; i < end; i++)
		if (tokens->list[i].kind != TOKEN_DIRECTIVE)
			upc__token_replace(tokens, i, "");
}

/*
 * Placed around the loop: counts the nesting depth, or only marks the loop for instrumentation. The number keeps nested
 * loops apart.
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
 * The cleanup decrements the depth however the loop is left. `kind` tells the lowering the type of an i32 or i64: it
 * needs the signedness, and clang passes a `shared void *` as an integer and structures in various ways; `!` refuses
 * structures.
 */
static void rewrite_affinity(struct rewriter *rewriter, int i, int semicolon, int close)
{
	struct tokens *tokens = rewriter->tokens;
	char *open = loop_head("affinity", i);
	upc__token_replace(tokens, i, open);
	free(open);
	char *expression =
		upc__tokens_text(tokens, upc__token_next(tokens, semicolon), upc__token_previous(tokens, close));
	char *kind = upc__format("), __extension__ _Generic((%s), " UPC_GENERIC
				 ": 3, unsigned int: 1, unsigned long: 1, unsigned long long: 1, default: 0) + 0 * "
				 "sizeof !(%s)))) {} else ",
		expression, expression);
	char *test = upc__format(") if (!(__upc_inner_%d || __upc_affinity((", i);
	upc__token_replace(tokens, semicolon, test);
	free(test);
	upc__token_replace(tokens, close, kind);
	free(kind);
	free(expression);
}

/* The affinity is copied, and nested ones are copied with it: statement expressions may nest only a few such loops. */
static bool is_too_deep(const struct tokens *tokens, int first, int end)
{
	int loops = 0;
	for (int i = first; i < end && loops <= 4; i++)
		loops += upc__token_is(tokens, i, "upc_forall");
	return loops > 4;
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
	if (is_too_deep(tokens, affinity, close)) {
		upc__refuse(rewriter, affinity, "too many upc_forall in an affinity");
		return;
	}
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

int upc__operand_end(const struct tokens *tokens, int i)
{
	while (upc__token_in(tokens, i, unary))
		i = upc__token_next(tokens, i);
	if (upc__token_is(tokens, i, "sizeof"))
		return upc__operand_end(tokens, upc__token_next(tokens, i));
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

/* (int), (shared struct s), (T *): types without THREADS in their size, if no bound has it. */
static bool is_plain_type(const struct tokens *tokens, int first)
{
	static const char *const plain[] = {"char", "short", "int", "long", "float", "double", "signed", "unsigned",
		"_Bool", "void", "struct", "union", "enum", NULL};
	if (!upc__token_is(tokens, first, "(") || tokens->list[first].partner < 0)
		return false;
	int word = upc__skip_qualifiers(tokens, upc__token_next(tokens, first));
	int last = upc__token_previous(tokens, tokens->list[first].partner);
	while (upc__is_qualifier(tokens, last))
		last = upc__token_previous(tokens, last);
	return upc__token_in(tokens, word, plain) || upc__token_is(tokens, last, "*");
}

/* Whether a size may contain the factor for THREADS. */
static bool may_have_threads(struct rewriter *rewriter, int first, int last)
{
	if (rewriter->sizes_have_threads && !is_plain_type(rewriter->tokens, first))
		return true;
	bool known = rewriter->sized.names == rewriter->name_count && rewriter->sized.from <= first;
	/* Nested operands of sizeof: scans only what the outer one did not scan. */
	if (!known || rewriter->sized.to < first || (rewriter->sized.to <= last && !rewriter->sized.hit)) {
		rewriter->sized.from = first;
		rewriter->sized.names = rewriter->name_count;
		rewriter->sized.hit = false;
		int i = first;
		for (; i <= last && !rewriter->sized.hit; i++) {
			const struct array_name *name = upc__array_name(rewriter, i);
			rewriter->sized.hit =
				(name && name->has_threads) || upc__token_is(rewriter->tokens, i, "THREADS");
		}
		rewriter->sized.to = rewriter->sized.hit ? i - 1 : i;
	}
	return rewriter->sized.hit && rewriter->sized.to <= last;
}

/* As operand_end, computed once for all of `sizeof sizeof sizeof x`. */
static int sizeof_end(struct rewriter *rewriter, int first)
{
	const struct tokens *tokens = rewriter->tokens;
	if (first < rewriter->operand.from || first > rewriter->operand.to) {
		int i = first;
		while (upc__token_in(tokens, i, unary) || upc__token_is(tokens, i, "sizeof"))
			i = upc__token_next(tokens, i);
		rewriter->operand.from = first;
		rewriter->operand.to = i;
		rewriter->operand.end = upc__operand_end(tokens, i);
	}
	return rewriter->operand.end;
}

bool upc__is_plain_operand(const struct tokens *tokens, int first, int last)
{
	static const char *const signs[] = {"(", ")", "[", "]", ".", "->", "*", NULL};
	static const char *const words[] = {"sizeof", "shared", "strict", "relaxed", "THREADS", NULL};
	for (int i = first; i <= last; i++) {
		const struct token *token = &tokens->list[i];
		bool word = token->kind == TOKEN_WORD && !upc__token_in(tokens, i, words) &&
			    (token->length < 4 || strncmp(token->text, "upc_", 4) != 0);
		if (!word && token->kind != TOKEN_NUMBER && !upc__token_in(tokens, i, signs))
			return false;
	}
	return true;
}

/*
 * What may have the factor for THREADS in its size, by the names in it, but has not, keeps a constant size. The test is
 * constant, also for arrays of variable length, whose size is not.
 */
void upc__rewrite_sizeof(struct rewriter *rewriter, int i)
{
	/* Their type is an integer, and they end with the same token: their text would be put behind this one's. */
	static const char *const sizes[] = {"upc_blocksizeof", "upc_elemsizeof", "upc_localsizeof", NULL};
	struct tokens *tokens = rewriter->tokens;
	int first = upc__token_next(tokens, i);
	if (rewriter->options->static_threads != 0 || upc__token_in(tokens, first, sizes))
		return;
	int last = sizeof_end(rewriter, first);
	if (last < first || !may_have_threads(rewriter, first, last))
		return;
	bool plain = upc__is_plain_operand(tokens, first, last);
	char *operand = plain ? upc__tokens_text(tokens, first, last) : NULL;
	char *open = plain ? upc__format("__builtin_choose_expr(__builtin_constant_p(sizeof %s %% %ldL ? 0 : "
					 "__upc_size(0)), sizeof %s, __upc_size(sizeof",
				     operand, UPC_THREADS_FACTOR, operand)
			   : upc__format("__upc_size(sizeof");
	upc__token_replace(tokens, i, open);
	upc__token_after(tokens, last, plain ? "))" : ")");
	free(open);
	free(operand);
}
