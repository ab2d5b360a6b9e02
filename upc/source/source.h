/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC source as its user wrote it, with what the compiler knows of it: tokens, macro expansions, and the tree of the
 * translated text with positions in the source. README.md has the format in which it is written.
 */
#ifndef UPC_SOURCE_SOURCE_H
#define UPC_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "upc/translate/translate.h"

struct upc_tree;

/* A part of the user's text that the compiler sees: a token, or the use of a macro, which expands to any number. */
struct upc_item {
	int offset, length; /* bytes of the source */
	bool expands;
	bool directive; /* the compiler does not see it */
};

struct upc_items {
	struct upc_item *list;
	int count;
};

/*
 * The items of a source, without what #if leaves out. FILE is its path, TEXT its contents, OPTIONS those of the
 * preprocessor. False: libclang cannot read it.
 */
bool upc__find_items(
	struct upc_items *items, const char *file, const char *text, const char *const *options, int option_count);

/* The name of the marked text in line markers: the user's may have characters that are written otherwise there. */
#define UPC_MARKED_NAME "<source>"

/* TEXT with each use of a macro between two marks; caller frees. */
char *upc__mark_expansions(const struct upc_items *items, const char *text);

/* What the user's tokens are in preprocessed text. */
struct upc_seen {
	int *items;     /* of each token of the preprocessed text, its item; -1: of another file */
	int *positions; /* and its number among the tokens that the compiler sees of the source; -1 */
	int count;      /* of those */
};

/*
 * Removes the marks from preprocessed TEXT, in place, and returns where they were: offsets, one of a begin and one of
 * an end by turns, and -1 at the end. Caller frees.
 */
int *upc__take_marks(char *text);

/*
 * Finds the item of each token. False: the texts do not agree, as after #line; *line is the line of the first token
 * that has no item.
 */
bool upc__match_items(struct upc_seen *seen, const struct upc_items *items, const char *text,
	const struct upc_translation *translation, const int *marks, int *line);

/* Writes tokens, and then the tree. */
void upc__write_items(FILE *out, const struct upc_items *items, const struct upc_seen *seen,
	const struct upc_translation *translation);
void upc__write_tree(
	FILE *out, const struct upc_tree *tree, const struct upc_translation *translation, const struct upc_seen *seen);

#endif
