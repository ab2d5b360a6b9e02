/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognizes casts to pointers-to-shared among types in parentheses, and marks them for the lowering. */
#include "upc/translate/declarators.h"
#include "upc/translate/members.h"

/* Words that may stand before a cast; others take the parentheses as arguments or parameters. */
static const char *const before_casts[] = {"return", "case", "else", "do", NULL};
static const char *const not_operands[] = {"__attribute__", "__attribute", "__asm__", "__asm", "asm", NULL};
static const char *const operand_starts[] = {"(", "&", "*", "-", "+", "~", "!", "++", "--", NULL};

/* Whether the parentheses from OPEN are a cast: an operand follows, and no operator or function stands before. */
static bool is_cast(const struct tokens *tokens, int open)
{
	int before = upc__token_previous(tokens, open);
	if (before >= 0 && tokens->list[before].kind == TOKEN_WORD && !upc__token_in(tokens, before, before_casts))
		return false;
	if (upc__token_is(tokens, before, "]"))
		return false;
	int next = upc__token_next(tokens, tokens->list[open].partner);
	if (next >= tokens->count || upc__token_in(tokens, next, not_operands))
		return false;
	enum token_kind kind = tokens->list[next].kind;
	return kind == TOKEN_WORD || kind == TOKEN_NUMBER || kind == TOKEN_STRING ||
	       upc__token_in(tokens, next, operand_starts);
}

/*
 * The star of the outermost pointer in the type name in parentheses: `shared int *`, `shared int (*)[3]`. -1: no
 * pointer, or too complex.
 */
static int outermost_star(const struct tokens *tokens, int open)
{
	int star = -1, close = tokens->list[open].partner;
	for (int i = upc__token_next(tokens, open); i < close; i = upc__token_next(tokens, i)) {
		int inner = upc__token_next(tokens, i), partner = tokens->list[i].partner;
		if (upc__token_is(tokens, i, "*")) {
			star = i;
		} else if (upc__token_is(tokens, i, "(") && upc__token_is(tokens, inner, "*")) {
			bool array = upc__token_is(tokens, upc__token_next(tokens, partner), "[");
			return array && upc__token_next(tokens, inner) == partner ? inner : -1;
		} else if (upc__token_is(tokens, i, "(") || upc__token_is(tokens, i, ",")) {
			return -1;
		}
		if (partner > i)
			i = partner;
	}
	return star;
}

/* The first `shared` in the type that the pointer with this star points to; -1: it points to a private type. */
static int first_shared(const struct tokens *tokens, int open, int star)
{
	int found = -1;
	for (int i = upc__token_next(tokens, open); i < star; i = upc__token_next(tokens, i)) {
		if (upc__token_is(tokens, i, "*"))
			found = -1;
		else if (found < 0 && upc__token_is(tokens, i, "shared"))
			found = i;
	}
	return found;
}

/* (T), (struct s *): whether the parentheses from OPEN contain a type. */
static bool has_type(const struct tokens *tokens, int open)
{
	static const char *const words[] = {"char", "short", "int", "long", "float", "double", "signed", "unsigned",
		"_Bool", "void", "struct", "union", "enum", "const", "volatile", "shared", "strict", "relaxed", NULL};
	int first = upc__token_next(tokens, open), close = tokens->list[open].partner;
	int next = close >= 0 ? upc__token_next(tokens, close) : tokens->count;
	if (next >= tokens->count || tokens->list[first].kind != TOKEN_WORD)
		return false;
	if (upc__token_in(tokens, first, words) || upc__token_is(tokens, upc__token_previous(tokens, close), "*"))
		return true;
	enum token_kind kind = tokens->list[next].kind;
	return upc__token_next(tokens, first) == close &&
	       (kind == TOKEN_WORD || kind == TOKEN_NUMBER || upc__is_typedef(tokens, first));
}

/* The last token of the operand of the cast that begins at I. */
static int operand_end(const struct tokens *tokens, int i)
{
	while (upc__token_in(tokens, i, operand_starts) && !upc__token_is(tokens, i, "("))
		i = upc__token_next(tokens, i);
	if (!upc__token_is(tokens, i, "(") || !has_type(tokens, i) ||
		upc__token_is(tokens, upc__token_next(tokens, tokens->list[i].partner), "{"))
		return upc__operand_end(tokens, i);
	return operand_end(tokens, upc__token_next(tokens, tokens->list[i].partner));
}

