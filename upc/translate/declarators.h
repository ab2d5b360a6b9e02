/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and rewrites parts of declarations of shared types, for the translator's files. Tokens are given by number. */
#ifndef UPC_TRANSLATE_DECLARATORS_H
#define UPC_TRANSLATE_DECLARATORS_H

#include "upc/translate/rewriter.h"

/* The context of a `shared`. */
enum place {
	PLACE_DECLARATION, /* of variables, types, members: several declarators may follow */
	PLACE_PARAMETER,
	PLACE_TYPE_NAME, /* a cast, sizeof's operand */
};

/* What upc__read_declarator finds in one declarator. */
struct declarator {
	int name;        /* a token, or -1 */
	int first_bound; /* `[` of the first bound after the name, or -1 */
	int dimensions;
	bool pointer; /* a pointer or function is between the base type and the name */
	bool private; /* further bounds belong to pointers, which are private */
	bool function;
	int threads; /* how many bounds have dynamic THREADS */
};

/* declarators.c */

/* The context of token I, a `shared` or the name of a type. */
enum place upc__place_of(const struct tokens *tokens, int i);
/* Replaces the text of the tokens from FIRST to LAST by nothing. */
void upc__blank(struct tokens *tokens, int first, int last);
/* The token after the qualifiers, and their layouts, that begin at I. */
int upc__skip_qualifiers(const struct tokens *tokens, int i);
/* The first token of the specifiers that contain I. */
int upc__specifiers_start(const struct tokens *tokens, int i);
/* Returns true if word I is the tag of a structure, union or enumeration, possibly after attributes. */
bool upc__is_tag(const struct tokens *tokens, int i);
/*
 * `struct s {...} shared x`: if the specifiers around I follow the definition of a structure, union or enumeration,
 * returns the definition's first word; else -1. The C compiler would apply attributes at I to the definition.
 */
int upc__definition_before(const struct tokens *tokens, int i);
/* Returns true if token I is a qualifier or storage class that may be next to a type. */
bool upc__is_qualifier(const struct tokens *tokens, int i);
/* The comma, semicolon or bracket that ends the declarator at I. */
int upc__declarator_end(const struct tokens *tokens, int i);
/* Reads one declarator from I; returns the token that ends it (`,` `;` `=` `{` `:` or the closing bracket). */
int upc__read_declarator(struct rewriter *rewriter, int i, bool is_shared, struct declarator *found);
/* Returns true if token I is in a block, or in the braces of a structure or an initializer. */
bool upc__is_in_block(const struct tokens *tokens, int i);
/* Returns true if any of the tokens from FIRST to LAST is `shared`. */
bool upc__is_shared_list(const struct tokens *tokens, int first, int last);

/* shared_void.c */

/* The token `void` if it is the base type of the specifiers around I; -1: another base type. */
int upc__void_base(const struct tokens *tokens, int i);
/* Rewrites the declaration in which token SHARED qualifies BASE, a `void`. */
void upc__rewrite_shared_void(struct rewriter *rewriter, int shared, int base);

/* typedefs.c; upc__typedef_named (rewriter.h) finds what is recorded. */

/* If the declaration of token NAME begins with a typedef of an array, returns that typedef; else NULL. */
const struct typedef_name *upc__base_typedef(const struct rewriter *rewriter, int name);
/* Adds the typedef that a declarator declares. */
void upc__remember_typedef(struct rewriter *rewriter, const struct declarator *found, bool is_shared);
/* A typedef of an array before the first declarator, whose bounds are bounds of the declarator, too; -1: none. */
int upc__base_array(const struct rewriter *rewriter, int first, int end);

/* layouts.c */

/*
 * The layout's text, in which upc_blocksizeof and similar operators are already rewritten; NULL for [*]. The caller
 * frees it. Sets AFTER to the token after the layout.
 */
char *upc__layout_text(struct rewriter *rewriter, int shared, int *after);

/* parameters.c */

/* Rewrites an array parameter as a pointer: `int a[][3]` becomes `int (*a)[3]`. */
void upc__rewrite_parameter(struct rewriter *rewriter, const struct declarator *found);
/*
 * Rewrites a parameter whose type is a typedef of an array, in token I, as a pointer to the array's elements.
 * QUALIFIERS of the type become qualifiers of the elements.
 */
void upc__rewrite_named_parameter(struct rewriter *rewriter, int i, const char *qualifiers);
/* Rewrites the other parameters of an old-style declaration: int f(a, b) shared int *a, b[]; {...} */
void upc__rewrite_other_parameters(struct rewriter *rewriter, int end, bool old);

#endif
