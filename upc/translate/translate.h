/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Translates preprocessed UPC to GNU C for clang 14, token by token; every line keeps its place. What the C compiler
 * can check is left to it: shared types become address spaces (UPC_SPACE + block size), strict becomes volatile,
 * `shared void *` becomes the integer type UPC_GENERIC, statements become calls that the lowering recognizes by name.
 */
#ifndef UPC_TRANSLATE_TRANSLATE_H
#define UPC_TRANSLATE_TRANSLATE_H

#include <stdbool.h>

/* A shared type with block size B is in address space UPC_SPACE + B; B is 0 for an indefinite block size. */
#define UPC_SPACE 1024
/* The type that represents `shared void *`: 63 bits, unlike every integer type. */
#define UPC_GENERIC "__upc_generic"
/*
 * A function without a prototype that is called between a value and its cast to a pointer-to-shared. It makes the cast
 * visible in the C compiler's output, which else folds casts away or takes them for the address of a first member.
 */
#define UPC_CAST "__upc_cast"
/*
 * With dynamic THREADS, the factor that represents it in array bounds: a prime so large that no size has it by chance,
 * and so small that sizes up to a whole segment, multiplied by it, stay below clang's limit for objects (2^61 bytes).
 */
#define UPC_THREADS_FACTOR 134217689L

struct upc_options {
	int static_threads; /* 0: dynamic */
	/* Directories of headers that may be UPC although they are marked as system headers; NULL-terminated, or NULL.
	 */
	const char *const *upc_headers;
};

/* A range of lines of a file, inclusive. `file` lives as long as the translation. */
struct upc_range {
	const char *file;
	int first;
	int last;
};

struct upc_ranges {
	struct upc_range *list;
	int count;
};

/* An error that the translator reports. */
struct upc_problem {
	const char *file;
	int line;
	int row;    /* of the translated text, from 0 */
	int column; /* of the preprocessed text, from 1 */
	char *message;
};

struct upc_translation {
	char *text;
	struct tokens *tokens;
	struct upc_ranges strict;   /* lines where accesses without another qualifier are strict */
	struct upc_ranges pupc_off; /* lines without instrumentation */
	struct upc_problem *problems;
	int problem_count;
	char **generics; /* the user's typedef names for shared void * */
	int generic_count;
	int prelude_rows; /* rows of the translated text before the user's first row */
	/* Tokens by source line, built on first use: the first token of each line, the next one of the same line. */
	int *line_first, *line_next;
	int line_count;
};

/* TEXT must live as long as the translation. Never NULL: without memory, the program ends. */
struct upc_translation *upc__translate(const char *text, const struct upc_options *options);
void upc__translation_free(struct upc_translation *translation);

/*
 * Maps a column (from 1) of row ROW of the translated text, inserted text included, to a column of the preprocessed
 * text.
 */
int upc__original_column(const struct upc_translation *translation, int row, int column);

/* The index of the token at a position of the translated text; -1: none, as in the prelude. */
int upc__token_at(const struct upc_translation *translation, int row, int column);
/*
 * The row of the translated text for a line of a source file; if several match, one with a token at or after COLUMN.
 * -1: none.
 */
int upc__row_of(struct upc_translation *translation, const char *file, int line, int column);
/* Generates the text again, after further edits of its tokens. */
void upc__translation_renew(struct upc_translation *translation, const struct upc_options *options);

/* FILE under the name that the user gave: debug information may have removed directories. */
const char *upc__source_name(const struct upc_translation *translation, const char *file);

bool upc__range_has(const struct upc_ranges *ranges, const char *file, int line);

#endif
