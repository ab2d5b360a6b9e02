/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call-path tree by places (not yet named), with the tables its nodes refer to. The same type holds one process as
 * its file says it and any number of processes merged: merging a tree into another is the only operation.
 */
#ifndef HEDDLE_PROFILE_CALL_TREE_H
#define HEDDLE_PROFILE_CALL_TREE_H

#include "format/ids.h"
#include "profile/distribution.h"
#include "profile/intern.h"
#include "profile/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in Module.role of the schema. */
enum heddle_code_role {
	HEDDLE_CODE_OTHER,
	HEDDLE_CODE_EXECUTABLE,
	HEDDLE_CODE_HEDDLE,
	HEDDLE_CODE_OPENMP,
	HEDDLE_CODE_LIBC,
	HEDDLE_CODE_VDSO,
};

struct heddle_code_module {
	const char *path; /* "" for number 0: addresses in no module */
	const uint8_t *build_id;
	size_t build_id_size;
	uint32_t role; /* enum heddle_code_role */
	bool unloaded;
};

struct heddle_event_kind {
	const char *model, *name, *label;
	uint32_t category; /* enum heddle_category */
	bool generated;    /* its name is made up */
};

/*
 * `place` holds an index into modules in its upper 16 bits, of a REGION perhaps HEDDLE_PLACE_SOURCE and an index into
 * strings; all of it is one of PHASE and FUNCTION. `event` is an index into events (STATE: enum heddle_state).
 */
struct heddle_node {
	uint64_t place;
	uint32_t parent;
	uint32_t event;
	uint8_t kind; /* enum heddle_node_kind */
};

/* The number after the last of a module. */
#define HEDDLE_MODULE_LIMIT ((size_t)HEDDLE_PLACE_SOURCE)

static inline bool heddle__place_is_string(const struct heddle_node *node)
{
	return node->kind == HEDDLE_NODE_PHASE || node->kind == HEDDLE_NODE_FUNCTION;
}

/* Whether a node says file and line itself: then there is nothing to name. */
static inline bool heddle__place_is_source(const struct heddle_node *node)
{
	return node->kind == HEDDLE_NODE_REGION && HEDDLE_PLACE_MODULE(node->place) == HEDDLE_PLACE_SOURCE;
}

struct heddle_call_tree {
	struct heddle_code_module *modules; /* [0]: none */
	size_t module_count, module_capacity;
	struct heddle_event_kind *events;
	size_t event_count, event_capacity;
	const char **strings; /* names of phases and functions, source files, descriptions of arguments */
	size_t string_count, string_capacity;

	struct heddle_node *nodes; /* [0]: the root; a parent stands before its children */
	size_t node_count, node_capacity;
	uint64_t *values[HEDDLE_METRIC_LIMIT]; /* node_count each; NULL: nowhere a value */
	struct heddle_distributions distributions;

	/* Of merged trees only: */
	uint32_t *buckets; /* node number; 0: free (the root is never looked up) */
	size_t bucket_count;
	struct heddle_intern module_keys, event_keys, string_keys, texts;
};

/* An empty tree to merge into: a root and module 0. */
int heddle__call_tree_start(struct heddle_call_tree *tree);
void heddle__call_tree_free(struct heddle_call_tree *tree);

/*
 * Adds all nodes and values of `from`. When `map` is not NULL it has room for from->node_count numbers and gets each
 * node's number in `tree`. Copies what it needs of `from`.
 */
int heddle__call_tree_merge(struct heddle_call_tree *tree, const struct heddle_call_tree *from, uint32_t *map);

/*
 * Only looks: the number in `tree`, a merged one, of each node of `from`; HEDDLE_NO_NODE: it is not there. Several
 * threads may do so at once.
 */
#define HEDDLE_NO_NODE UINT32_MAX
int heddle__call_tree_locate(const struct heddle_call_tree *tree, const struct heddle_call_tree *from, uint32_t *map);

/* The values of a metric, made when not there yet; NULL: no memory. */
uint64_t *heddle__call_tree_values(struct heddle_call_tree *tree, enum heddle_metric metric);

/* Makes the values of the metrics that files don't have, once more after a merge. 0 or -ENOMEM. */
int heddle__call_tree_derive(struct heddle_call_tree *tree);

/* What each node's own values count as (enum heddle_state), into `states` of node_count bytes. */
void heddle__call_tree_states(const struct heddle_call_tree *tree, uint8_t *states);
bool heddle__state_waits(enum heddle_state state);

#endif
