/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the typing pass share. Not to be included elsewhere. */
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
	const char **annotated; /* the ends of members that are annotated */
	int annotated_count;
	int static_threads; /* 0: dynamic */
	bool has_factor;    /* the text has the factor for THREADS */
	upc_refuse *refuse;
	void *context;
	CXCursorSet seen; /* visited expressions: some are shown several times, as in typeof */
};

/*
 * edits.c: upc__wrap and upc__append insert text around or after an expression, and take ownership of the text;
 * upc__overwrite_place overwrites text; upc__refuse_place refuses a use of types.
 */
void upc__wrap(struct pass *pass, CXCursor cursor, char *before, char *after);
void upc__append(struct pass *pass, CXCursor cursor, char *text);
void upc__overwrite_place(struct pass *pass, struct upc_place place, const char *text);
void upc__refuse_place(struct pass *pass, struct upc_place place, const char *message);

/* comparisons.c: the comparison operator at the beginning of the text AT; NULL: none */
const char *upc__comparison_at(const char *at);
/* Checks a binary operator on pointers-to-shared; makes a call of it if it depends on the size of elements. */
void upc__complete_operator(struct pass *pass, CXCursor cursor, bool is_static);

/* sizes.c: upc_localsizeof and similar operators: checks the operand, and adds what is known only at run time */
void upc__complete_upc_size(struct pass *pass, CXCursor cursor);
/* Refuses such operators if the tree does not show their operand's type. */
void upc__refuse_unknown_sizes(struct pass *pass);
/*
 * sizeof: with dynamic THREADS, a size is computed at run time if it has the factor for THREADS, or if it varies and
 * may therefore have it. Returns true if it varies.
 */
bool upc__complete_size(struct pass *pass, CXCursor cursor);

/*
 * spread.c: finds the place and the value of the block size of a declaration or a null pointer with `[*]`. Returns
 * false if it has none.
 */
bool upc__read_spread(
	const struct upc_tree *tree, CXCursor cursor, int static_threads, struct upc_place *number, long long *block);
/* Checks whether a declaration may have `[*]`; returns true if it has none. */
bool upc__check_spread(struct pass *pass, CXCursor cursor);

/* threads.c: returns true if a type is an array of variable length, or a pointer to one */
bool upc__varies(CXType type);
/* If LITERAL, in the bounds of such a type, is the factor for THREADS, replaces it by THREADS again. */
void upc__keep_threads(struct pass *pass, CXCursor literal);
/* Checks the bounds of a variable or a typedef, with dynamic THREADS. */
void upc__check_bounds(struct pass *pass, CXCursor declaration);

/* indices.c: marks steps over elements: an index, and the step of ++ over several elements. */
void upc__complete_index(struct pass *pass, CXCursor cursor);
void upc__complete_increment(struct pass *pass, CXCursor cursor);

/* objects.c */
/* Makes CALL read structures in shared memory that it passes by value before the call. */
void upc__complete_arguments(struct pass *pass, CXCursor call);
/* Refuses an operation on an atomic object in shared memory that a processor cannot do in one access. */
void upc__check_atomic(struct pass *pass, CXCursor expression);

#endif
