/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call-path tree as people read it: by names, runtime frames folded away (or not), inlined functions as nodes of
 * their own. Reports and exports see nothing else. Node 0 is the program.
 */
#ifndef HEDDLE_PROFILE_VIEW_H
#define HEDDLE_PROFILE_VIEW_H

#include "profile/measurement.h"
#include "profile/naming.h"

/* What a node shows; nodes of one label are the same thing in different paths. */
struct heddle_label {
	const char *text; /* "solve", "omp parallel @cg.c:52", "[barrier wait]", "phase setup" */
	const char *file; /* full path: of the definition, or with lines of the place; "" when unknown */
	uint32_t line;
	const char *module; /* path; "" when there is none */
	uint8_t kind;       /* enum heddle_node_kind: FRAME, RUNTIME_FRAME, REGION, STATE, PHASE, FUNCTION or ROOT */
};

struct heddle_view {
	struct heddle_label *labels;
	size_t label_count, label_capacity;
	uint32_t *parents; /* a parent stands before its children */
	uint32_t *label_of;
	size_t node_count, parent_capacity, label_of_capacity;
	uint64_t *values[HEDDLE_METRIC_LIMIT];     /* exclusive; NULL: nowhere a value */
	struct heddle_distributions distributions; /* by nodes here, sorted; texts as in the measurement's tree */
	uint32_t *of_node; /* for each node of the measurement's tree, the node here that it became */
	uint32_t *inside;  /* and the one that samples there and paths below are of: perhaps inlined into a region */
	struct heddle_intern texts, label_keys;
	uint32_t *buckets;
	size_t bucket_count;
};

struct heddle_view_options {
	bool runtime_frames; /* keep what the user-level view folds away */
	bool lines;          /* source lines instead of functions */
};

int heddle_view_make(struct heddle_view *view, const struct heddle_measurement *measurement,
	const struct heddle_naming *naming, const struct heddle_view_options *options);
void heddle_view_free(struct heddle_view *view);

/* The node that has the values of a node of the measurement's tree: what events tell of a region is the region's own.
 */
static inline uint32_t heddle_view_holder(const struct heddle_view *view, uint32_t node, enum heddle_metric metric)
{
	bool of_samples = metric <= HEDDLE_METRIC_WALL_TIME || heddle_metric_is_counter(metric);
	return of_samples ? view->inside[node] : view->of_node[node];
}

/* Sums over each node and all below it; free() it; NULL: no memory (or no such values). */
uint64_t *heddle_view_inclusive(const struct heddle_view *view, enum heddle_metric metric);

/* Views of equal labels and paths, in the same order, have the same; others hardly ever. */
uint64_t heddle_view_fingerprint(const struct heddle_view *view);

/* "work", "barrier wait", ... */
const char *heddle_state_label(enum heddle_state state);

/* The last part of a path. */
const char *heddle_base_name(const char *path);

#endif
