/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preprocessed C as tokens, each with its position in the text and in the user's source, and the edits to make. This
 * part handles the tokens of C, not its grammar. A token's text is never changed: edits are recorded separately.
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
	int partner;       /* for a bracket, its counterpart; else -1 */
	int outer;         /* the opening bracket around this token, or -1 */
	int first_word;    /* start of the list of words that ends here, without layouts; not after this token */
	bool old_style;    /* may be in an old-style parameter declaration */
	int base;          /* the typedef that begins its declaration, counted from 1; 0: not yet known, -1: none */
	char *replacement; /* replaces `text`; or NULL; owned */
	char *before;      /* inserted before the token, or NULL; owned */
	char *after;       /* inserted after the token, or NULL; owned */
};

struct tokens {
	const char *source; /* the whole text */
	struct token *list; /* terminated by one TOKEN_END */
	int count;          /* without TOKEN_END */
	char **files;       /* as in the line markers */
	int file_count;
};

/*
 * Splits TEXT into tokens. Marks text from headers that the preprocessor calls system headers, except those below one
 * of the folders UPC_HEADERS (NULL-terminated, or NULL: none). Returns NULL if memory is exhausted. TEXT must live as
 * long as the tokens.
 */
struct tokens *upc__tokens_read(const char *text, const char *const *upc_headers);
void upc__tokens_free(struct tokens *tokens);

/* Returns true if token I, a word or punctuation, is TEXT. If I is outside of the list, returns false. */
bool upc__token_is(const struct tokens *tokens, int i, const char *text);
/* Returns true if token I is a word of LIST, which is NULL-terminated. */
bool upc__token_in(const struct tokens *tokens, int i, const char *const *list);
/* The next or previous token that is not a directive; `count` after the last, -1 before the first. */
int upc__token_next(const struct tokens *tokens, int i);
int upc__token_previous(const struct tokens *tokens, int i);
/* The text of the tokens from FIRST to LAST with their edits, on one line; the caller frees it. */
char *upc__tokens_text(const struct tokens *tokens, int first, int last);

/* Edits. TEXT is copied. Text of a later call for the same token is inserted further outside. */
void upc__token_replace(struct tokens *tokens, int i, const char *text);
void upc__token_before(struct tokens *tokens, int i, const char *text);
void upc__token_after(struct tokens *tokens, int i, const char *text);

/* As printf, into new memory. Like all edits, ends the program if memory is exhausted. */
char *upc__format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
