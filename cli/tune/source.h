/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC source as its user wrote it, in tokens; nothing is preprocessed. Comments and blanks are between tokens, a
 * preprocessing directive is one token. Knows C's tokens and brackets, not its grammar.
 */
#ifndef HEDDLE_CLI_TUNE_SOURCE_H
#define HEDDLE_CLI_TUNE_SOURCE_H

#include "cli/tune/work.h"

enum tune_token_kind {
	TUNE_WORD,
	TUNE_NUMBER,
	TUNE_STRING, /* and character constants */
	TUNE_PUNCTUATION,
	TUNE_DIRECTIVE,
	TUNE_END,
};

struct tune_token {
	enum tune_token_kind kind;
	const char *text; /* in the source */
	int length;
	int line, column; /* from 1; the column counts bytes */
	int partner;      /* of a bracket: the other one; else -1 */
};

struct tune_source {
	struct tune_work *work;
	const char *path;
	const char *text;
	size_t length;
	struct tune_token *tokens;
	int count;       /* without the last one, TUNE_END */
	bool unbalanced; /* brackets have no partners: nothing but directives can be used */
};

/* Reads a file. 0 or a negative errno; refuses what is no text. */
int heddle__tune_load(struct tune_work *work, const char *path, struct tune_source *source);

/* Splits `text` into tokens. The text must live as long as `source`. */
void heddle__tune_split(
	struct tune_work *work, const char *path, const char *text, size_t length, struct tune_source *source);

bool heddle__tune_is(const struct tune_source *source, int token, const char *text);
bool heddle__tune_same(const struct tune_source *source, int one, int other);
/* The next token, or the one before, that is no directive. */
int heddle__tune_next(const struct tune_source *source, int token);
int heddle__tune_before(const struct tune_source *source, int token);
/* The text of a token, or of tokens `first` to `last` on one line, without comments. */
char *heddle__tune_word(const struct tune_source *source, int token);
char *heddle__tune_line(const struct tune_source *source, int first, int last);
/* Refuses with the token's position. */
_Noreturn void heddle__tune_refuse(const struct tune_source *source, int token, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
