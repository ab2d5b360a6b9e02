/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preprocessed C as tokens, each with its place in the text and in the user's source, and the edits that are to be
 * made. Knows C's words only, not its grammar. A token's text is never changed: what replaces it is noted beside it.
 */
#ifndef UPC_TRANSLATE_TOKENS_H
#define UPC_TRANSLATE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum token_kind {
	TOKEN_WORD,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_PUNCTUATION,
	TOKEN_DIRECTIVE, /* a whole line that begins with # */
	TOKEN_END,
};

struct token {
	const char *text; /* in the text, not ended */
	int length;
	enum token_kind kind;
	bool system;       /* from a header that isn't the user's */
	int row;           /* line of the text, from 0 */
	int column;        /* in that line, from 1 */
	int file;          /* index of the source file's name */
	int line;          /* in that file */
	int partner;       /* of a bracket, the other one; else -1 */
	int outer;         /* the bracket that encloses this token, or -1 */
	char *replacement; /* instead of text, or NULL; owned */
	char *before;      /* goes before it, or NULL; owned */
	char *after;       /* goes after it, or NULL; owned */
};

struct tokens {
	const char *source; /* the whole text */
	struct token *list; /* ends with one TOKEN_END */
	int count;          /* without it */
	char **files;       /* names as the line markers have them */
	int file_count;
};

/*
 * Takes TEXT apart. Headers that the preprocessor calls system headers are marked, except those below UPC_HEADERS
 * (NULL: none). Returns NULL without memory. TEXT must live as long as the tokens.
 */
struct tokens *upc__tokens_read(const char *text, const char *upc_headers);
void upc__tokens_free(struct tokens *tokens);

/* Whether token I is TEXT (words and punctuation). Any I: outside of the list it is not. */
bool upc__token_is(const struct tokens *tokens, int i, const char *text);
/* Whether token I is a word that stands in LIST, which ends with NULL. */
bool upc__token_in(const struct tokens *tokens, int i, const char *const *list);
/* The next or previous token that isn't a directive: count at the end, -1 at the beginning. */
int upc__token_next(const struct tokens *tokens, int i);
int upc__token_previous(const struct tokens *tokens, int i);
/* The text from token FIRST to token LAST with their replacements, on one line; to be freed. */
char *upc__tokens_text(const struct tokens *tokens, int first, int last);

/* Edits. TEXT is copied. Before and after: a later call adds further outside. */
void upc__token_replace(struct tokens *tokens, int i, const char *text);
void upc__token_before(struct tokens *tokens, int i, const char *text);
void upc__token_after(struct tokens *tokens, int i, const char *text);

/* A printf into new memory; aborts the program without memory, as all edits do. */
char *upc__format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
