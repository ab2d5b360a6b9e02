/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates `shared` in declarations, casts and parameters to an address space. */
#include "upc/translate/declarators.h"

#include <stdlib.h>

static void refuse_function(struct rewriter *rewriter, const struct declarator *found)
{
	if (found->function && !found->pointer && found->name >= 0)
		upc__refuse(rewriter, found->name, "a function cannot return a shared type");
}

/* Records a typedef: of a shared type, or of a pointer to one. */
static void remember(struct rewriter *rewriter, struct declarator found)
{
	if (found.name < 0 || found.function)
		return;
	if (found.pointer)
		found.dimensions = 0;
	upc__remember_typedef(rewriter, &found, !found.pointer);
}

/* Handles the other declarators of a declaration: rewrites their bounds, records typedefs. */
static void read_others(struct rewriter *rewriter, int end, bool is_typedef)
{
	struct tokens *tokens = rewriter->tokens;
	while (end < tokens->count) {
		if (upc__token_is(tokens, end, "=") || upc__token_is(tokens, end, ":"))
			end = upc__declarator_end(tokens, end);
		/* Stop after a misplaced comma: otherwise the rest would be read again for each such comma. */
		if (!upc__token_is(tokens, end, ",") || upc__token_is(tokens, upc__token_next(tokens, end), "shared"))
			return;
		struct declarator found;
		int after = upc__token_next(tokens, end);
		end = upc__read_declarator(rewriter, after, true, &found);
		if (is_typedef)
			remember(rewriter, found);
	}
}

/* Writes the address space in place of token SHARED, or before the definition that precedes it. */
static void write_space(
	struct rewriter *rewriter, int shared, const char *block, const struct declarator *found, int end)
{
	struct tokens *tokens = rewriter->tokens;
	int definition = upc__definition_before(tokens, shared);
	int start = upc__specifiers_start(tokens, definition < 0 ? shared : definition);
	/* Directly after a parenthesis, the attribute would apply to the function. */
	bool follows = tokens->list[shared].old_style && upc__token_is(tokens, upc__token_previous(tokens, start), ")");
	char *attribute = upc__format(
		"%s __attribute__((address_space(%d + (%s)))) ", follows ? "register" : "", UPC_SPACE, block);
	int array = -1;
	if (upc__place_of(tokens, shared) == PLACE_PARAMETER && found->first_bound < 0 && !found->pointer &&
		!found->function)
		array = upc__base_array(rewriter, upc__specifiers_start(tokens, shared), end);
	upc__token_replace(tokens, shared, array < 0 && definition < 0 ? attribute : "");
	if (array >= 0) {
		upc__rewrite_named_parameter(rewriter, array, attribute);
	} else if (definition >= 0) {
		const struct token *tag = &tokens->list[definition];
		char *both = upc__format("%s%.*s", attribute, tag->length, tag->text);
		upc__token_replace(tokens, definition, both);
		free(both);
	}
	free(attribute);
}

/* For `[*]`: a number that the typing pass computes. The caller frees it. */
static char *spread_block(struct rewriter *rewriter, int shared, bool pointer)
{
	if (pointer)
		upc__refuse(rewriter, shared, "'[*]' cannot be the layout of what a pointer points to");
	rewriter->translation->has_constants = true;
	return pointer ? upc__format("1") : upc__format(UPC_UNKNOWN_FORMAT " + __upc_spread", UPC_UNKNOWN_NUMBER(0));
}

void upc__rewrite_shared(struct rewriter *rewriter, int shared)
{
	struct tokens *tokens = rewriter->tokens;
	int after, open = upc__token_next(tokens, shared);
	if (upc__merge_shared(rewriter, shared))
		return;
	char *block = upc__layout_text(rewriter, shared, &after);
	int base = upc__void_base(tokens, shared);
	if (base < 0 && upc__void_base(tokens, after) >= 0)
		base = upc__void_base(tokens, after);
	if (base >= 0) {
		if (upc__token_is(tokens, open, "["))
			upc__refuse(rewriter, open, "'shared void' cannot have a layout");
		upc__token_replace(tokens, shared, "");
		upc__rewrite_shared_void(rewriter, shared, base);
		free(block);
		return;
	}
	struct declarator found;
	enum place place = upc__place_of(tokens, shared);
	int end = upc__read_declarator(rewriter, after, true, &found);
	if (!block)
		block = spread_block(rewriter, shared, found.pointer || place == PLACE_PARAMETER);
	bool old = tokens->list[shared].old_style;
	if (place == PLACE_PARAMETER) {
		upc__rewrite_parameter(rewriter, &found);
		upc__rewrite_other_parameters(rewriter, end, old);
	} else if (place == PLACE_DECLARATION) {
		int definition = upc__definition_before(tokens, shared);
		int start = upc__specifiers_start(tokens, definition < 0 ? shared : definition);
		bool is_typedef = upc__token_is(tokens, start, "typedef");
		refuse_function(rewriter, &found);
		if (is_typedef)
			remember(rewriter, found);
		/* int *shared p, *q: `shared` applies to p only */
		if (!upc__token_is(tokens, upc__token_previous(tokens, upc__specifiers_start(tokens, shared)), "*"))
			read_others(rewriter, end, is_typedef);
	}
	write_space(rewriter, shared, block, &found, end);
	free(block);
}

/* Records typedefs of arrays without `shared`: a shared parameter of such a type is a pointer. */
void upc__rewrite_typedef(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	struct declarator found;
	if (upc__token_is(tokens, upc__token_next(tokens, i), "typedef"))
		return;
	int end = i;
	do {
		end = upc__read_declarator(rewriter, upc__token_next(tokens, end), false, &found);
		const struct typedef_name *base = found.name >= 0 ? upc__base_typedef(rewriter, found.name) : NULL;
		bool array = found.dimensions > 0 || (base && !base->is_shared);
		if (found.name >= 0 && array && !found.pointer && !found.function &&
			!upc__is_shared_list(tokens, i, found.name))
			upc__remember_typedef(rewriter, &found, false);
	} while (upc__token_is(tokens, end, ","));
}

void upc__rewrite_declared(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct typedef_name *name = upc__typedef_named(rewriter, i);
	if (!name || !name->is_shared)
		return;
	int next = upc__skip_qualifiers(tokens, upc__token_next(tokens, i));
	bool begins =
		next < tokens->count && (tokens->list[next].kind == TOKEN_WORD || upc__token_is(tokens, next, "*") ||
						upc__token_is(tokens, next, "("));
	bool word = tokens->list[i].outer < 0 || !upc__token_is(tokens, tokens->list[i].outer, "[");
	if (!begins || !word || upc__place_of(tokens, i) != PLACE_DECLARATION ||
		upc__token_is(tokens, upc__token_previous(tokens, i), "*"))
		return;
	struct declarator found;
	int end = upc__read_declarator(rewriter, next, true, &found);
	bool is_typedef = upc__token_is(tokens, upc__specifiers_start(tokens, i), "typedef");
	refuse_function(rewriter, &found);
	if (is_typedef)
		remember(rewriter, found);
	read_others(rewriter, end, is_typedef);
}
