/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The call-path tree as reports show it: with names, runtime frames folded (or not), and inlined functions as nodes of
 * their own. Reports and exports use only the view. Node 0 is the program.
 */
#ifndef HEDDLE_PROFILE_VIEW_H
#define HEDDLE_PROFILE_VIEW_H

#include "profile/file/measurement.h"
#include "profile/names/naming.h"

/* The text and position of a node. Nodes with the same label are the same function or region on different paths. */
struct profile_label {
	const char *text; /* "solve", "omp parallel @cg.c:52", "[barrier wait]", "phase setup" */
	const char *file; /* full path of the definition, or with `lines` of the code; "": unknown */
	uint32_t line;
	const char *module; /* path; "" when there is none */
	uint8_t kind;       /* enum heddle_node_kind: FRAME, RUNTIME_FRAME, REGION, STATE, PHASE, FUNCTION or ROOT */
};

/* The code in which the samples of a node of the measurement's tree were taken. */
struct profile_code {
	uint32_t frame; /* node of that tree: the node itself, or the opener of the block or phase; 0: none */
	uint32_t spot;  /* index of the function among the spots of that frame's place */
};

struct profile_view {
	struct profile_label *labels;
	size_t label_count, label_capacity;
	uint32_t *parents; /* a parent comes before its children */
	uint32_t *label_of;
	size_t node_count, parent_capacity, label_of_capacity;
	uint64_t *values[HEDDLE_METRIC_LIMIT];      /* exclusive; NULL: no node has a value */
	struct profile_distributions distributions; /* by nodes of the view, sorted; texts as in the measurement */
	uint32_t *of_node;                          /* by node of the measurement's tree: its node in the view */
	uint32_t *inside;          /* likewise, for its samples and the paths below it: may be inlined into a region */
	struct profile_code *code; /* by node of the measurement's tree: code of its samples, even if it is not shown */
	const char **shown; /* by node: its label's text and the levels folded into it, or NULL; NULL: none folded */
	struct profile_intern texts, label_keys;
	struct profile_index index; /* of all nodes except the root */
};

struct profile_view_options {
	bool runtime_frames; /* keep the frames that the user-level view folds */
	bool lines;          /* source lines instead of functions */
	bool fold_recursion; /* show no label twice on a path: profile/view/view_recursion.h */
};

int profile_view_make(struct profile_view *view, const struct profile_measurement *measurement,
	const struct profile_naming *naming, const struct profile_view_options *options);
void profile_view_free(struct profile_view *view);

/*
 * Returns the node that has a metric's values of a node of the measurement's tree. Events' belong to the region itself.
 */
static inline uint32_t profile_view_holder(const struct profile_view *view, uint32_t node, enum heddle_metric metric)
{
	return profile_metric_is_of_samples(metric) ? view->inside[node] : view->of_node[node];
}

/* Returns the text of a node: its label's text, with the levels of recursion that were folded into it. */
static inline const char *profile_view_text(const struct profile_view *view, uint32_t node)
{
	const char *folded = view->shown ? view->shown[node] : NULL;
	return folded ? folded : view->labels[view->label_of[node]].text;
}

/* Returns inclusive values by node, to be freed with free(); NULL: no memory (or no such values). */
uint64_t *profile_view_inclusive(const struct profile_view *view, enum heddle_metric metric);

/* Returns a hash: equal for views with equal labels and paths in the same order, almost never for others. */
uint64_t profile_view_fingerprint(const struct profile_view *view);

/* "work", "barrier wait", ... */
const char *profile_state_label(enum heddle_state state);

#endif
