/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses of upc_blocksizeof, upc_elemsizeof and upc_localsizeof in clang's tree. Not to be included elsewhere. */
#ifndef UPC_TYPING_CONSTANTS_H
#define UPC_TYPING_CONSTANTS_H

#include "upc/translate/tokens.h"
#include "upc/typing/tree.h"

struct upc_size {
	const char *name;        /* blocksize, elemsize or localsize */
	struct upc_place number; /* where its value stands in the text */
	CXCursor null;           /* the null pointer to the operand's type */
	bool is_shared;          /* else nothing of the following is set */
	CXType type;             /* of the operand */
	int block;               /* of a part of an element: 0 */
	long long element;       /* bytes; -1: of an incomplete type */
	bool is_open;            /* an array without a bound */
	long long count;         /* of elements, with the factor for THREADS; 0: not known, -1: not constant */
};

/* Whether CURSOR is such a use. */
bool upc__read_size(const struct upc_tree *tree, CXCursor cursor, struct upc_size *size);
/* Whether the operand's type is complete, as far as the value needs it. */
bool upc__is_size_complete(const struct upc_size *size);
/* Whether its value is a constant; else it depends on the dynamic THREADS, or on the bounds of an array. */
bool upc__is_size_constant(const struct upc_size *size);

#endif
