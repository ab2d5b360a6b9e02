/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Translates preprocessed UPC to GNU C for clang, token by token; line numbers do not change. What the C compiler can
 * check is left to it: shared types become address spaces (UPC_SPACE + block size), strict becomes volatile, `shared
 * void *` becomes the integer type UPC_GENERIC, statements become calls that the lowering recognizes by name.
 */
#ifndef UPC_TRANSLATE_TRANSLATE_H
#define UPC_TRANSLATE_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>

/* A shared type with block size B is in address space UPC_SPACE + B; B is 0 for an indefinite block size. */
#define UPC_SPACE 1024
/*
 * The type that represents `shared void *`. For the typing pass, it is an unsigned integer of 63 bits, a width that no
 * other type has: clang converts it to other pointers and back, with messages that are not errors. Afterwards the
 * conversions are explicit, and the type is a pointer to an incomplete structure in a separate address space.
 */
#define UPC_GENERIC "__upc_generic"
#define UPC_GENERIC_INTEGER "unsigned _BitInt(63)"
#define UPC_GENERIC_SPACE 300
#define UPC_GENERIC_TARGET "__upc_void"
/*
 * A function without a prototype that is called between a value and its cast to a pointer-to-shared. It makes the cast
 * visible in the C compiler's output; otherwise clang folds casts, or treats them as the address of a first member.
 */
#define UPC_CAST "__upc_cast"
/* A function called with an index of a pointer-to-shared, and the size of the elements that it steps over. */
#define UPC_INDEX "__upc_index"
/*
 * An annotation of members at the start of their structure or union: without it, the lowering could not distinguish the
 * member's address from that of the structure.
 */
#define UPC_MEMBER "upc.member"
/* A message of the typing pass and the lowering. */
#define UPC_ATOMIC_SIZES "an atomic operation on shared memory must have 1, 2, 4 or 8 bytes; protect this one by a lock"
/*
 * With dynamic THREADS, the factor that represents it in array bounds: a prime large enough that no size has it as a
 * factor by chance, and small enough that sizes up to a whole segment, multiplied by it, stay below clang's limit for
 * objects (2^61 bytes).
 */
#define UPC_THREADS_FACTOR 134217689L
#define UPC_THREADS_TEXT "134217689L"
/* A message of the translator and the typing pass. */
#define UPC_THREADS_ONCE "with dynamic THREADS, THREADS may occur in only one bound of an array"

/*
 * The format of a number in the text whose value is derived from types. Until it is known, the text has an arbitrary
 * number that is valid as a bound, a block size or a label in a switch, where labels must differ.
 */
#define UPC_NUMBER_FORMAT "0x%016llxUL"
#define UPC_UNKNOWN_FORMAT "0X%016xUL"
#define UPC_NUMBER_LENGTH 20
#define UPC_UNKNOWN_NUMBER(i) (0x40000 + (unsigned)(i) % 0x3ffff)

struct upc_options {
	int static_threads; /* 0: dynamic */
	bool c23;           /* f() declares no parameters */
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
	int token;
	char *message;
};

/* Text that was inserted into the translated text; row from 0, column from 1. It has no line ends. */
struct upc_insertion {
	int row, column;
	char *text;
	bool is_end; /* it ends the text before it, rather than beginning the text after it */
	int order;   /* set by upc__insert */
};

struct upc_translation {
	char *text;
	char *bare_text; /* without insertions; NULL: there are none */
	struct upc_insertion *insertions;
	int insertion_count;
	struct tokens *tokens;
	struct upc_ranges strict;   /* lines where accesses without another qualifier are strict */
	struct upc_ranges pupc_off; /* lines without instrumentation */
	struct upc_problem *problems;
	int problem_count;
	bool has_constants; /* constants that are derived from types */
	int prelude_rows;   /* rows of the translated text before the user's first row */
	/* Tokens by source line, built on first use: the first token of each line, the next one of the same line. */
	int *line_first, *line_next;
	int line_count;
};

/* TEXT must live as long as the translation. Never returns NULL: if memory is exhausted, the program ends. */
struct upc_translation *upc__translate(const char *text, const struct upc_options *options);
void upc__translation_free(struct upc_translation *translation);

/* The index of the token at a position of the translated text; -1: none, as in the prelude. */
int upc__token_at(const struct upc_translation *translation, int row, int column);
/*
 * The row of the translated text for a line of a source file; if several match, one with a token at or after COLUMN.
 * -1: none.
 */
int upc__row_of(struct upc_translation *translation, const char *file, int line, int column);
/*
 * Inserts text at COUNT places, which are positions in the current text. At one place, texts that end something come
 * first; insertions further outside must be listed before those inside. Takes ownership of the texts, not of the list,
 * which it sorts.
 */
void upc__insert(struct upc_translation *translation, struct upc_insertion *list, int count);
/* Makes `shared void *` a pointer. */
void upc__make_generic_pointer(struct upc_translation *translation);
/* Records an error at a token. */
void upc__add_problem(struct upc_translation *translation, int token, const char *message);
/* Overwrites the text at a position with TEXT, which has as many characters. */
void upc__overwrite(struct upc_translation *translation, int row, int column, const char *text);
/* The column that a position of the text had before anything was inserted. */
int upc__translated_column(const struct upc_translation *translation, int row, int column);

/* Makes room for one more item of SIZE bytes in a list of COUNT items; ends the compiler if memory is exhausted. */
void *upc__grow(void *list, int count, size_t size);

/* FILE under the name that the user gave: debug information may have removed directories. */
const char *upc__source_name(const struct upc_translation *translation, const char *file);

bool upc__range_has(const struct upc_ranges *ranges, const char *file, int line);

#endif
