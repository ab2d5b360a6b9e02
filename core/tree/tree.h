/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call-path tree: one per process, shared by its threads. A node id identifies a complete call path, the same on
 * all threads; so the context of a parallel region or task is an id, whichever thread executes it. Nodes are only
 * added, never moved or changed, and found through a lock-free hash table; metrics are kept per thread
 * (core/threads/thread.h).
 */
#ifndef HEDDLE_CORE_TREE_H
#define HEDDLE_CORE_TREE_H

#include <stdatomic.h>
#include <stdint.h>

#include "format/ids.h"

#define HEDDLE_TREE_ROOT 0u
#define HEDDLE_TREE_LIMIT (4u << 20) /* nodes; values of further paths are charged to parents, and counted */

struct heddle_node {
	uint64_t place;
	uint32_t parent;
	uint32_t meta; /* HEDDLE_NODE_META(kind, event) */
	uint32_t next; /* in its hash chain */
	uint32_t unused;
};

#define HEDDLE_NODE_META(kind, event) ((uint32_t)(kind) << 16 | (uint16_t)(event))
#define HEDDLE_META_KIND(meta) ((meta) >> 16)
#define HEDDLE_META_EVENT(meta) ((meta)&0xffffu)
#define HEDDLE_NODE_UNUSED HEDDLE_NODE_META(HEDDLE_NODE_NONE, 1) /* another thread added the same path first */

/*
 * Returns the child of `parent` with that kind, event and place; adds it if necessary. Returns `parent` if the tree is
 * full or memory is exhausted (heddle__tree_dropped counts those cases). Context: any thread, signal.
 */
uint32_t heddle__tree_child(uint32_t parent, uint32_t meta, uint64_t place);

/*
 * Returns the innermost of `node` and its ancestors with that meta and place, if at least `levels` of them have that
 * meta. Returns 0 otherwise, and if it is not found within 256 ancestors. Context: any thread, signal.
 */
uint32_t heddle__tree_enclosing(uint32_t node, uint32_t meta, uint64_t place, unsigned int levels);

/*
 * Return the number of nodes so far, and a node. A node's meta is 0 while the node is being added, and
 * HEDDLE_NODE_UNUSED if it lost the race of two insertions. Context: any thread, signal.
 */
uint32_t heddle__tree_count(void);
const struct heddle_node *heddle__tree_node(uint32_t id);
uint64_t heddle__tree_dropped(void);

#endif
