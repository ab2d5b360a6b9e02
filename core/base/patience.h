/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time-outs of threads that wait for others, in short steps. If a step took much longer, the waiting thread had no
 * processor, and the others may have had none, either: such time does not count.
 */
#ifndef HEDDLE_CORE_PATIENCE_H
#define HEDDLE_CORE_PATIENCE_H

#include "core/base/clock.h"

#define HEDDLE_PATIENCE_STEP_NS 60000000u /* the most that counts of a step */

struct heddle_patience {
	uint64_t seen_ns, used_ns;
};

/* Begins to wait, or begins again after progress. Context: any thread, signal. */
static inline void heddle__patience_renew(struct heddle_patience *patience)
{
	*patience = (struct heddle_patience){.seen_ns = heddle__clock_ns(CLOCK_MONOTONIC)};
}

/* Called after each step. Returns false once `most_ns` have been waited. Context: any thread, signal. */
static inline bool heddle__patience_lasts(struct heddle_patience *patience, uint64_t most_ns)
{
	uint64_t now = heddle__clock_ns(CLOCK_MONOTONIC), passed = now - patience->seen_ns;
	patience->seen_ns = now;
	patience->used_ns += passed < HEDDLE_PATIENCE_STEP_NS ? passed : HEDDLE_PATIENCE_STEP_NS;
	return patience->used_ns < most_ns;
}

#endif
