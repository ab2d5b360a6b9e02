/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which function opened a phase, where others were put inline into the same frame: what was counted when it was opened
 * tells. So samples of the frame, wherever they fell in it, find the phase at one place.
 */
#ifndef HEDDLE_PROFILE_VIEW_PHASES_H
#define HEDDLE_PROFILE_VIEW_PHASES_H

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

#endif
