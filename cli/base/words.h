/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of words, such as arguments of programs. */
#ifndef HEDDLE_CLI_WORDS_H
#define HEDDLE_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* All zero: empty. */
struct heddle_words {
	char **at; /* ends with NULL once a word was added */
	size_t count, room;
	bool failed; /* memory ran out: words are missing */
};

/* Appends a copy of `word`. */
void heddle__words_add(struct heddle_words *words, const char *word);

/* Appends the text that printf would print. */
void heddle__words_add_format(struct heddle_words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Appends `word` quoted as for a shell. */
void heddle__words_add_quoted(struct heddle_words *words, const char *word);

void heddle__words_add_all(struct heddle_words *words, const struct heddle_words *others);

/*
 * Splits `text` as a shell does: blanks separate words; '...', "..." and \ quote. Nothing is expanded. Returns 0, or
 * -EINVAL if a quote is not closed.
 */
int heddle__words_split(struct heddle_words *words, const char *text);

void heddle__words_free(struct heddle_words *words);

#endif
