/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the function that opened a phase or a block if functions were inlined into its frame: the frame has one place
 * for all of its samples, whichever of them they are in. A block records where it was opened; for a phase, its visits
 * show it.
 */
#ifndef HEDDLE_PROFILE_VIEW_OPENERS_H
#define HEDDLE_PROFILE_VIEW_OPENERS_H

#include "profile/names/naming.h"
#include "profile/view/view_fold.h"

struct profile_phase_openers {
	struct profile_phase_opener {
		uint64_t phase; /* number of its name */
		const struct profile_spot *spots;
		uint32_t count;
	} * items; /* without duplicates */
	size_t count, capacity;
};

/* Returns 0 or -ENOMEM. */
int profile_phase_openers_make(struct profile_phase_openers *openers, const struct profile_call_tree *tree,
	const struct profile_naming *naming);
void profile_phase_openers_free(struct profile_phase_openers *openers);

/*
 * Returns the opener of a phase's node; without a frame if it is unknown, or if the innermost function of the frame
 * above opened the phase.
 */
struct profile_opener profile_find_phase_opener(const struct profile_phase_openers *openers,
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t phase);

/* True if a node represents the code between a construct's begin and end, or a moment in it; false for a wait. */
bool profile_is_block(const struct profile_call_tree *tree, const struct profile_node *node);

/* Returns the opener of a block's node; without a frame if no frame above belongs to the function that opened it. */
struct profile_opener profile_find_block_opener(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t block);

#endif
