/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts that the types of translated text show, by libclang's C interface. One pass over clang's tree of the text
 * inserts what clang's bitcode does not show: the sizes of elements at casts, differences and comparisons of
 * pointers-to-shared.
 */
#ifndef UPC_TYPING_TYPING_H
#define UPC_TYPING_TYPING_H

#include <stdbool.h>

#include "upc/translate/translate.h"

/* A message of clang about translated text. */
struct upc_message {
	char file[4096];
	int line, column; /* line as in line markers; column of the translated text */
	int row;          /* of the translated text, from 0; only set for messages of a tree */
	const char *level;
	char text[4096];
};

struct upc_tree;

/* Parses the text of TRANSLATION under the name FILE. Returns NULL on failure. */
struct upc_tree *upc__parse(
	const struct upc_translation *translation, const char *file, const char *const *options, int option_count);
void upc__tree_free(struct upc_tree *tree);

/* Calls TAKE for each message except notes, until it returns false. Returns true if it always returned true. */
bool upc__tree_messages(
	const struct upc_tree *tree, bool (*take)(void *context, const struct upc_message *message), void *context);

/*
 * Writes the values of upc_blocksizeof and similar operators, and of `[*]`, into the text; they are derived from types.
 * Returns true if a value has changed: then the text must be parsed again, because types may depend on it.
 * STATIC_THREADS: 0: dynamic.
 */
bool upc__resolve_constants(const struct upc_tree *tree, struct upc_translation *translation, int static_threads);

/*
 * Casts addresses of parts of elements where TREE has errors because of their block sizes. Returns true if there were
 * any: then the text must be parsed again.
 */
bool upc__cast_members(const struct upc_tree *tree, struct upc_translation *translation);

/* Reports a use of types that UPC does not allow; ROW from 0 and COLUMN from 1, of the translated text. */
typedef void upc_refuse(void *context, int row, int column, const char *message);

struct upc_completing {
	int static_threads; /* 0: dynamic */
	bool has_errors;    /* clang has found errors: only refuses uses of types */
	upc_refuse *refuse;
	void *context;
};
/* Completes the text of TRANSLATION. TREE is the tree of that text, and does not match it afterwards. */
void upc__complete(const struct upc_tree *tree, struct upc_translation *translation, const struct upc_completing *how);

#endif
