/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which function opened a phase or an OpenMP block, where others were put inline into the same frame. So samples of the
 * frame, wherever they fell in it, find it at one place. A block says where it was opened; of a phase, what was counted
 * when it was opened tells.
 */
#ifndef HEDDLE_PROFILE_VIEW_OPENERS_H
#define HEDDLE_PROFILE_VIEW_OPENERS_H

#include "profile/naming.h"
#include "profile/view_fold.h"

struct heddle_phase_openers {
	struct heddle_phase_opener {
		uint64_t phase; /* its name's number */
		const struct heddle_spot *spots;
		uint32_t count;
	} * items; /* each once */
	size_t count;
};

/* 0 or -ENOMEM. */
int heddle__phase_openers_make(
	struct heddle_phase_openers *openers, const struct heddle_call_tree *tree, const struct heddle_naming *naming);
void heddle__phase_openers_free(struct heddle_phase_openers *openers);

/* Of a phase's node; without a frame if nothing is known, or if the innermost function of the frame above opened it. */
struct heddle_opener heddle__find_phase_opener(const struct heddle_phase_openers *openers,
	const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t phase);

/* A node of the code between the begin and the end of an OpenMP construct, or of a moment in it; not of a wait. */
bool heddle__is_block(const struct heddle_call_tree *tree, const struct heddle_node *node);

/* Of such a node; without a frame if none above is of the function that opened it. */
struct heddle_opener heddle__find_block_opener(
	const struct heddle_call_tree *tree, const struct heddle_naming *naming, uint32_t block);

#endif
