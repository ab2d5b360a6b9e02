/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A UPC source as its user wrote it, in the tokens that the compiler sees: text that #if excludes is not among them,
 * and the use of a macro is represented by its expansion. Comments and blanks are between tokens; a preprocessing
 * directive is one token.
 */
#ifndef HEDDLE_TUNE_SOURCE_H
#define HEDDLE_TUNE_SOURCE_H

#include "tune/work.h"

enum tune_token_kind {
	TUNE_WORD,
	TUNE_NUMBER,
	TUNE_STRING, /* and character constants */
	TUNE_PUNCTUATION,
	TUNE_DIRECTIVE,
	TUNE_END,
};

/* The use of a macro, with its arguments. */
struct tune_expansion {
	const char *at; /* in the source */
	int length;
	int first, last; /* tokens that it expands to; none if last < first */
	bool changes;    /* parts of the expansion are changed: the use cannot stay */
};

struct tune_token {
	enum tune_token_kind kind;
	const char *text; /* in the source; for an expansion: in the compiler's output */
	int length;
	int line, column; /* from 1; the column counts bytes; for an expansion: the position of the macro's use */
	int partner;      /* for a bracket: its counterpart; else -1 */
	struct tune_expansion *expansion; /* or NULL */
};

/* A function of another file without effects, if those that it calls have none. */
struct tune_pure {
	struct tune_pure *next;
	const char *names; /* its own, and those of functions that it calls, each followed by a blank */
	bool asked;        /* it is being examined */
};

struct tune_source {
	struct tune_work *work;
	const char *path;
	const char *text;
	size_t length;
	struct tune_token *tokens;
	int count; /* without the last one, TUNE_END */
	struct tune_expansion **expansions;
	int expansion_count;
	struct tune_pure *pure;
};

/* Reads a file's text. Returns 0 or a negative errno; refuses a file that is not text. */
int heddle__tune_load(struct tune_work *work, const char *path, struct tune_source *source);

bool heddle__tune_is(const struct tune_source *source, int token, const char *text);
bool heddle__tune_same(const struct tune_source *source, int one, int other);
/* The next or previous token that is not a directive. */
int heddle__tune_next(const struct tune_source *source, int token);
int heddle__tune_before(const struct tune_source *source, int token);
/* The text of a token, or of tokens `first` to `last` on one line, without comments; uses of macros remain. */
char *heddle__tune_word(const struct tune_source *source, int token);
char *heddle__tune_line(const struct tune_source *source, int first, int last);
/* The first character, in the source, of a token or of the macro use that it is from; and the character after it. */
const char *heddle__tune_begin(const struct tune_source *source, int token);
const char *heddle__tune_end(const struct tune_source *source, int token);
/* Returns true if there is no blank between a token of an expansion and the next one. */
bool heddle__tune_are_joined(const struct tune_source *source, int token);
/* Refuses, with the token's position. */
_Noreturn void heddle__tune_refuse(const struct tune_source *source, int token, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
