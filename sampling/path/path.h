/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds a user-level call path step by step, from the outside in. Runs in signal handlers. */
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

/* Context of all functions: owner thread, signal. */

/* Returns a path that continues from `base`; the current task's open phases are still to be added. */
struct heddle_path heddle__path_from(
	const struct heddle_thread *thread, struct heddle_sampler_thread *sampler, uint32_t base);

void heddle__path_step(struct heddle_path *path, uint32_t meta, uint64_t place);
void heddle__path_state(struct heddle_path *path, enum heddle_state state);

/* Adds the frames from number `inner` up to, not including, `end`, and the open phases where they belong. */
void heddle__path_frames(
	struct heddle_path *path, const struct heddle_frame *frames, size_t inner, size_t end, bool outlined);

/*
 * Walks from `start`, whose stack pointer is `sp`, through the current task's frames. Returns how many of
 * sampler->frames belong to the task; walked->count is how many were stored.
 */
struct heddle_walked {
	size_t count;
	enum heddle_unwind_end end;
	bool partial; /* the outer frames could not be found */
};
size_t heddle__walk_own(const struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const struct heddle_unwind_start *start, uintptr_t sp, const struct heddle_bounds *bounds,
	struct heddle_walked *walked);

/* Returns the stack address at which the walk may stop: frames that end there or above do not matter; 0: no limit. */
uintptr_t heddle__walk_stop(const struct heddle_bounds *bounds);

/* True if a walk with that stop lacks outer frames. */
bool heddle__is_partial(enum heddle_unwind_end end, uintptr_t stop);

/* Returns the end of the stack that contains `sp`; 0: unknown (a coroutine's): the walk finds the end by trying. */
uintptr_t heddle__stack_end(const struct heddle_thread *thread, uintptr_t sp);

/* Returns how many of `count` frames, innermost first, belong to the current task. */
size_t heddle__count_own(const struct heddle_frame *frames, size_t count, const struct heddle_bounds *bounds);

/* Returns how many of the innermost frames are the runtime's, or were called by it. */
size_t heddle__count_runtime(const struct heddle_frame *frames, size_t count);

/* Returns how many frames there are up to the outermost one of the runtime. */
size_t heddle__count_called(const struct heddle_frame *frames, size_t count);

#endif
