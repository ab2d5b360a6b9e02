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
	uint64_t hash = (caller->pc ^ caller->site ^ caller->sp << 16) * 0x9e3779b97f4a7c15u;
	_Static_assert(HEDDLE_CAPTURES == 32, "five bits of hash");
	if (!sampler->captures)
		sampler->captures = heddle__map(HEDDLE_CAPTURES * sizeof(*sampler->captures));
	return sampler->captures ? &sampler->captures[hash >> 59] : NULL;
}

/* The same phases may stand elsewhere on the path, when other frames opened them. */
static uint64_t phases_opened_at(const struct heddle_thread *thread)
{
	uint64_t mixed = 0;
	for (uint32_t i = thread->depth; i && !thread->regions[i - 1].tag; i--)
		mixed = (mixed ^ thread->regions[i - 1].cfa) * 0x9e3779b97f4a7c15u;
	return mixed;
}

/* The words lie above our own stack pointer, on this thread's stack: they can be read, whatever they are now. */
__attribute__((no_sanitize("address", "thread"))) static bool words_hold(const struct heddle_capture *capture)
{
	for (uint32_t i = 0; i < capture->words; i++) {
		if (*(const volatile uintptr_t *)capture->word[i].at != capture->word[i].value)
			return false;
	}
	return capture->words != 0;
}

static bool is_same(const struct heddle_capture *capture, const struct heddle_capture_key *b)
{
	const struct heddle_capture_key *a = &capture->key;
	const struct heddle_bounds *x = &a->caller.bounds, *y = &b->caller.bounds;
	return a->caller.pc == b->caller.pc && a->caller.sp == b->caller.sp &&
	       (!capture->by_bp || a->caller.bp == b->caller.bp) && x->boundary == y->boundary &&
	       x->direct == y->direct && x->unbounded == y->unbounded && x->outlined == y->outlined &&
	       a->base == b->base && a->innermost == b->innermost && a->opened_at == b->opened_at &&
	       a->version == b->version;
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

/*
 * Remember what the walk used; not, when it used more than return addresses and frame pointers. Most code keeps other
 * things in the frame pointer's register: what a frame saved of it counts only if a frame further out needed it.
 */
static void remember(
	struct heddle_capture *capture, const struct heddle_frame *frames, size_t count, enum heddle_unwind_end end)
{
	bool by_bp = false;
	capture->words = 0;
	if (end == HEDDLE_UNWIND_COMPLETE)
		count--; /* nothing is read to know that a frame is the outermost */
	for (size_t i = count; i-- > 0;) {
		const struct heddle_frame *frame = &frames[i];
		uintptr_t bp_at = frame->cfa - frame->bp_words * sizeof(uintptr_t);
		uintptr_t return_at = frame->cfa - sizeof(uintptr_t);
		bool noted = frame->bp_words != HEDDLE_FRAME_COMPLEX &&
			     note_word(capture, return_at, stack_word(return_at)) &&
			     (!frame->bp_words || !by_bp || note_word(capture, bp_at, stack_word(bp_at)));
		if (!noted) {
			capture->words = 0;
			return;
		}
		by_bp = (by_bp && !frame->bp_words) || (frame->flags & HEDDLE_FRAME_BY_BP);
	}
	capture->by_bp = by_bp;
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

static size_t skip_teller(const struct heddle_frame *frames, size_t inner, size_t end)
{
	while (inner < end && frames[inner].place >= heddle__teller_low && frames[inner].place < heddle__teller_high)
		inner++;
	return inner;
}

static struct heddle_captured walk_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const struct heddle_caller *caller, uint32_t base, struct heddle_walked *walked)
{
	const struct heddle_bounds *bounds = &caller->bounds;
	const struct heddle_frame *frames = sampler->frames;
	struct heddle_unwind_start start = {.pc = caller->pc, .sp = caller->sp, .bp = caller->bp};
	struct heddle_path path = heddle__path_from(thread, sampler, base);
	size_t own = heddle__walk_own(thread, sampler, &start, caller->sp, bounds, walked);
	size_t runtime = skip_teller(frames, heddle__count_runtime(frames, own, 0), own);
	bool called = runtime + 1 < own;
	bool bounded = bounds->boundary || bounds->unbounded;
	if (bounds->outlined && (!bounded || !has_user_frame(frames, runtime, own)))
		return (struct heddle_captured){.node = base};
	if (walked->partial)
		heddle__path_state(&path, HEDDLE_STATE_PARTIAL);
	heddle__path_frames(&path, frames, runtime, own, bounds->outlined);
	return (struct heddle_captured){.node = path.node,
		.place = runtime < own ? frames[runtime].place : 0,
		.sp = runtime ? frames[runtime - 1].cfa : caller->sp,
		.end = runtime < own ? frames[runtime].cfa : 0,
		.caller_place = called ? frames[runtime + 1].place : 0,
		.caller_end = called ? frames[runtime + 1].cfa : 0};
}

struct heddle_captured heddle__capture_path(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base)
{
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	struct heddle_walked walked;
	if (!sampler)
		return (struct heddle_captured){.node = base};
	const struct heddle_capture_key key = {.caller = *caller,
		.base = base,
		.innermost = heddle__current_node(thread),
		.opened_at = phases_opened_at(thread),
		.version = heddle__modules_version()};
	struct heddle_capture *capture = remembered(sampler, caller);
	if (capture && is_same(capture, &key) && words_hold(capture))
		return capture->result;
	struct heddle_captured result = walk_path(thread, sampler, caller, base, &walked);
	if (capture) {
		capture->key = key;
		capture->result = result;
		remember(capture, sampler->frames, walked.count, walked.end);
	}
	return result;
}
