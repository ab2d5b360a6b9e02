/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers that are constants in UPC and follow from types: upc_blocksizeof, upc_elemsizeof and upc_localsizeof. The
 * translator leaves a number for each, of a fixed width, beside a pointer to the operand's type:
 * (NUMBER + TAG * sizeof((__typeof__(OPERAND) *)0)), with tags that are 0. Other types may depend on these numbers, so
 * that the text is parsed again until none changes.
 */
#include "upc/typing/constants.h"

#include <stdlib.h>
#include <string.h>

/* The tag that begins the product CURSOR; NULL: another product. */
static const char *tag_of(CXCursor cursor, const struct upc_operands *operands)
{
	static const char *const tags[] = {"__upc_blocksize", "__upc_elemsize", "__upc_localsize"};
	const char *found = NULL;
	if (cursor.kind != CXCursor_BinaryOperator || operands->count != 2)
		return NULL;
	CXCursor tag = upc__bare(operands->list[0]);
	if (tag.kind != CXCursor_DeclRefExpr)
		return NULL;
	CXString name = clang_getCursorSpelling(tag);
	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
		if (strcmp(clang_getCString(name), tags[i]) == 0)
			found = tags[i] + strlen("__upc_");
	clang_disposeString(name);
	return found;
}

bool upc__read_size(const struct upc_tree *tree, CXCursor cursor, struct upc_size *size)
{
	struct upc_operands operands = upc__operands_of(cursor), operand;
	*size = (struct upc_size){.name = tag_of(cursor, &operands)};
	if (!size->name)
		return false;
	size->number = upc__start_of(tree, cursor);
	size->number.at -= UPC_NUMBER_LENGTH + strlen(" + ");
	size->number.column -= UPC_NUMBER_LENGTH + (int)strlen(" + ");
	operand = upc__operands_of(upc__bare(operands.list[1])); /* of sizeof */
	size->null = upc__bare(operand.list[0]);
	if (operand.count != 1 || size->null.kind != CXCursor_CStyleCastExpr ||
		!upc__points_to_shared(clang_getCursorType(size->null), &size->type))
		return true;
	size->is_shared = true;
	operand = upc__operands_of(size->null);
	bool is_expression =
		operand.count == 2 && clang_equalTypes(clang_getCanonicalType(size->type),
					      clang_getCanonicalType(clang_getCursorType(operand.list[0])));
	size->block = is_expression && upc__is_inner(tree, operand.list[0]) ? 0 : upc__block_of(size->type);
	size->element = upc__element_bytes(size->type);
	long long whole = clang_Type_getSizeOf(size->type);
	size->is_open = clang_getCanonicalType(size->type).kind == CXType_IncompleteArray;
	size->count = size->is_open || size->element <= 0 ? 0 : whole < 0 ? -1 : whole / size->element;
	return true;
}

bool upc__is_size_constant(const struct upc_size *size)
{
	return *size->name != 'l' ||
	       (size->count >= 0 && (size->block > 0 || size->count == 0 || size->count % UPC_THREADS_FACTOR != 0));
}

/*
 * The largest share of a thread, in whole blocks. With dynamic THREADS, an array without it in its bounds may be one
 * thread's alone: the result is an upper bound.
 */
static long long local_size(const struct upc_size *size, int static_threads)
{
	bool has_factor = static_threads == 0 && size->count % UPC_THREADS_FACTOR == 0;
	long long elements = has_factor ? size->count / UPC_THREADS_FACTOR : size->count;
	if (size->block == 0 || size->count == 1)
		return elements * size->element;
	long long blocks = (elements + size->block - 1) / size->block;
	if (static_threads > 0)
		blocks = (blocks + static_threads - 1) / static_threads;
	return blocks * size->block * size->element;
}

static long long value_of(const struct upc_size *size, int static_threads)
{
	if (!size->is_shared || !upc__is_size_complete(size) || !upc__is_size_constant(size))
		return 0;
	return *size->name == 'b' ? size->block : *size->name == 'e' ? size->element : local_size(size, static_threads);
}

bool upc__is_size_complete(const struct upc_size *size)
{
	return *size->name == 'b' || (size->element >= 0 && !(size->is_open && *size->name == 'l'));
}

struct resolver {
	const struct upc_tree *tree;
	struct upc_translation *translation;
	int static_threads;
	bool changed;
};

static void write_number(struct resolver *resolver, struct upc_place place, long long value)
{
	char *text = upc__format(UPC_NUMBER_FORMAT, (unsigned long long)value);
	if (strncmp(place.at, text, strlen(text)) != 0) {
		upc__overwrite(resolver->translation, place.row, place.column, text);
		resolver->changed = true;
	}
	free(text);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct resolver *resolver = data;
	struct upc_size size;
	(void)parent;
	if (upc__read_size(resolver->tree, cursor, &size))
		write_number(resolver, size.number, value_of(&size, resolver->static_threads));
	return CXChildVisit_Recurse;
}

bool upc__resolve_constants(const struct upc_tree *tree, struct upc_translation *translation, int static_threads)
{
	struct resolver resolver = {.tree = tree, .translation = translation, .static_threads = static_threads};
	if (translation->has_constants)
		upc__walk(tree, visit, &resolver);
	return resolver.changed;
}
