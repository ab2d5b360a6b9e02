/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of regions and tasks, taken when they are created. Programs create them again and again from the same place:
 * then the stack is not walked, but the words that the last walk used are compared. They are all that a walk from the
 * same registers depends on, so equal words mean the same path; it costs about a nanosecond a word.
 */
#include <string.h>

#include "core/memory.h"
#include "core/module.h"
#include "core/region.h"
#include "core/tree.h"
#include "sampling/path.h"

static struct heddle_capture *remembered(struct heddle_sampler_thread *sampler, const struct heddle_caller *caller)
{
	uint64_t hash = (caller->pc ^ caller->sp << 16) * 0x9e3779b97f4a7c15u;
	_Static_assert(HEDDLE_CAPTURES == 32, "five bits of hash");
	if (!sampler->captures)
		sampler->captures = heddle__map(HEDDLE_CAPTURES * sizeof(*sampler->captures));
	return sampler->captures ? &sampler->captures[hash >> 59] : NULL;
}

/* The words lie above our own stack pointer, on this thread's stack: they can be read, whatever they are now. */
__attribute__((no_sanitize("address", "thread"))) static bool holds(
	const struct heddle_capture *capture, const struct heddle_caller *caller, uint32_t base, uint32_t innermost)
{
	const struct heddle_caller *then = &capture->caller;
	if (!capture->words || then->pc != caller->pc || then->sp != caller->sp || then->bp != caller->bp ||
		memcmp(&then->bounds, &caller->bounds, sizeof(then->bounds)) != 0 || capture->base != base ||
		capture->innermost != innermost)
		return false;
	for (uint32_t i = 0; i < capture->words; i++) {
		if (*(const volatile uintptr_t *)capture->word[i].at != capture->word[i].value)
			return false;
	}
	return true;
}

static bool note_word(struct heddle_capture *capture, uintptr_t at, uintptr_t value)
{
	if (capture->words == HEDDLE_CAPTURE_WORDS)
		return false;
	capture->word[capture->words].at = at;
	capture->word[capture->words++].value = value;
	return true;
}

__attribute__((no_sanitize("address", "thread"))) static uintptr_t stack_word(uintptr_t at)
{
	return *(const volatile uintptr_t *)at;
}

/* Remember what the walk used; not, when it used more than return addresses and frame pointers. */
static void remember(
	struct heddle_capture *capture, const struct heddle_frame *frames, size_t count, enum heddle_unwind_end end)
{
	capture->words = 0;
	if (end == HEDDLE_UNWIND_COMPLETE)
		count--; /* nothing is read to know that a frame is the outermost */
	for (size_t i = 0; i < count; i++) {
		uintptr_t bp_at = frames[i].cfa - frames[i].bp_words * sizeof(uintptr_t);
		uintptr_t return_at = frames[i].cfa - sizeof(uintptr_t);
		bool noted = frames[i].bp_words != HEDDLE_FRAME_COMPLEX &&
			     note_word(capture, return_at, stack_word(return_at)) &&
			     (!frames[i].bp_words || note_word(capture, bp_at, stack_word(bp_at)));
		if (!noted) {
			capture->words = 0;
			return;
		}
	}
}

/* Frames that a user wrote; the C library's stand there too, below a thread's start. */
static bool has_user_frame(const struct heddle_frame *frames, size_t inner, size_t end)
{
	for (size_t i = inner; i < end; i++) {
		if (frames[i].role == HEDDLE_MODULE_EXECUTABLE || frames[i].role == HEDDLE_MODULE_OTHER)
			return true;
	}
	return false;
}

static struct heddle_captured walk_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const struct heddle_caller *caller, uint32_t base, struct heddle_walked *walked)
{
	const struct heddle_bounds *bounds = &caller->bounds;
	const struct heddle_frame *frames = sampler->frames;
	struct heddle_unwind_start start = {.pc = caller->pc, .sp = caller->sp, .bp = caller->bp};
	struct heddle_path path = heddle__path_from(thread, sampler, base);
	size_t own = heddle__walk_own(thread, sampler, &start, caller->sp, bounds, walked);
	size_t runtime = heddle__count_runtime(frames, own, 0);
	bool bounded = bounds->boundary || bounds->unbounded;
	if (bounds->outlined && (!bounded || !has_user_frame(frames, runtime, own)))
		return (struct heddle_captured){.node = base};
	if (walked->partial)
		heddle__path_state(&path, HEDDLE_STATE_PARTIAL);
	heddle__path_frames(&path, frames, runtime, own, bounds->outlined);
	return (struct heddle_captured){.node = path.node,
		.place = runtime < own ? frames[runtime].place : 0,
		.sp = runtime ? frames[runtime - 1].cfa : caller->sp};
}

struct heddle_captured heddle__capture_path(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base)
{
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	uint32_t innermost = heddle__current_node(thread);
	struct heddle_walked walked;
	if (!sampler)
		return (struct heddle_captured){.node = base};
	struct heddle_capture *capture = remembered(sampler, caller);
	if (capture && holds(capture, caller, base, innermost))
		return capture->result;
	struct heddle_captured result = walk_path(thread, sampler, caller, base, &walked);
	if (capture) {
		capture->caller = *caller;
		capture->base = base;
		capture->innermost = innermost;
		capture->result = result;
		remember(capture, sampler->frames, walked.count, walked.end);
	}
	return result;
}
