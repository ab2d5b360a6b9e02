/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotes words of commands that messages suggest: a shell must read a path with a blank as one word. */
#ifndef HEDDLE_SHELL_WORD_H
#define HEDDLE_SHELL_WORD_H

#include <stddef.h>

#define HEDDLE_SHELL_WORD_SIZE(length) (4 * (length) + 8) /* sufficient for any text of that length */

/*
 * Writes `text` so that a shell reads it as one word: unchanged, or in single quotes. Truncated if it does not fit into
 * `size` bytes, at least 8. Returns `word`. Context: signal.
 */
char *heddle__shell_word(char *word, size_t size, const char *text);

#endif
