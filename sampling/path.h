/* SPDX-License-Identifier: BSD-3-Clause */
/* Putting a user-level path together, step by step from the outside in. Runs in signal handlers. */
#ifndef HEDDLE_SAMPLING_PATH_H
#define HEDDLE_SAMPLING_PATH_H

#include "sampling/sampler.h"

struct heddle_path {
	struct heddle_sampler_thread *sampler;
	const struct heddle_thread *thread;
	uint32_t node; /* so far */
	uint32_t depth;
	uint32_t phase; /* next open region to be placed */
};

/* All of these: context owner thread, signal. */

/* A path that continues from `base`, on which the current task's open phases are still to be placed. */
struct heddle_path heddle__path_from(
	const struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint32_t base);

void heddle__path_step(struct heddle_path *path, uint32_t meta, uint64_t place);
void heddle__path_state(struct heddle_path *path, enum heddle_state state);

/* The frames from number `inner` up to, not including, `end`, and the open phases where they belong. */
void heddle__path_frames(
	struct heddle_path *path, const struct heddle_frame *frames, size_t inner, size_t end, bool outlined);

/*
 * How many of the frames belong to the current task. They are those below its boundary (0: all), unless no frame of the
 * runtime's stands there: then the region was serialized, its body was called straight from its creator, and they are
 * those up to `direct`.
 */
size_t heddle__count_own(const struct heddle_frame *frames, size_t count, uintptr_t boundary, uintptr_t direct);

/* A walk need not go on above this stack address. */
static inline uintptr_t heddle__walk_stop(uintptr_t boundary, uintptr_t direct)
{
	return boundary && direct > boundary ? direct + 1 : boundary;
}

/* How many of the innermost frames are the runtime at work, which it entered below `enter` (0: unknown). */
size_t heddle__count_runtime(const struct heddle_frame *frames, size_t count, uintptr_t enter);

/* The stack that holds `sp` ends here at the latest, as far as we know. */
uintptr_t heddle__stack_end(const struct heddle_thread *thread, uintptr_t sp);

/* Whether a walk that ended so lacks outer frames. */
bool heddle__is_partial(enum heddle_unwind_end end, uintptr_t boundary);

#endif
