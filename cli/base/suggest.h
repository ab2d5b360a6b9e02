/* SPDX-License-Identifier: BSD-3-Clause */
/* "Did you mean": the known name nearest to an unknown word. */
#ifndef HEDDLE_CLI_SUGGEST_H
#define HEDDLE_CLI_SUGGEST_H

#include <stddef.h>

/*
 * Edit distance: letters to insert, delete, replace, or swap with the next. Case does not count. SIZE_MAX if `b` is
 * longer than HEDDLE_SUGGEST_LENGTH.
 */
#define HEDDLE_SUGGEST_LENGTH 128
size_t heddle__edit_distance(const char *a, const char *b);

/* Call heddle__suggest_try for each known name; `name` is then the nearest one within the limit, or NULL. */
struct heddle_suggestion {
	const char *word; /* what was typed */
	size_t length;    /* its length; it need not end with a null byte */
	const char *name;
	size_t distance; /* of `name` */
};

struct heddle_suggestion heddle__suggest(const char *word, size_t length);
void heddle__suggest_try(struct heddle_suggestion *suggestion, const char *name);

/*
 * The end of a message "unknown ... 'word'": ", did you mean 'name'?", written to `text`, or ";" when no name is near.
 */
const char *heddle__suggest_text(const struct heddle_suggestion *suggestion, char *text, size_t size);

#endif
