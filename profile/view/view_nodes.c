/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table finds a node's child by its label. */
#include "profile/view/view_nodes.h"

#include <errno.h>
#include <stdlib.h>

struct wanted {
	uint32_t parent, label;
};

static uint64_t hash_of(const void *owner, uint32_t number)
{
	const struct profile_view *view = owner;
	return profile_hash_pair(view->parents[number], view->label_of[number]);
}

static bool is_child(const void *owner, uint32_t number, const void *key)
{
	const struct profile_view *view = owner;
	const struct wanted *wanted = key;
	return view->parents[number] == wanted->parent && view->label_of[number] == wanted->label;
}

static const struct profile_index_kind kind = {hash_of, is_child, 1024};

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
	struct wanted wanted = {*node, label};
	uint32_t *bucket = profile_index_bucket(&view->index, &kind, view, &wanted, profile_hash_pair(*node, label));
	if (!bucket)
		return -ENOMEM;
	if (!*bucket) {
		int error = profile_view_append_node(view, *node, label);
		if (error)
			return error;
		profile_index_put(&view->index, bucket, (uint32_t)view->node_count - 1);
	}
	*node = *bucket - 1;
	return 0;
}
