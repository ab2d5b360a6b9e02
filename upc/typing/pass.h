/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the typing pass share. Not to be included elsewhere. */
#ifndef UPC_TYPING_PASS_H
#define UPC_TYPING_PASS_H

#include "upc/typing/tree.h"

struct pass {
	const struct upc_tree *tree;
	struct upc_translation *translation;
	struct upc_insertion *insertions;
	int count;
	struct overwritten {
		int row, column;
		char text[4];
	} * overwritten;
	int overwritten_count;
	const char **annotated; /* ends of members */
	int annotated_count;
	bool has_factor; /* the text has the factor for THREADS */
	upc_refuse *refuse;
	void *context;
	CXCursorSet seen; /* expressions: those of typeof and of ?: without a middle are shown several times */
};

/* complete.c: puts text around an expression, and takes ownership of it; refuses a use of types */
void upc__wrap(struct pass *pass, CXCursor cursor, char *before, char *after);
void upc__refuse_place(struct pass *pass, struct upc_place place, const char *message);

#endif
