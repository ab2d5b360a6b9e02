/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the translator share. Not to be included elsewhere. */
#ifndef UPC_TRANSLATE_REWRITER_H
#define UPC_TRANSLATE_REWRITER_H

#include "upc/translate/tokens.h"
#include "upc/translate/translate.h"

/* A typedef of a shared type or of an array. */
struct typedef_name {
	char *name;
	int token; /* the token that declares it */
	int dimensions;
	bool is_shared;  /* the type itself is shared, not one that it points to */
	bool is_void;    /* it is `shared void` */
	int consistency; /* UPC_STRICT, UPC_RELAXED or 0 */
	int same_hash;   /* the previous name with the same hash, counted from 1; 0: none */
};

#define UPC_STRICT 1
#define UPC_RELAXED 2

struct rewriter {
	struct upc_translation *translation;
	struct tokens *tokens;
	const struct upc_options *options;
	struct typedef_name *names;
	int name_count;
	int *newest;           /* name by hash, counted from 1 */
	unsigned bucket_count; /* number of buckets, a power of two */
	/* Results of the last queries, valid while no name is added or forgotten. */
	struct {
		int list, names; /* first word of the list of the last query, counted from 1; name_count at that time */
		int consistency;
		bool may_be_shared;
	} qualified;
};

/* Records an error at token I. */
void upc__refuse(struct rewriter *rewriter, int i, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Sets old_style of all tokens. */
void upc__find_old_parameters(struct tokens *tokens);

/* The typedef that word I names; NULL: none is recorded, or I is a tag or a member of that name. */
const struct typedef_name *upc__typedef_named(const struct rewriter *rewriter, int i);
/* Forgets the names that are declared in the block that ends at token CLOSE. */
void upc__forget_names(struct rewriter *rewriter, int close);
void upc__free_names(struct rewriter *rewriter);

/* qualifiers.c: checks whether token I, `strict` or `relaxed`, is allowed there. */
void upc__check_consistency(struct rewriter *rewriter, int i);
/* The consistency that results from the specifiers around token I, including typedefs. */
int upc__consistency(const struct rewriter *rewriter, int i);
/*
 * Handles token SHARED, which may be one of several in its list, or be combined with a shared typedef. Returns true if
 * it is redundant.
 */
bool upc__merge_shared(struct rewriter *rewriter, int shared);

/* These rewrite token I, a UPC keyword, and the tokens that belong to it. */
void upc__rewrite_shared(struct rewriter *rewriter, int i);
void upc__rewrite_typedef(struct rewriter *rewriter, int i);
/* Token I is a word. If it is a typedef of a shared type at the start of a declaration, rewrites the declarators. */
void upc__rewrite_declared(struct rewriter *rewriter, int i);
/* If word I is a typedef of `shared void`, rewrites it like `shared void` and returns true. */
bool upc__rewrite_declared_void(struct rewriter *rewriter, int i);
/* Rewrites a parameter whose type is a typedef of a shared type: arrays become pointers. */
void upc__rewrite_typed_parameter(struct rewriter *rewriter, int i);
/*
 * Replaces dynamic THREADS by its factor in the bound that begins with `[` at OPEN. Returns how often; 0 for a bound
 * that was rewritten before.
 */
int upc__rewrite_bound(struct rewriter *rewriter, int open);
void upc__rewrite_upc_sizeof(struct rewriter *rewriter, int i);
void upc__rewrite_synchronization(struct rewriter *rewriter, int i);
void upc__rewrite_fence(struct rewriter *rewriter, int i);
void upc__rewrite_forall(struct rewriter *rewriter, int i);

/* Sets strict and pupc_off, and removes these pragmas. Marks regions of C without UPC as system text. */
void upc__read_pragmas(struct rewriter *rewriter);

#endif
