/* SPDX-License-Identifier: BSD-3-Clause */
/* What the translator's parts share. Not for others. */
#ifndef UPC_TRANSLATE_REWRITER_H
#define UPC_TRANSLATE_REWRITER_H

#include "upc/translate/tokens.h"
#include "upc/translate/translate.h"

/* A name declared with an array type whose size matters later: shared, or a typedef of an array. */
struct array_name {
	char *name;
	char *block;    /* block size as an expression; NULL: not shared */
	char *elements; /* product of its bounds as an expression; NULL: no array */
	int dimensions;
	bool has_threads; /* one of its bounds has THREADS in it, in the dynamic environment */
	bool is_typedef;
	bool has_plain_base; /* no typedef can hide more bounds */
	int consistency;     /* of a typedef: UPC_STRICT, UPC_RELAXED or 0 */
	int same_hash;       /* the name before it with the same hash, counted from 1; 0: none */
};

#define UPC_STRICT 1
#define UPC_RELAXED 2

struct rewriter {
	struct upc_translation *translation;
	struct tokens *tokens;
	const struct upc_options *options;
	struct array_name *names;
	int name_count;
	int newest[1024];        /* name by hash, counted from 1 */
	bool sizes_have_threads; /* types have, so any expression's size may */
};

/* Notes that the source is wrong at token I. */
void upc__refuse(struct rewriter *rewriter, int i, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Notes that token I is a typedef of shared void *. */
void upc__note_generic(struct rewriter *rewriter, int i);

const struct array_name *upc__array_name(const struct rewriter *rewriter, int i);

/* qualifiers.c: token I is strict or relaxed: whether it may be. */
void upc__check_consistency(struct rewriter *rewriter, int i);
/* What the list of specifiers around token I says of it, through typedefs as well. */
int upc__consistency(const struct rewriter *rewriter, int i);
/* Token SHARED may be one of several in one list, or stand with a shared typedef. Returns whether others say all. */
bool upc__merge_shared(struct rewriter *rewriter, int shared);

/* Token I is one that stands for a UPC word; these rewrite it and what belongs to it. */
void upc__rewrite_shared(struct rewriter *rewriter, int i);
void upc__rewrite_typedef(struct rewriter *rewriter, int i);
/* Token I is a word: when it's a typedef of a shared type that begins a declaration, rewrites what is declared with it.
 */
void upc__rewrite_declared(struct rewriter *rewriter, int i);
/* The same for a parameter of such a type: arrays become pointers. */
void upc__rewrite_typed_parameter(struct rewriter *rewriter, int i);
void upc__rewrite_sizeof(struct rewriter *rewriter, int i);
void upc__rewrite_upc_sizeof(struct rewriter *rewriter, int i);
void upc__rewrite_synchronization(struct rewriter *rewriter, int i);
void upc__rewrite_fence(struct rewriter *rewriter, int i);
void upc__rewrite_forall(struct rewriter *rewriter, int i);

/* Fills strict and pupc_off, and removes the directives that say so. Marks regions of plain C as system text. */
void upc__read_pragmas(struct rewriter *rewriter);

#endif
