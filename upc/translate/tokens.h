/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preprocessed C as tokens, each with its position in the text and in the user's source, and the edits to make. Knows
 * the tokens of C, not its grammar. A token's text is never changed: edits are recorded beside it.
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
	const char *text; /* in the text, not NULL-terminated */
	int length;
	enum token_kind kind;
	bool system;       /* from a header that is not the user's */
	int row;           /* line of the text, from 0 */
	int column;        /* in that line, from 1 */
	int file;          /* index of the source file's name */
	int line;          /* in that file */
	int partner;       /* of a bracket, its counterpart; else -1 */
	int outer;         /* the opening bracket around this token, or -1 */
	int first_word;    /* start of the list of words that ends here, skipping layouts: at least this token */
	bool old_style;    /* may be in an old-style parameter declaration */
	int base;          /* the typedef that begins its declaration, counted from 1; 0: not yet known, -1: none */
	char *replacement; /* of the text, or NULL; owned */
	char *before;      /* inserted before it, or NULL; owned */
	char *after;       /* inserted after it, or NULL; owned */
};

struct tokens {
	const char *source; /* the whole text */
	struct token *list; /* terminated by one TOKEN_END */
	int count;          /* without TOKEN_END */
	char **files;       /* as in the line markers */
	int file_count;
};

/*
 * Splits TEXT into tokens. Marks text from headers that the preprocessor calls system headers, except those below
 * one of the folders UPC_HEADERS (NULL-terminated, or NULL: none). Returns NULL without memory. TEXT must live as long
 * as the tokens.
 */
struct tokens *upc__tokens_read(const char *text, const char *const *upc_headers);
void upc__tokens_free(struct tokens *tokens);

/* Returns true if token I is TEXT (words and punctuation). Any I is allowed: outside of the list, false. */
bool upc__token_is(const struct tokens *tokens, int i, const char *text);
/* Returns true if token I is a word of LIST, which is NULL-terminated. */
bool upc__token_in(const struct tokens *tokens, int i, const char *const *list);
/* The next or previous token that is not a directive; count past the end, -1 before the beginning. */
int upc__token_next(const struct tokens *tokens, int i);
int upc__token_previous(const struct tokens *tokens, int i);
/* The text from token FIRST to token LAST with their edits, on one line; caller frees. */
char *upc__tokens_text(const struct tokens *tokens, int first, int last);

/* Edits. TEXT is copied. A later call for the same token inserts further outside. */
void upc__token_replace(struct tokens *tokens, int i, const char *text);
void upc__token_before(struct tokens *tokens, int i, const char *text);
void upc__token_after(struct tokens *tokens, int i, const char *text);

/* printf into new memory; like all edits, ends the program without memory. */
char *upc__format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
