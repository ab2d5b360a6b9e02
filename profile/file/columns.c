/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables have few different texts, and all threads have the same ones: each is stored once and never freed. */
#include "profile/file/columns.h"

#include "profile/base/intern.h"
#include "profile/file/call_tree.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct profile_intern texts; /* protected by the lock */

const char *profile_text_keep(const char *text)
{
	pthread_mutex_lock(&lock);
	const char *kept = profile_intern_text(&texts, text);
	pthread_mutex_unlock(&lock);
	return kept;
}

uint32_t profile_text_number(const struct profile_call_tree *tree, const char *text)
{
	uint32_t number = *text ? profile_intern_find(&tree->string_keys, text, strlen(text)) : HEDDLE_INTERN_NONE;
	return number == HEDDLE_INTERN_NONE ? 0 : number + 1;
}

int profile_columns_make(
	uint32_t **const words[], size_t word_count, uint64_t **const longs[], size_t long_count, size_t rows)
{
	int error = 0;
	for (size_t i = 0; i < word_count; i++)
		error |= (*words[i] = calloc(rows, sizeof(**words[i]))) ? 0 : -ENOMEM;
	for (size_t i = 0; i < long_count; i++)
		error |= (*longs[i] = calloc(rows, sizeof(**longs[i]))) ? 0 : -ENOMEM;
	return error;
}
