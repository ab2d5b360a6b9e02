/* SPDX-License-Identifier: BSD-3-Clause */
/* The types and symbols of a tree, each written once, before it is first used. Not to be included elsewhere. */
#ifndef UPC_SOURCE_NAMES_H
#define UPC_SOURCE_NAMES_H

#include <clang-c/Index.h>

#include "upc/source/source.h"

struct upc_names {
	FILE *out;
	const struct upc_tree *tree;
	const struct upc_translation *translation;
	const struct upc_seen *seen;
	CXType *types; /* number N at N - 1 */
	int type_count;
	CXCursor *symbols;
	int symbol_count;
};

/* The position of the user's token at the start, or the end, of a cursor; -1: the token is not in the user's file. */
int upc__first_position(const struct upc_names *names, CXCursor cursor);
int upc__last_position(const struct upc_names *names, CXCursor cursor);

/* The number of a type; 0: none. Writes the type's line if it is new. */
int upc__type_number(struct upc_names *names, CXType type);
/* The number of a variable, function, enumerator or typedef; 0: MYTHREAD, THREADS, or a function of a header. */
int upc__symbol_number(struct upc_names *names, CXCursor declaration);

/* Writes the line of a function of another file, if it only computes a result from its arguments. */
void upc__write_pure(FILE *out, CXCursor function);

#endif
