/* SPDX-License-Identifier: BSD-3-Clause */
/* Captures the path of a call that creates a thread, and bounds the depth of threads that create each other. */
#include "core/threads/creator.h"

#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/tree/tree.h"

#define EXACT_LEVELS 4

static bool is_runtime_code(uintptr_t pc)
{
	struct heddle_module_range range;
	return heddle__module_lookup(pc, false, &range) && heddle__is_runtime(range.module->role);
}

static bool is_same(const struct heddle_node *a, const struct heddle_node *b)
{
	return a->meta == b->meta && a->place == b->place;
}

/* The innermost node of the same call on the path to `at`, if there are EXACT_LEVELS of them; else 0. */
static uint32_t enclosing(uint32_t at, uint32_t meta, uint64_t place)
{
	const struct heddle_node *call = heddle__tree_node(at), created = {.meta = meta, .place = place};
	uint32_t innermost = 0;
	unsigned int levels = 0;
	while (at && levels < EXACT_LEVELS) {
		const struct heddle_node *node = heddle__tree_node(at);
		if (is_same(node, &created) && is_same(heddle__tree_node(node->parent), call)) {
			innermost = innermost ? innermost : at;
			levels++;
		}
		at = node->parent;
	}
	return levels == EXACT_LEVELS ? innermost : 0;
}

static uint32_t node_of(struct heddle_thread *creator, const struct heddle_creation *call)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0);
	uint32_t at = heddle__caller_path(creator, call->pc, call->sp, call->bp).node;
	if (at == HEDDLE_TREE_ROOT)
		return at;
	uint64_t place = heddle__place_of(call->function);
	uint32_t found = enclosing(at, meta, place);
	return found ? found : heddle__tree_child(at, meta, place);
}

uint32_t heddle__creation_node(struct heddle_thread *creator, const struct heddle_creation *call)
{
	if (!creator || is_runtime_code(call->pc))
		return HEDDLE_TREE_ROOT;
	heddle__enter(creator);
	uint32_t node = creator->off ? HEDDLE_TREE_ROOT : node_of(creator, call);
	heddle__leave(creator);
	return node;
}
