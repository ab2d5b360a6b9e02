/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call-path tree by places (not yet named), with the tables its nodes refer to. The same type holds one process, as
 * in its file, and any number of merged processes: merging a tree into another is the only operation.
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
	uint32_t model; /* RUNTIME: index into models of the one it belongs to; else 0 */
	bool unloaded;
};

struct profile_event_kind {
	const char *model, *name, *label;
	uint32_t category; /* enum heddle_category */
	bool generated;    /* its name is made up */
	uint32_t role;     /* enum heddle_event_role */
	uint32_t number;   /* its model, an index into models; 0: the file describes none of that name */
};

/*
 * `place` holds an index into modules in its upper 16 bits; for a REGION perhaps HEDDLE_PLACE_SOURCE and an index into
 * strings. For PHASE, FUNCTION and OBJECT all of it is an index into strings, for STATE an index into models (0: no
 * runtime's state). `event` is an index into events (STATE: enum heddle_state).
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

/* True if a node's place is a file and line: then there is nothing to name. */
static inline bool profile_place_is_source(const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_REGION && HEDDLE_PLACE_MODULE(node->place) == HEDDLE_PLACE_SOURCE;
}

struct profile_call_tree {
	struct profile_models models;
	struct profile_code_module *modules; /* [0]: none */
	size_t module_count, module_capacity;
	struct profile_event_kind *events;
	size_t event_count, event_capacity;
	const char **strings; /* names of phases and functions, source files, descriptions of arguments */
	size_t string_count, string_capacity;

	struct profile_node *nodes; /* [0]: the root; a parent comes before its children */
	size_t node_count, node_capacity;
	uint64_t *values[HEDDLE_METRIC_LIMIT]; /* node_count each; NULL: no node has a value */
	struct profile_distributions distributions;

	/* For merged trees only: */
	struct profile_index index; /* of nodes but the root, which is never looked up */
	struct profile_intern module_keys, event_keys, string_keys, texts;
};

/* The REGION of an OBJECT node; any other node itself. */
static inline const struct profile_node *profile_region_of(
	const struct profile_call_tree *tree, const struct profile_node *node)
{
	return node->kind == HEDDLE_NODE_OBJECT ? &tree->nodes[node->parent] : node;
}

/* The model of a region's event, or of the runtime that was in a state; for other nodes none. */
const struct profile_model *profile_model_of_node(
	const struct profile_call_tree *tree, const struct profile_node *node);

/* True if a frame's code is a runtime's. */
bool profile_is_runtime_code(const struct profile_call_tree *tree, const struct profile_node *node);

/* An empty tree to merge into: a root and module 0. */
int profile_call_tree_start(struct profile_call_tree *tree);
void profile_call_tree_free(struct profile_call_tree *tree);

/*
 * Adds all nodes and values of `from`. When `map` is not NULL it has room for from->node_count numbers and gets each
 * node's number in `tree`. Copies what it needs of `from`.
 */
int profile_call_tree_merge(struct profile_call_tree *tree, const struct profile_call_tree *from, uint32_t *map);

/*
 * The number in `tree`, a merged one, of each node of `from`; HEDDLE_NO_NODE: it is not there. Changes nothing, so
 * several threads may call it at once.
 */
#define HEDDLE_NO_NODE UINT32_MAX
int profile_call_tree_locate(const struct profile_call_tree *tree, const struct profile_call_tree *from, uint32_t *map);

/* The values of a metric, allocated on first use; NULL: no memory. */
uint64_t *profile_call_tree_values(struct profile_call_tree *tree, enum heddle_metric metric);

/* Computes the derived metrics; to be called again after a merge. 0 or -ENOMEM. */
int profile_call_tree_derive(struct profile_call_tree *tree);

/* The state that each node's exclusive values count as (enum heddle_state), into `states` of node_count bytes. */
void profile_call_tree_states(const struct profile_call_tree *tree, uint8_t *states);
bool profile_state_waits(enum heddle_state state);

#endif
