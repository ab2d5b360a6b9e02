/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call-path tree by places (not yet named), with the tables its nodes refer to. The same type holds one process as
 * its file says it and any number of processes merged: merging a tree into another is the only operation.
 */
#ifndef HEDDLE_PROFILE_CALL_TREE_H
#define HEDDLE_PROFILE_CALL_TREE_H

#include "format/ids.h"
#include "profile/intern.h"

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
};

/* `place` holds an index into modules in its upper 16 bits (PHASE: into phases); `event` an index into events (STATE:
 * enum heddle_state). */
struct heddle_node {
	uint64_t place;
	uint32_t parent;
	uint32_t event;
	uint8_t kind; /* enum heddle_node_kind */
};

#define HEDDLE_MODULE_LIMIT ((size_t)1 << (64 - HEDDLE_PLACE_OFFSET_BITS))

struct heddle_call_tree {
	struct heddle_code_module *modules; /* [0]: none */
	size_t module_count, module_capacity;
	struct heddle_event_kind *events;
	size_t event_count, event_capacity;
	const char **phases;
	size_t phase_count, phase_capacity;

	struct heddle_node *nodes; /* [0]: the root; a parent stands before its children */
	size_t node_count, node_capacity;
	uint64_t *values[HEDDLE_METRIC_COUNT]; /* node_count each; NULL: nowhere a value */

	/* Of merged trees only: */
	uint32_t *buckets; /* node number; 0: free (the root is never looked up) */
	size_t bucket_count;
	struct heddle_intern module_keys, event_keys, phase_keys, texts;
};

/* An empty tree to merge into: a root and module 0. */
int heddle__call_tree_start(struct heddle_call_tree *tree);
void heddle__call_tree_free(struct heddle_call_tree *tree);

/*
 * Adds all nodes and values of `from`. When `map` is not NULL it has room for from->node_count numbers and gets each
 * node's number in `tree`. Copies what it needs of `from`.
 */
int heddle__call_tree_merge(struct heddle_call_tree *tree, const struct heddle_call_tree *from, uint32_t *map);

/* The values of a metric, made when not there yet; NULL: no memory. */
uint64_t *heddle__call_tree_values(struct heddle_call_tree *tree, enum heddle_metric metric);

/* What each node's own values count as (enum heddle_state), into `states` of node_count bytes. */
void heddle__call_tree_states(const struct heddle_call_tree *tree, uint8_t *states);

#endif