/* Whether the brace at I begins an initializer rather than a block. */
static bool is_initializer(const struct tokens *tokens, int i)
{
	int before = upc__token_previous(tokens, i);
	if (upc__token_is(tokens, before, "="))
		return true;
	bool inner = upc__token_is(tokens, before, ",") || upc__token_is(tokens, before, "{");
	int outer = tokens->list[i].outer;
	return inner && upc__token_is(tokens, outer, "{") && is_initializer(tokens, outer);
}

/* Whether token I is in the initializer of a variable with static storage: the C compiler needs a constant there. */
static bool is_static(const struct tokens *tokens, int i)
{
	int outer = tokens->list[i].outer;
	while (outer >= 0 && (!upc__token_is(tokens, outer, "{") || is_initializer(tokens, outer))) {
		i = outer;
		outer = tokens->list[i].outer;
	}
	if (outer < 0)
		return true;
	for (int at = upc__token_previous(tokens, i); at > outer; at = upc__token_previous(tokens, at)) {
		int partner = tokens->list[at].partner;
		bool block = upc__token_is(tokens, at, "}") && !is_initializer(tokens, partner) &&
			     upc__token_is(tokens, upc__token_previous(tokens, partner), ")");
		if (upc__token_is(tokens, at, ";") || block)
			return false;
		if (upc__token_is(tokens, at, "static"))
			return true;
		if (partner >= 0 && partner < at)
			at = partner;
	}
	return false;
}

/* In a static initializer, the C compiler folds what is added before and after a cast into one number of bytes. */
static void check_static(struct rewriter *rewriter, int open, int last)
{
	static const char *const steps[] = {"+", "-", NULL};
	const struct tokens *tokens = rewriter->tokens;
	int before = upc__token_previous(tokens, open), next = upc__token_next(tokens, last);
	for (;;) {
		if (upc__token_in(tokens, before, steps) || upc__token_in(tokens, next, steps) ||
			upc__token_is(tokens, next, "["))
			break;
		if (!upc__token_is(tokens, next, ")") || tokens->list[next].partner < 0)
			return;
		before = upc__token_previous(tokens, tokens->list[next].partner);
		next = upc__token_next(tokens, next);
	}
	upc__refuse(rewriter, open,
		"arithmetic on an address that was cast isn't supported in a static initializer: store it in a "
		"function");
}

/* Marks the cast whose parentheses begin at OPEN. */
static void mark(struct rewriter *rewriter, int open)
{
	struct tokens *tokens = rewriter->tokens;
	int close = tokens->list[open].partner;
	int operand = upc__token_next(tokens, close), last = operand_end(tokens, operand);
	if (last < operand || tokens->list[operand].kind == TOKEN_NUMBER)
		return;
	if (is_static(tokens, open)) {
		check_static(rewriter, open, last);
		return;
	}
	upc__token_after(tokens, close, UPC_CAST "(");
	upc__token_after(tokens, last, ")");
}

void upc__mark_cast(struct rewriter *rewriter, int shared)
{
	struct tokens *tokens = rewriter->tokens;
	int open = tokens->list[shared].outer;
	if (!upc__token_is(tokens, open, "(") || tokens->list[open].partner < 0 || !is_cast(tokens, open))
		return;
	int star = outermost_star(tokens, open);
	if (star >= 0 && first_shared(tokens, open, star) == shared)
		mark(rewriter, open);
}

/* Whether all tokens after FIRST and before END are qualifiers. */
static bool are_qualifiers(const struct tokens *tokens, int first, int end)
{
	return first < end && upc__skip_qualifiers(tokens, upc__token_next(tokens, first)) == end;
}

/* (T *), (const T (*)[3]), with a typedef of a shared type in token I. */
static bool is_pointer_to(const struct tokens *tokens, int open, int i)
{
	int star = outermost_star(tokens, open);
	if (star < 0 || first_shared(tokens, open, star) >= 0 ||
		upc__skip_qualifiers(tokens, upc__token_next(tokens, open)) != i)
		return false;
	int inner = tokens->list[star].outer;
	if (inner != open)
		return are_qualifiers(tokens, i, inner);
	return are_qualifiers(tokens, i, star) && are_qualifiers(tokens, star, tokens->list[open].partner);
}

void upc__mark_named_cast(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct array_name *name = upc__array_name(rewriter, i);
	int open = tokens->list[i].outer;
	if (!name || !name->is_typedef || !upc__token_is(tokens, open, "(") || tokens->list[open].partner < 0 ||
		!is_cast(tokens, open))
		return;
	bool pointer = name->is_pointer && upc__skip_qualifiers(tokens, upc__token_next(tokens, open)) == i &&
		       are_qualifiers(tokens, i, tokens->list[open].partner);
	if (pointer || (name->block && is_pointer_to(tokens, open, i)))
		mark(rewriter, open);
}
