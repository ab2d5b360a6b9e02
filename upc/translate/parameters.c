/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of shared array types become pointers: clang refuses arrays in address spaces there. */
#include "upc/translate/declarators.h"

#include <stdlib.h>

/* f(shared T [], int): true if NAME, the last word before the bounds, is the type of a parameter without a name. */
static bool is_type(const struct tokens *tokens, int name)
{
	bool shared = false;
	int i = upc__specifiers_start(tokens, name), before = upc__token_previous(tokens, i);
	if (!upc__token_is(tokens, before, "(") && !upc__token_is(tokens, before, ","))
		return false; /* such as int (*shared g[])(int) */
	for (; i < name; i = upc__token_next(tokens, i)) {
		shared = shared || upc__token_is(tokens, i, "shared");
		if (tokens->list[i].kind == TOKEN_WORD && !upc__is_qualifier(tokens, i))
			return false;
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return shared;
}

void upc__rewrite_parameter(struct rewriter *rewriter, const struct declarator *found)
{
	struct tokens *tokens = rewriter->tokens;
	if (found->first_bound < 0 || found->pointer || found->function)
		return;
	int close = tokens->list[found->first_bound].partner;
	upc__blank(tokens, found->first_bound, close);
	if (found->name >= 0 && !is_type(tokens, found->name)) {
		upc__token_before(tokens, found->name, "(*");
		upc__token_after(tokens, found->name, ")");
	} else {
		upc__token_replace(tokens, found->first_bound, "(*)");
	}
}

void upc__rewrite_named_parameter(struct rewriter *rewriter, int i, const char *qualifiers_text)
{
	const struct token *token = &rewriter->tokens->list[i];
	char *pointer = upc__format("__typeof__(&(*(%s %.*s *)0)[0])", qualifiers_text, token->length, token->text);
	upc__token_replace(rewriter->tokens, i, pointer);
	free(pointer);
}

void upc__rewrite_other_parameters(struct rewriter *rewriter, int end, bool old)
{
	struct tokens *tokens = rewriter->tokens;
	while (old && upc__token_is(tokens, end, ",")) {
		struct declarator found;
		end = upc__read_declarator(rewriter, upc__token_next(tokens, end), true, &found);
		upc__rewrite_parameter(rewriter, &found);
	}
}

/* const and volatile next to the type name in token I apply to the elements. Removes and returns them. */
static const char *take_qualifiers(struct rewriter *rewriter, int i)
{
	static const char *const constants[] = {"const", "__const", "__const__", NULL};
	static const char *const volatiles[] = {"volatile", "__volatile", "__volatile__", "strict", NULL};
	struct tokens *tokens = rewriter->tokens;
	bool constant = false, is_volatile = false;
	int end = upc__skip_qualifiers(tokens, upc__token_next(tokens, i));
	for (int j = upc__specifiers_start(tokens, i); j < end; j = upc__token_next(tokens, j)) {
		constant = constant || upc__token_in(tokens, j, constants);
		is_volatile = is_volatile || upc__token_in(tokens, j, volatiles);
		if (upc__token_in(tokens, j, constants) || upc__token_in(tokens, j, volatiles))
			upc__blank(tokens, j, j);
	}
	return constant ? is_volatile ? "const volatile" : "const" : is_volatile ? "volatile" : "";
}

void upc__rewrite_typed_parameter(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct typedef_name *name = upc__typedef_named(rewriter, i);
	if (!name || !name->is_shared || upc__place_of(tokens, i) != PLACE_PARAMETER)
		return;
	int next = upc__skip_qualifiers(tokens, upc__token_next(tokens, i));
	/* Without a name, this may be an argument in a call. */
	if (next >= tokens->count || (tokens->list[next].kind != TOKEN_WORD && upc__is_in_block(tokens, i)))
		return;
	bool array = name->dimensions > 0;
	struct declarator found;
	int end = upc__read_declarator(rewriter, next, true, &found);
	if (found.first_bound >= 0)
		upc__rewrite_parameter(rewriter, &found);
	else if (array && !found.pointer && !found.function)
		upc__rewrite_named_parameter(rewriter, i, take_qualifiers(rewriter, i));
	upc__rewrite_other_parameters(rewriter, end, !array && tokens->list[i].old_style);
}
