/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From preprocessed UPC to GNU C as clang 14 takes it, token by token: each line stays where it is. What the C compiler
 * can check is left to it: shared types become address spaces (UPC_SPACE + block size), strict becomes volatile,
 * `shared void *` the integer type UPC_GENERIC, statements calls of functions that the lowering knows by name.
 */
#ifndef UPC_TRANSLATE_TRANSLATE_H
#define UPC_TRANSLATE_TRANSLATE_H

#include <stdbool.h>

/* A shared type with block size B is in address space UPC_SPACE + B; B is 0 when indefinite. */
#define UPC_SPACE 1024
/* The type that stands for `shared void *`: 63 bits, unlike every integer. */
#define UPC_GENERIC "__upc_generic"
/*
 * With dynamic THREADS, a factor that stands for it in array bounds: a prime so large that no size has it by chance,
 * and so small that sizes up to a whole segment, multiplied, keep below clang's limit for objects (2^61 bytes).
 */
#define UPC_THREADS_FACTOR 134217689L

struct upc_options {
	int static_threads;      /* 0: dynamic */
	const char *upc_headers; /* folder of upc.h, or NULL */
};

/* Lines of a file, both included. `file` lives as long as the translation. */
struct upc_range {
	const char *file;
	int first;
	int last;
};

struct upc_ranges {
	struct upc_range *list;
	int count;
};

/* What the translator itself refuses. */
struct upc_problem {
	const char *file;
	int line;
	int row;    /* of the translated text, from 0 */
	int column; /* in the preprocessed text, from 1 */
	char *message;
};

struct upc_translation {
	char *text;
	struct tokens *tokens;
	struct upc_ranges strict;   /* accesses not qualified otherwise are strict here */
	struct upc_ranges pupc_off; /* nothing is instrumented here */
	struct upc_problem *problems;
	int problem_count;
	char **generics; /* the user's names for shared void * */
	int generic_count;
	int prelude_rows; /* rows of the translated text before the user's first */
};

/* TEXT must live as long as the translation. Never NULL: without memory, the program ends. */
struct upc_translation *upc__translate(const char *text, const struct upc_options *options);
void upc__translation_free(struct upc_translation *translation);

/* The column of the preprocessed text for a column (from 1) of row ROW of the translated text, columns that are new
 * included. */
int upc__original_column(const struct upc_translation *translation, int row, int column);

/* The token (an index) at that place of the translated text; -1: none, as in the prelude. */
int upc__token_at(const struct upc_translation *translation, int row, int column);
/* The row of the translated text for a line of a source file, which has a token at or after COLUMN if one such line
 * has; -1: none. */
int upc__row_of(const struct upc_translation *translation, const char *file, int line, int column);
/* Puts the text together anew, after more edits of its tokens. */
void upc__translation_renew(struct upc_translation *translation, const struct upc_options *options);

/* FILE as the user has named it: debug information may have cut folders off. */
const char *upc__source_name(const struct upc_translation *translation, const char *file);

bool upc__range_has(const struct upc_ranges *ranges, const char *file, int line);

#endif
