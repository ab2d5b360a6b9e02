/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing array of copied strings. If memory is exhausted, the list records it; nothing is reported here. */
#include "cli/base/words.h"

#include "format/shell_word.h"
#include "profile/base/intern.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes ownership of `word`, which is NULL when memory ran out. */
static void take_word(struct heddle_words *words, char *word)
{
	if (profile_reserve(&words->at, &words->room, words->count + 2, sizeof(*words->at)) != 0) {
		free(word);
		words->failed = true;
		return;
	}
	if (!word)
		words->failed = true;
	else
		words->at[words->count++] = word;
	words->at[words->count] = NULL;
}

void heddle__words_add(struct heddle_words *words, const char *word)
{
	take_word(words, strdup(word));
}

void heddle__words_add_format(struct heddle_words *words, const char *format, ...)
{
	char *word = NULL;
	va_list arguments;
	va_start(arguments, format);
	if (vasprintf(&word, format, arguments) < 0)
		word = NULL;
	va_end(arguments);
	take_word(words, word);
}

void heddle__words_add_quoted(struct heddle_words *words, const char *word)
{
	size_t size = HEDDLE_SHELL_WORD_SIZE(strlen(word));
	char *quoted = malloc(size);
	take_word(words, quoted ? heddle__shell_word(quoted, size, word) : NULL);
}

void heddle__words_add_all(struct heddle_words *words, const struct heddle_words *others)
{
	for (size_t i = 0; i < others->count; i++)
		heddle__words_add(words, others->at[i]);
	words->failed |= others->failed;
}

/* Copies one word without its quotes. Returns the text after it; NULL: a quote is not closed. */
static const char *copy_word(const char *at, char *word)
{
	char quote = '\0';
	for (; *at != '\0' && (quote != '\0' || !strchr(" \t\n", *at)); at++) {
		if (quote == '\0' && (*at == '\'' || *at == '"')) {
			quote = *at;
		} else if (*at == quote) {
			quote = '\0';
		} else if (*at == '\\' && at[1] != '\0' &&
			   (quote == '\0' || (quote == '"' && strchr("\"\\$`", at[1])))) {
			*word++ = *++at;
		} else {
			*word++ = *at;
		}
	}
	*word = '\0';
	return quote == '\0' ? at : NULL;
}

int heddle__words_split(struct heddle_words *words, const char *text)
{
	char *word = malloc(strlen(text) + 1);
	while (word && text && *(text += strspn(text, " \t\n")) != '\0') {
		text = copy_word(text, word);
		if (text)
			heddle__words_add(words, word);
	}
	words->failed |= !word;
	free(word);
	return text ? 0 : -EINVAL;
}

void heddle__words_free(struct heddle_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->at[i]);
	free(words->at);
	memset(words, 0, sizeof(*words));
}
