/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `[*]`: the block size that gives each thread at most one block. For each, the translator leaves a number in the
 * address space: (NUMBER + __upc_spread), with a constant that is 0.
 */
#include <string.h>

#include "upc/typing/pass.h"

static const char tag[] = " + __upc_spread";

/* The place of AT, which is after FROM. */
static struct upc_place place_behind(struct upc_place from, const char *at)
{
	for (; from.at < at; from.at++) {
		from.row += *from.at == '\n';
		from.column = *from.at == '\n' ? 1 : from.column + 1;
	}
	return from;
}

/*
 * The number of the declaration CURSOR, or of a null pointer to the operand of upc_blocksizeof or a similar operator,
 * and the type that has the block size. Returns false if there is no number.
 */
static bool find_number(const struct upc_tree *tree, CXCursor cursor, struct upc_place *number, CXType *type)
{
	struct upc_place start = upc__start_of(tree, cursor);
	bool is_cast = cursor.kind == CXCursor_CStyleCastExpr;
	const char *end = is_cast ? upc__end_of(tree, cursor).at : upc__name_of(tree, cursor).at;
	*type = clang_getCanonicalType(clang_getCursorType(cursor));
	if (is_cast && type->kind == CXType_Pointer)
		*type = clang_getCanonicalType(clang_getPointeeType(*type));
	const char *found = end > start.at && upc__is_shared_place(*type)
				    ? memmem(start.at, (size_t)(end - start.at), tag, strlen(tag))
				    : NULL;
	if (found)
		*number = place_behind(start, found - UPC_NUMBER_LENGTH);
	return found;
}

/* Returns the block size; or 1, with a message about TYPE if it cannot have one. */
static long long block_of(CXType type, int static_threads, const char **message)
{
	long long element = upc__element_bytes(type), size = clang_Type_getSizeOf(type);
	if (clang_getArrayElementType(type).kind == CXType_Invalid)
		return 1;
	long long count = element > 0 ? size / element : 0;
	if (size < 0)
		*message = "'[*]' needs an array whose bounds are known";
	else if (static_threads == 0 && count % UPC_THREADS_FACTOR != 0)
		*message = "'[*]' needs THREADS in the array's bounds when THREADS is dynamic";
	else
		return static_threads == 0 ? count / UPC_THREADS_FACTOR : (count + static_threads - 1) / static_threads;
	return 1;
}

bool upc__read_spread(
	const struct upc_tree *tree, CXCursor cursor, int static_threads, struct upc_place *number, long long *block)
{
	const char *message;
	CXType type;
	bool found = find_number(tree, cursor, number, &type);
	if (found)
		*block = block_of(type, static_threads, &message);
	return found;
}

bool upc__check_spread(struct pass *pass, CXCursor cursor)
{
	struct upc_place number;
	const char *message = NULL;
	CXType type;
	if (!find_number(pass->tree, cursor, &number, &type))
		return true;
	long long block = block_of(type, pass->static_threads, &message);
	if (cursor.kind == CXCursor_TypedefDecl)
		message = "'[*]' cannot be in a typedef: write it where arrays are declared";
	bool apart = !message && upc__block_of(type) != block;
	if (message)
		upc__refuse_place(pass, number, message);
	else if (apart)
		upc__refuse_place(pass, upc__name_of(pass->tree, cursor),
			"with '[*]', declare arrays of different bounds separately");
	return !message && !apart;
}
