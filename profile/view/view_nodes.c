/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table finds the child of a node that has a label. */
#include "profile/view/view_nodes.h"

#include <errno.h>
#include <stdlib.h>

static size_t bucket_of(const struct profile_view *view, uint32_t parent, uint32_t label)
{
	size_t mask = view->bucket_count - 1;
	size_t at = profile_hash_pair(parent, label) & mask;
	for (; view->buckets[at]; at = (at + 1) & mask) {
		uint32_t node = view->buckets[at];
		if (view->parents[node] == parent && view->label_of[node] == label)
			break;
	}
	return at;
}

static int rehash(struct profile_view *view)
{
	size_t count = view->bucket_count ? view->bucket_count * 2 : 1024;
	uint32_t *fresh = calloc(count, sizeof(*fresh));
	if (!fresh)
		return -ENOMEM;
	free(view->buckets);
	view->buckets = fresh;
	view->bucket_count = count;
	for (uint32_t i = 1; i < view->node_count; i++)
		fresh[bucket_of(view, view->parents[i], view->label_of[i])] = i;
	return 0;
}

int profile_view_append_node(struct profile_view *view, uint32_t parent, uint32_t label)
{
	int error =
		profile_reserve(&view->parents, &view->parent_capacity, view->node_count + 1, sizeof(*view->parents));
	if (!error)
		error = profile_reserve(
			&view->label_of, &view->label_of_capacity, view->node_count + 1, sizeof(*view->label_of));
	if (error)
		return error;
	view->parents[view->node_count] = parent;
	view->label_of[view->node_count++] = label;
	return 0;
}

int profile_view_descend(struct profile_view *view, uint32_t *node, uint32_t label)
{
	if (label == HEDDLE_INTERN_NONE)
		return -ENOMEM;
	if (view->node_count * 2 >= view->bucket_count && rehash(view) != 0)
		return -ENOMEM;
	size_t bucket = bucket_of(view, *node, label);
	if (!view->buckets[bucket]) {
		int error = profile_view_append_node(view, *node, label);
		if (error)
			return error;
		view->buckets[bucket] = (uint32_t)view->node_count - 1;
	}
	*node = view->buckets[bucket];
	return 0;
}
