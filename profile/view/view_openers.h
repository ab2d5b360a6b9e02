/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which function opened a phase or a block, where others were inlined into the same frame: it has one place for all
 * samples of the frame, wherever they fell in it. A block records where it was opened; for a phase, its visits show it.
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
	} * items; /* each once */
	size_t count, capacity;
};

/* 0 or -ENOMEM. */
int profile_phase_openers_make(struct profile_phase_openers *openers, const struct profile_call_tree *tree,
	const struct profile_naming *naming);
void profile_phase_openers_free(struct profile_phase_openers *openers);

/* For a phase's node; no frame if nothing is known, or if the innermost function of the frame above opened it. */
struct profile_opener profile_find_phase_opener(const struct profile_phase_openers *openers,
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t phase);

/* True if a node stands for the code between a construct's begin and end, or for a moment in it; not for a wait. */
bool profile_is_block(const struct profile_call_tree *tree, const struct profile_node *node);

/* For such a node; no frame if none above belongs to the function that opened it. */
struct profile_opener profile_find_block_opener(
	const struct profile_call_tree *tree, const struct profile_naming *naming, uint32_t block);

#endif
