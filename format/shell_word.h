/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of commands that messages suggest: a shell must take a path with a blank as one word. */
#ifndef HEDDLE_SHELL_WORD_H
#define HEDDLE_SHELL_WORD_H

#include <stddef.h>

#define HEDDLE_SHELL_WORD_SIZE(length) (4 * (length) + 8) /* always enough for a text of that length */

/*
 * Write `text` as a shell reads it back: as it is, or in single quotes. It is cut if it does not fit into `size` bytes,
 * at least 8. Returns `word`. Context: signal.
 */
char *heddle__shell_word(char *word, size_t size, const char *text);

#endif
