/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates `shared` in declarations, casts and parameters to an address space. */
#include "upc/translate/declarators.h"

#include <stdlib.h>
#include <string.h>

static void refuse_function(struct rewriter *rewriter, const struct declarator *found)
{
	if (found->function && !found->pointer && found->name >= 0)
		upc__refuse(rewriter, found->name, "a function cannot return a shared type");
}

/* typedef shared int *name; typedef shared int (*name)[3]; AFTER: where the base type begins. */
static bool is_one_pointer(const struct tokens *tokens, int after, const struct declarator *found)
{
	int stars = 0;
	for (int i = after; i < found->name; i++) {
		stars += upc__token_is(tokens, i, "*");
		if (upc__token_is(tokens, i, "{") && tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return found->name >= 0 && found->pointer && !found->function && stars == 1;
}

/* A typedef of a pointer-to-shared. */
static void remember_pointer(struct rewriter *rewriter, const struct declarator *found)
{
	upc__remember_array(rewriter, found, NULL, true);
	struct array_name *name = &rewriter->names[rewriter->name_count - 1];
	free(name->elements);
	name->elements = NULL;
	name->dimensions = 0;
	name->is_pointer = true;
}

/* The name in (*NAME)[3], a declarator whose base type begins at AFTER; -1: another form. */
static int name_in_parentheses(const struct tokens *tokens, int after, const struct declarator *found)
{
	for (int i = after; i < found->first_bound; i = upc__token_next(tokens, i)) {
		int star = upc__token_next(tokens, i), name = upc__token_next(tokens, star);
		if (upc__token_is(tokens, i, "(") && upc__token_is(tokens, star, "*") &&
			tokens->list[name].kind == TOKEN_WORD &&
			upc__token_next(tokens, name) == tokens->list[i].partner &&
			upc__token_next(tokens, tokens->list[i].partner) == found->first_bound)
			return name;
		if (tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return -1;
}

/*
 * A pointer to a shared array, or to one object, outside of functions: upc_localsizeof of what it points to may be a
 * block size there.
 */
static void remember_target(struct rewriter *rewriter, int after, struct declarator found, const char *block)
{
	const struct tokens *tokens = rewriter->tokens;
	bool array = found.name < 0;
	if (array)
		found.name = name_in_parentheses(tokens, after, &found);
	if (found.name < 0 || !is_one_pointer(tokens, after, &found) || (!array && found.dimensions > 0) ||
		upc__is_in_block(tokens, found.name))
		return;
	upc__remember_array(rewriter, &found, block, false);
	struct array_name *name = &rewriter->names[rewriter->name_count - 1];
	name->is_pointer = true;
	if (array)
		name->has_plain_base = upc__has_plain_base(tokens, tokens->list[found.name].outer);
}

/* Records the name of the declarator that begins at AFTER. */
static void remember(
	struct rewriter *rewriter, int after, const struct declarator *found, const char *block, bool is_typedef)
{
	if (found->name >= 0 && !found->pointer && !found->function)
		upc__remember_array(rewriter, found, block, is_typedef);
	else if (is_typedef && is_one_pointer(rewriter->tokens, after, found))
		remember_pointer(rewriter, found);
	else if (!is_typedef)
		remember_target(rewriter, after, *found, block);
}

/* The other declarators of a declaration: rewrites their bounds, records their names. */
static void read_others(struct rewriter *rewriter, int end, int shared, const char *block, bool spread, bool is_typedef)
{
	struct tokens *tokens = rewriter->tokens;
	while (end < tokens->count) {
		if (upc__token_is(tokens, end, "=") || upc__token_is(tokens, end, ":"))
			end = upc__declarator_end(tokens, end);
		/* Do not continue after a misplaced comma: the rest would be read again for each such comma. */
		if (!upc__token_is(tokens, end, ",") || upc__token_is(tokens, upc__token_next(tokens, end), "shared"))
			return;
		struct declarator found;
		int after = upc__token_next(tokens, end);
		end = upc__read_declarator(rewriter, after, true, &found);
		if (spread && !found.pointer) {
			char *own = upc__spread_block(rewriter, shared, &found);
			if (strcmp(own, block) != 0)
				upc__refuse(
					rewriter, found.name, "with '[*]', declare arrays of different bounds apart");
			free(own);
		}
		upc__check_bounds(rewriter, &found, block, is_typedef);
		remember(rewriter, after, &found, block, is_typedef);
		free(found.elements);
	}
}

/* Puts the address space in the place of token SHARED, or in front of the definition that stands before it. */
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
	if (array >= 0)
		upc__rewrite_named_parameter(rewriter, array, attribute);
	else if (definition >= 0)
		upc__token_before(tokens, definition, attribute);
	free(attribute);
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
	bool spread = !block;
	if (spread)
		block = upc__spread_block(rewriter, shared, &found);
	bool old = tokens->list[shared].old_style;
	if (place == PLACE_PARAMETER) {
		upc__rewrite_parameter(rewriter, &found);
		upc__rewrite_other_parameters(rewriter, end, old);
	} else if (place == PLACE_DECLARATION) {
		int definition = upc__definition_before(tokens, shared);
		int start = upc__specifiers_start(tokens, definition < 0 ? shared : definition);
		bool is_typedef = upc__token_is(tokens, start, "typedef");
		refuse_function(rewriter, &found);
		upc__check_bounds(rewriter, &found, block, is_typedef);
		remember(rewriter, after, &found, block, is_typedef);
		if (found.has_threads && (is_typedef || found.pointer))
			rewriter->sizes_have_threads = true;
		/* int *shared p, *q: applies to p only */
		if (!upc__token_is(tokens, upc__token_previous(tokens, upc__specifiers_start(tokens, shared)), "*"))
			read_others(rewriter, end, shared, block, spread, is_typedef);
	}
	if (place == PLACE_TYPE_NAME)
		upc__check_bounds(rewriter, &found, block, false);
	free(found.elements);
	write_space(rewriter, shared, block, &found, end);
	free(block);
}

/* Typedefs of arrays without shared: a `[*]` in front of one needs its number of elements. */
void upc__rewrite_typedef(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	struct declarator found;
	if (upc__token_is(tokens, upc__token_next(tokens, i), "typedef"))
		return;
	int end = i;
	do {
		end = upc__read_declarator(rewriter, upc__token_next(tokens, end), false, &found);
		const struct array_name *base = found.name >= 0 ? upc__base_typedef(rewriter, found.name) : NULL;
		bool array = found.elements || (base && !base->block), pointer = base && base->is_pointer;
		if (found.name >= 0 && array && !found.pointer && !found.function &&
			!upc__is_shared_list(tokens, i, found.name)) {
			if (pointer && found.dimensions == 0)
				remember_pointer(rewriter, &found);
			else
				upc__remember_array(rewriter, &found, NULL, true);
		}
		free(found.elements);
	} while (upc__token_is(tokens, end, ","));
}

void upc__rewrite_declared(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct array_name *name = upc__array_name(rewriter, i);
	if (!name || !name->is_typedef || !name->block)
		return;
	int next = upc__skip_qualifiers(tokens, upc__token_next(tokens, i));
	bool begins =
		next < tokens->count && (tokens->list[next].kind == TOKEN_WORD || upc__token_is(tokens, next, "*") ||
						upc__token_is(tokens, next, "("));
	bool word = tokens->list[i].outer < 0 || !upc__token_is(tokens, tokens->list[i].outer, "[");
	if (!begins || !word || upc__place_of(tokens, i) != PLACE_DECLARATION ||
		upc__token_is(tokens, upc__token_previous(tokens, i), "*"))
		return;
	char *block = upc__format("%s", name->block);
	bool has_threads = name->has_threads;
	struct declarator found;
	int end = upc__read_declarator(rewriter, next, true, &found);
	found.has_more_threads = found.has_more_threads || (found.has_threads && has_threads);
	found.has_threads = found.has_threads || has_threads;
	bool is_typedef = upc__token_is(tokens, upc__specifiers_start(tokens, i), "typedef");
	refuse_function(rewriter, &found);
	upc__check_bounds(rewriter, &found, block, is_typedef);
	remember(rewriter, next, &found, block, is_typedef);
	read_others(rewriter, end, i, block, false, is_typedef);
	free(found.elements);
	free(block);
}
