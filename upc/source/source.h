/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC source as its user wrote it, with the facts that the compiler has about it: tokens, macro expansions, and the
 * tree of the translated text with positions in the source. README.md has the format in which it is written.
 */
#ifndef UPC_SOURCE_SOURCE_H
#define UPC_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdio.h>

#include "upc/translate/translate.h"

struct upc_tree;

/* A part of the user's text that the compiler reads: a token, or the use of a macro, for any number of tokens. */
struct upc_item {
	int offset, length; /* bytes of the source */
	bool expands;
	bool directive; /* a directive, which the compiler does not see */
};

struct upc_items {
	struct upc_item *list;
	int count;
};

/*
 * Finds the items of a source, without text that #if excludes. FILE is its path, TEXT its contents, OPTIONS those of
 * the preprocessor. Returns false if libclang cannot read it.
 */
bool upc__find_items(
	struct upc_items *items, const char *file, const char *text, const char *const *options, int option_count);

/* The name of the marked text in line markers: the user's may have characters that are changed there. */
#define UPC_MARKED_NAME "<source>"

/* TEXT with each use of a macro between two marks; the caller frees it. */
char *upc__mark_expansions(const struct upc_items *items, const char *text);

/* How the user's tokens appear in preprocessed text. */
struct upc_seen {
	int *items;     /* for each token of the preprocessed text, its item; -1: of another file */
	int *positions; /* its number among the source's tokens that the compiler sees, or -1 */
	int count;      /* of tokens of the preprocessed text */
};

/*
 * Removes the marks from preprocessed TEXT, in place, and returns their offsets, alternately a begin and an end, with
 * -1 at the end. The caller frees them.
 */
int *upc__take_marks(char *text);

/*
 * Finds the item of each token. Returns false if the texts do not agree, as after #line; *line is then the line of the
 * first token without an item.
 */
bool upc__match_items(struct upc_seen *seen, const struct upc_items *items, const char *text,
	const struct upc_translation *translation, const int *marks, int *line);

/* Write the tokens, and then the tree. */
void upc__write_items(FILE *out, const struct upc_items *items, const struct upc_seen *seen,
	const struct upc_translation *translation);
void upc__write_tree(
	FILE *out, const struct upc_tree *tree, const struct upc_translation *translation, const struct upc_seen *seen);

#endif
