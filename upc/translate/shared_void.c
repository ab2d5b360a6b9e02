/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites `shared void *` as a separate type, which already includes the pointer. */
#include "upc/translate/declarators.h"

int upc__void_base(const struct tokens *tokens, int i)
{
	int after = upc__skip_qualifiers(tokens, i);
	if (upc__token_is(tokens, after, "void"))
		return after;
	int before = upc__token_previous(tokens, i);
	while (upc__is_qualifier(tokens, before))
		before = upc__token_previous(tokens, before);
	return upc__token_is(tokens, before, "void") ? before : -1;
}

/*
 * The type name that replaces `shared void *` already includes the pointer: removes the star nearest to the base type.
 * In `(*f)(int)` that is before the parenthesis, in `(*p)` and `(*p)[3]` inside. For clang, the type is not a pointer,
 * so `restrict` is removed. Qualifiers may only be next to the type name: in other places, `const` is removed, too.
 */
static void drop_star(struct rewriter *rewriter, int i, bool beside_type)
{
	static const char *const restricts[] = {"restrict", "__restrict", "__restrict__", NULL};
	static const char *const constants[] = {"const", "__const", "__const__", NULL};
	struct tokens *tokens = rewriter->tokens;
	for (; upc__token_is(tokens, i, "(") && tokens->list[i].partner > 0; i = upc__token_next(tokens, i))
		beside_type = false;
	if (!upc__token_is(tokens, i, "*")) {
		upc__refuse(rewriter, i < tokens->count ? i : tokens->count - 1,
			"'shared void' is an incomplete type: only pointers to it can be declared");
		return;
	}
	upc__token_replace(tokens, i, beside_type ? " " : ""); /* void*p */
	for (i = upc__token_next(tokens, i); upc__is_qualifier(tokens, i); i = upc__token_next(tokens, i))
		if (upc__token_in(tokens, i, restricts) || (!beside_type && upc__token_in(tokens, i, constants)))
			upc__blank(tokens, i, i);
}

/* typedef shared void NAME; */
static bool remember_typedef(struct rewriter *rewriter, int first, int name)
{
	struct tokens *tokens = rewriter->tokens;
	if (!upc__token_is(tokens, first, "typedef") || name >= tokens->count || tokens->list[name].kind != TOKEN_WORD)
		return false;
	struct declarator found = {.name = name};
	upc__remember_typedef(rewriter, &found, true);
	rewriter->names[rewriter->name_count - 1].is_void = true;
	return true;
}

bool upc__rewrite_declared_void(struct rewriter *rewriter, int i)
{
	const struct tokens *tokens = rewriter->tokens;
	const struct typedef_name *name = upc__typedef_named(rewriter, i);
	if (!name || !name->is_void)
		return false;
	/* Otherwise it is the name of a member or variable. */
	int next = upc__skip_qualifiers(tokens, upc__token_next(tokens, i));
	if (upc__token_is(tokens, next, "*") || upc__token_is(tokens, next, "(") ||
		(next < tokens->count && tokens->list[next].kind == TOKEN_WORD))
		upc__rewrite_shared_void(rewriter, i, i);
	return true;
}

void upc__rewrite_shared_void(struct rewriter *rewriter, int shared, int base)
{
	struct tokens *tokens = rewriter->tokens;
	int first = upc__specifiers_start(tokens, shared < base ? shared : base);
	int i = first;
	/* A const of the pointed-to type is dropped: an integer type cannot express it. */
	static const char *const storage[] = {
		"static", "extern", "register", "inline", "typedef", "__inline", "__inline__", "__extension__", NULL};
	for (;;) {
		int next = upc__skip_qualifiers(tokens, i);
		for (int j = i; j < next; j++)
			if (!upc__token_in(tokens, j, storage))
				upc__blank(tokens, j, j);
		if (next != base)
			break;
		i = upc__token_next(tokens, base);
	}
	upc__token_replace(tokens, base, UPC_GENERIC);
	int declarator = upc__skip_qualifiers(tokens, upc__token_next(tokens, base));
	if (!remember_typedef(rewriter, first, declarator))
		drop_star(rewriter, declarator, true);
	if (upc__place_of(tokens, shared) != PLACE_DECLARATION)
		return;
	for (int end = upc__declarator_end(tokens, declarator);
		upc__token_is(tokens, end, ",") && !upc__token_is(tokens, upc__token_next(tokens, end), "shared");
		end = upc__declarator_end(tokens, upc__token_next(tokens, end)))
		drop_star(rewriter, upc__token_next(tokens, end), false);
}
