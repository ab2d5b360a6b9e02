/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where in the source the paths of a view run: a finer tree, in which a node of the view that was reached or left at
 * several lines is several sites. Exports to formats that know of both functions and lines use it.
 */
#ifndef HEDDLE_PROFILE_VIEW_SITES_H
#define HEDDLE_PROFILE_VIEW_SITES_H

#include "profile/view/view.h"

/* A parent comes before its children, and is a site of the parent of `node`. Site 0 is the program. */
struct profile_site {
	uint32_t parent;
	uint32_t node;    /* of the view */
	const char *file; /* "" when unknown; then line is 0 */
	uint32_t line;    /* of the cost or the call */
	uint64_t place;   /* of the code, as in profile_node; 0: it has none, or places were not asked for */
	bool inlined;     /* into its parent: both are the same place */
};

struct profile_sites {
	struct profile_site *items;
	size_t count, capacity;
	uint32_t *of_node, *inside; /* for each node of the measurement's tree: see profile_site_holder */
	struct profile_index index; /* but of the first */
};

/* With `places`, sites of the same line at different addresses are apart. Texts belong to the naming and the view. */
int profile_sites_make(struct profile_sites *sites, const struct profile_view *view,
	const struct profile_call_tree *tree, const struct profile_naming *naming, bool places);
void profile_sites_free(struct profile_sites *sites);

/* All sites in preorder, to be freed with free(); NULL: no memory. */
uint32_t *profile_sites_depth_first(const struct profile_sites *sites);

/* The site that has the values of a node of the measurement's tree; of the same node of the view as there. */
static inline uint32_t profile_site_holder(const struct profile_sites *sites, uint32_t node, enum heddle_metric metric)
{
	return profile_metric_is_of_samples(metric) ? sites->inside[node] : sites->of_node[node];
}

#endif
