/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source lines of the paths of a view: a finer tree, in which a node of the view that was entered or left at several
 * lines is several sites. For exports to formats that have both functions and lines.
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
	uint64_t place;   /* of the code, as in profile_node; 0: none, or places were not requested */
	bool inlined;     /* into its parent: both have the same place */
};

struct profile_sites {
	struct profile_site *items;
	size_t count, capacity;
	uint32_t *of_node, *inside; /* by node of the measurement's tree: see profile_site_holder */
	struct profile_index index; /* of all sites except the first */
};

/* With `places`, different addresses on one line are different sites. The naming and the view own the texts. */
int profile_sites_make(struct profile_sites *sites, const struct profile_view *view,
	const struct profile_call_tree *tree, const struct profile_naming *naming, bool places);
void profile_sites_free(struct profile_sites *sites);

/* Returns all sites in preorder, to be freed with free(); NULL: no memory. */
uint32_t *profile_sites_depth_first(const struct profile_sites *sites);

/* Returns the site that has a metric's values of a node of the measurement's tree, as profile_view_holder. */
static inline uint32_t profile_site_holder(const struct profile_sites *sites, uint32_t node, enum heddle_metric metric)
{
	return profile_metric_is_of_samples(metric) ? sites->inside[node] : sites->of_node[node];
}

#endif
