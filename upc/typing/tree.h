/* SPDX-License-Identifier: BSD-3-Clause */
/* clang's tree, and queries about its types. Not to be included elsewhere. */
#ifndef UPC_TYPING_TREE_H
#define UPC_TYPING_TREE_H

#include <clang-c/Index.h>

#include "upc/typing/typing.h"

struct upc_tree {
	CXIndex index;
	CXTranslationUnit unit;
	const char *text;
};

/* A position in the text, with a pointer to it. */
struct upc_place {
	int row, column; /* row from 0 */
	const char *at;
};

struct upc_place upc__start_of(const struct upc_tree *tree, CXCursor cursor);
struct upc_place upc__end_of(const struct upc_tree *tree, CXCursor cursor);
/* The text of an expression, on one line. The caller frees it. */
char *upc__text_of(const struct upc_tree *tree, CXCursor cursor);
/* The position of the name that is declared. */
struct upc_place upc__name_of(const struct upc_tree *tree, CXCursor declaration);
/* The position of the operator between two operands. */
struct upc_place upc__operator_between(const struct upc_tree *tree, CXCursor left, CXCursor right);

/* Visits the whole tree, with enough stack for expressions of tens of thousands of terms. */
void upc__walk(const struct upc_tree *tree, CXCursorVisitor visit, void *context);

#define UPC_MOST_OPERANDS 4

/* The direct operands of an expression. */
struct upc_operands {
	CXCursor list[UPC_MOST_OPERANDS];
	int count; /* includes operands that are not in the list */
};

struct upc_operands upc__operands_of(CXCursor cursor);

/* Returns true if TYPE is a pointer-to-shared other than shared void *; *POINTEE is the type that it points to. */
bool upc__points_to_shared(CXType type, CXType *pointee);
/* Returns true if TYPE is that of an object in shared memory. */
bool upc__is_shared_place(CXType type);
/* Returns true if TYPE is shared void *. */
bool upc__is_generic_type(CXType type);
/* Returns the innermost element's type of nested arrays; of other types, the type itself. */
CXType upc__innermost(CXType type);
/* The block size of a shared type. */
int upc__block_of(CXType type);
/* The size in bytes of the elements of the pointed-to type; -1: an incomplete type. */
long long upc__element_bytes(CXType pointee);

/* EXPRESSION without parentheses and clang's implicit conversions. */
CXCursor upc__bare(CXCursor expression);
/* The canonical type of an operand before clang's implicit conversions, except that of an array to a pointer. */
CXType upc__operand_type(CXCursor operand);
/* Returns true if OPERAND, without clang's implicit conversions, reads a pointer from memory. */
bool upc__is_read(const struct upc_tree *tree, CXCursor operand);
/* Returns true if EXPRESSION is a null pointer constant: 0 or (void *)0. */
bool upc__is_null_constant(const struct upc_tree *tree, CXCursor expression);
/* Returns true if EXPRESSION is a part of an element of shared memory, such as a member, or the address of one. */
bool upc__is_inner(const struct upc_tree *tree, CXCursor expression);
/* The block size of a pointer in UPC: 0 for the address of a member, -1 for a private pointer. */
int upc__effective_block(const struct upc_tree *tree, CXCursor pointer);

#endif
