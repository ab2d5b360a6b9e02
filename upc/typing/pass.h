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
		char text[12];
	} * overwritten;
	int overwritten_count;
	const char **annotated; /* ends of members */
	int annotated_count;
	int static_threads; /* 0: dynamic */
	bool has_factor;    /* the text has the factor for THREADS */
	upc_refuse *refuse;
	void *context;
	CXCursorSet seen; /* expressions: those of typeof and of ?: without a middle are shown several times */
};

/*
 * edits.c: puts text around or behind an expression, and takes ownership of it; puts text over other text; refuses a
 * use of types
 */
void upc__wrap(struct pass *pass, CXCursor cursor, char *before, char *after);
void upc__append(struct pass *pass, CXCursor cursor, char *text);
void upc__overwrite_place(struct pass *pass, struct upc_place place, const char *text);
void upc__refuse_place(struct pass *pass, struct upc_place place, const char *message);

/* comparisons.c: the comparison that the text at AT begins with; NULL: none */
const char *upc__comparison_at(const char *at);
/* Checks a binary operator on pointers-to-shared; makes a call of one that depends on the size of elements. */
void upc__complete_operator(struct pass *pass, CXCursor cursor, bool is_static);

/* sizes.c: upc_localsizeof and the like: checks the operand, and adds what is only known at run time */
void upc__complete_upc_size(struct pass *pass, CXCursor cursor);
/* Refuses those whose operand's type the tree does not show. */
void upc__refuse_unknown_sizes(struct pass *pass);
/*
 * sizeof: with dynamic THREADS, a size that has the factor for it, or may have it as it varies, is known at run time.
 * Returns whether it varies.
 */
bool upc__complete_size(struct pass *pass, CXCursor cursor);

/*
 * spread.c: the block size, at a place, of a declaration or a null pointer with `[*]`, and its value. False: it has
 * none.
 */
bool upc__read_spread(
	const struct upc_tree *tree, CXCursor cursor, int static_threads, struct upc_place *number, long long *block);
/* Checks whether a declaration with `[*]` can have it; true also without. */
bool upc__check_spread(struct pass *pass, CXCursor cursor);

/* threads.c: whether a type is an array of variable length, or a pointer to one */
bool upc__varies(CXType type);
/* A LITERAL in the bounds of such a type: if it is the factor, THREADS stays what it is. */
void upc__keep_threads(struct pass *pass, CXCursor literal);
/* Checks the bounds of a variable or a typedef, with dynamic THREADS. */
void upc__check_bounds(struct pass *pass, CXCursor declaration);

/* indices.c: marks what steps over elements: an index, and the step of ++ over several of them. */
void upc__complete_index(struct pass *pass, CXCursor cursor);
void upc__complete_increment(struct pass *pass, CXCursor cursor);

/* objects.c */
/* Structures in shared memory that CALL passes by value are read before the call. */
void upc__complete_arguments(struct pass *pass, CXCursor call);
/* Refuses an operation on an atomic object in shared memory that processors cannot do at once. */
void upc__check_atomic(struct pass *pass, CXCursor expression);

#endif
