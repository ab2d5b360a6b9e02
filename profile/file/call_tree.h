/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call-path tree by places (not yet named), with the tables that its nodes refer to. The same type represents one
 * process, as in its file, and any number of merged processes: merging one tree into another is the only operation.
 */
#ifndef HEDDLE_PROFILE_CALL_TREE_H
#define HEDDLE_PROFILE_CALL_TREE_H

#include "format/ids.h"
#include "profile/base/intern.h"
#include "profile/file/distribution.h"
#include "profile/file/metric.h"
#include "profile/file/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in Module.role of the schema. */
enum profile_code_role {
	HEDDLE_CODE_OTHER,
	HEDDLE_CODE_EXECUTABLE,
	HEDDLE_CODE_HEDDLE,
	HEDDLE_CODE_RUNTIME,
	HEDDLE_CODE_LIBC,
	HEDDLE_CODE_VDSO,
};

struct profile_code_module {
	const char *path; /* "" for number 0: addresses in no module */
	const uint8_t *build_id;
	size_t build_id_size;
	uint32_t role;  /* enum profile_code_role */
	uint32_t model; /* RUNTIME: index into models of the model that it belongs to; else 0 */
	bool unloaded;
};

struct profile_event_kind {
	const char *model, *name, *label;
	uint32_t category; /* enum heddle_category */
	bool generated;    /* its name is generated, not the model's */
	uint32_t role;     /* enum heddle_event_role */
	uint32_t number;   /* index into models of its model; 0: the file does not describe that model */
};

/*
 * `place` has an index into modules in its upper 16 bits; for a REGION it may have HEDDLE_PLACE_SOURCE there, and then
 * holds an index into strings. For PHASE, FUNCTION and OBJECT the whole place is an index into strings, for STATE an
 * index into models (0: not a runtime's state). `event` is an index into events (STATE: enum heddle_state).
 */
struct profile_node {
	uint64_t place;
	uint32_t parent;
	uint32_t event;
	uint8_t kind; /* enum heddle_node_kind */
};

/* One more than the highest module number. */
#define HEDDLE_MODULE_LIMIT ((size_t)HEDDLE_PLACE_SOURCE)

static inline bool profile_place_is_string(const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_PHASE || node->kind == HEDDLE_NODE_FUNCTION ||
	       node->kind == HEDDLE_NODE_OBJECT;
}

/* True if a node's place is a file and line, so that it needs no naming. */
static inline bool profile_place_is_source(const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_REGION && HEDDLE_PLACE_MODULE(node->place) == HEDDLE_PLACE_SOURCE;
}

struct profile_call_tree {
	struct profile_models models;
	struct profile_code_module *modules; /* [0]: code in no module */
	size_t module_count, module_capacity;
	struct profile_event_kind *events;
	size_t event_count, event_capacity;
	const char **strings; /* names of phases and functions, source files, descriptions of arguments */
	size_t string_count, string_capacity;

	struct profile_node *nodes; /* [0]: the root; a parent comes before its children */
	size_t node_count, node_capacity;
	uint64_t *values[HEDDLE_METRIC_LIMIT]; /* node_count each; NULL: no node has a value */
	struct profile_distributions distributions;

	/* only in merged trees: */
	struct profile_index index; /* of all nodes except the root, which is never looked up */
	struct profile_intern module_keys, event_keys, string_keys, texts;
};

/* Returns the REGION of an OBJECT node, and any other node itself. */
static inline const struct profile_node *profile_region_of(
	const struct profile_call_tree *tree, const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_OBJECT ? &tree->nodes[node->parent] : node;
}

/* Returns the model of a region's event, or of the runtime that was in a state; for other nodes the empty model. */
const struct profile_model *profile_model_of_node(
	const struct profile_call_tree *tree, const struct profile_node *node);

/* True if a frame's code belongs to a runtime. */
bool profile_is_runtime_code(const struct profile_call_tree *tree, const struct profile_node *node);

/* Makes an empty tree to merge into, with a root and module 0. */
int profile_call_tree_start(struct profile_call_tree *tree);
void profile_call_tree_free(struct profile_call_tree *tree);

/*
 * Adds all nodes and values of `from`, and copies what they refer to. If `map` is not NULL, it has room for
 * from->node_count numbers and receives the number of each node in `tree`.
 */
int profile_call_tree_merge(struct profile_call_tree *tree, const struct profile_call_tree *from, uint32_t *map);

/*
 * Writes the number that each node of `from` has in `tree`, a merged tree, to `map`; HEDDLE_NO_NODE: it has none.
 * Changes neither tree, so several threads may call it at once.
 */
#define HEDDLE_NO_NODE UINT32_MAX
int profile_call_tree_locate(const struct profile_call_tree *tree, const struct profile_call_tree *from, uint32_t *map);

/* Returns the values of a metric, allocated on first use; NULL: no memory. */
uint64_t *profile_call_tree_values(struct profile_call_tree *tree, enum heddle_metric metric);

/* Computes the derived metrics; must be called again after a merge. Returns 0 or -ENOMEM. */
int profile_call_tree_derive(struct profile_call_tree *tree);

/* Writes the state that each node's exclusive values count as (enum heddle_state) to `states` (node_count bytes). */
void profile_call_tree_states(const struct profile_call_tree *tree, uint8_t *states);
bool profile_state_waits(enum heddle_state state);

#endif
