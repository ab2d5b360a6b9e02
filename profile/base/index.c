/* SPDX-License-Identifier: BSD-3-Clause */
/* Open addressing with linear probing; at most half of the buckets are used. */
#include "profile/base/index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int profile_index_grow(struct profile_index *index, const struct profile_index_kind *kind, const void *owner)
{
	size_t size = index->size ? index->size * 2 : kind->first_size;
	uint32_t *fresh = calloc(size, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	for (size_t i = 0; i < index->size; i++) {
		if (!index->buckets[i])
			continue;
		size_t at = kind->hash(owner, index->buckets[i] - 1) & (size - 1);
		while (fresh[at])
			at = (at + 1) & (size - 1);
		fresh[at] = index->buckets[i];
	}
	free(index->buckets);
	index->buckets = fresh;
	index->size = size;
	return 0;
}

void profile_index_clear(struct profile_index *index)
{
	if (index->size)
		memset(index->buckets, 0, index->size * sizeof(*index->buckets));
	index->count = 0;
}

void profile_index_free(struct profile_index *index)
{
	free(index->buckets);
	*index = (struct profile_index){0};
}
