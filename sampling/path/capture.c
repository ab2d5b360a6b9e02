/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contexts of regions and tasks, captured when they are created. Programs create them repeatedly from the same place:
 * then the stack is not walked; instead the words that the last walk used are compared, at about a nanosecond a word. A
 * walk from the same registers depends on nothing else, so equal words mean the same path.
 */
#include <string.h>

#include "core/base/hash.h"
#include "core/base/likely.h"
#include "core/base/memory.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "core/tree/tree.h"
#include "sampling/path/path.h"

/* Where a context is cached; without memory, `set` is NULL. */
struct home {
	struct heddle_capture_set *set;
	uint8_t *last; /* the call's hint */
};

static inline struct home home_of(struct heddle_sampler_thread *sampler, const struct heddle_caller *caller)
{
	uint64_t hash = heddle__hash(caller->pc ^ caller->site ^ caller->sp << 16);
	_Static_assert(HEDDLE_CAPTURE_SETS == 16 && HEDDLE_CAPTURE_HINTS == 16, "four bits of hash for each");
	if (HEDDLE_UNLIKELY(!sampler->captures))
		sampler->captures = heddle__map(HEDDLE_CAPTURE_SETS * sizeof(*sampler->captures));
	if (HEDDLE_UNLIKELY(!sampler->captures))
		return (struct home){NULL, NULL};
	struct heddle_capture_set *set = &sampler->captures[hash >> 60];
	return (struct home){set, &set->last[hash >> 56 & (HEDDLE_CAPTURE_HINTS - 1)]};
}

/* Mixes stack addresses of open regions: the same phases may be elsewhere on the path, if other frames opened them. */
static uint64_t phases_opened_at(const struct heddle_thread *thread)
{
	uint64_t mixed = 0;
	for (const struct heddle_region *region = heddle__innermost_of_task(&thread->stack); region;
		region = heddle__around(&thread->stack, region))
		mixed = heddle__hash(mixed ^ region->cfa);
	return mixed;
}

/*
 * True if all words have the recorded values. They are above Heddle's own stack pointer, on this thread's stack, so
 * they are readable, whatever they contain now. Callers of the same code differ in the innermost words, which were
 * recorded last and are compared first.
 */
__attribute__((no_sanitize("address", "thread"))) static bool words_hold(const struct heddle_capture *capture)
{
	const struct heddle_capture_word *first = capture->word, *word = first + capture->words;
	while (word-- > first) {
		if (*(const volatile uintptr_t *)word->at != word->value)
			return false;
	}
	return true;
}

/* A context to be captured: the members of a key, without a copy. */
struct context {
	const struct heddle_caller *caller;
	uint64_t opened_at, version;
	uint32_t base, innermost;
};

/* Compares without a branch for each member, as nearly always all are equal. */
static inline bool is_same(const struct heddle_capture *capture, const struct context *context)
{
	const struct heddle_capture_key *a = &capture->key;
	const struct heddle_caller *caller = context->caller;
	const struct heddle_bounds *x = &a->bounds, *y = caller->bounds;
	uint64_t differs = (a->caller.pc ^ caller->pc) | (a->caller.sp ^ caller->sp) | (x->boundary ^ y->boundary) |
			   (x->direct ^ y->direct) | (a->opened_at ^ context->opened_at) |
			   (a->version ^ context->version) | (a->base ^ context->base) |
			   (a->innermost ^ context->innermost);
	bool same = !differs && x->unbounded == y->unbounded && x->outlined == y->outlined;
	return same && capture->words && (!capture->by_bp || a->caller.bp == caller->bp);
}

static inline bool holds(const struct heddle_capture *capture, const struct context *context)
{
	return is_same(capture, context) && words_hold(capture);
}

/* Searches the other ways, beginning with the next: loops repeat the sequence of contexts. */
static const struct heddle_capture *find_other(struct home home, const struct context *context)
{
	for (uint32_t tried = 1; tried < HEDDLE_CAPTURE_WAYS; tried++) {
		uint32_t way = (*home.last + tried) % HEDDLE_CAPTURE_WAYS;
		if (!holds(&home.set->ways[way], context))
			continue;
		*home.last = (uint8_t)way;
		return &home.set->ways[way];
	}
	return NULL;
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
 * Records the words that the walk used; none, if it used more than return addresses and frame pointers. Most code uses
 * the frame pointer register for other values, so a frame's saved copy counts only if a frame further out needed it.
 */
static void remember(
	struct heddle_capture *capture, const struct heddle_frame *frames, size_t count, enum heddle_unwind_end end)
{
	bool by_bp = false;
	capture->words = 0;
	if (end == HEDDLE_UNWIND_COMPLETE)
		count--; /* no word is read to determine that a frame is the outermost */
	for (size_t i = count; i-- > 0;) {
		const struct heddle_frame *frame = &frames[i];
		uintptr_t bp_at = frame->cfa - frame->bp_words * sizeof(uintptr_t);
		uintptr_t return_at = frame->cfa - frame->ra_words * sizeof(uintptr_t);
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

/* True if there is a user frame; below a thread's start there are also frames of the C library. */
static bool has_user_frame(const struct heddle_frame *frames, size_t inner, size_t end)
{
	for (size_t i = inner; i < end; i++) {
		if (frames[i].role == HEDDLE_MODULE_EXECUTABLE || frames[i].role == HEDDLE_MODULE_OTHER)
			return true;
	}
	return false;
}

/*
 * Skips Heddle's frames below a callback that the runtime tail-called: then no runtime frame follows. Regions must not
 * begin at Heddle's frames, since frames of the program's next calls are higher on the stack.
 */
static size_t skip_own_code(const struct heddle_frame *frames, size_t inner, size_t end)
{
	while (inner < end && frames[inner].role == HEDDLE_MODULE_HEDDLE)
		inner++;
	return inner;
}

static size_t skip_reporter(const struct heddle_frame *frames, size_t inner, size_t end)
{
	while (inner < end && frames[inner].place >= heddle__reporter_low &&
		frames[inner].place < heddle__reporter_high)
		inner++;
	return inner;
}

/*
 * The compiler may put an undeferred task into the function that creates it, whose frame is not the task's: regions
 * that begin there are further out than all that this code calls. Returns the end of that frame; 0: not such a task.
 */
static uintptr_t end_in_creator(const struct heddle_thread *thread, const struct heddle_bounds *bounds)
{
	const struct heddle_region *task = heddle__current_task(&thread->stack);
	uintptr_t sp = task ? heddle__task_caller_sp(thread, task) : 0;
	return sp && bounds->boundary == sp + sizeof(uintptr_t) ? bounds->boundary : 0;
}

static struct heddle_captured walk_path(struct heddle_thread *thread, struct heddle_sampler_thread *sampler,
	const struct heddle_caller *caller, uint32_t base, struct heddle_walked *walked)
{
	const struct heddle_bounds *bounds = caller->bounds;
	const struct heddle_frame *frames = sampler->frames;
	struct heddle_unwind_start start = {.pc = caller->pc, .sp = caller->sp, .bp = caller->bp};
	struct heddle_path path = heddle__path_from(thread, sampler, base);
	size_t own = heddle__walk_own(thread, sampler, &start, caller->sp, bounds, walked);
	size_t runtime = skip_own_code(frames, heddle__count_runtime(frames, own), own);
	runtime = skip_reporter(frames, runtime, own);
	bool called = runtime + 1 < own;
	bool bounded = bounds->boundary || bounds->unbounded;
	struct heddle_procedure (*procedure)(uintptr_t at) = heddle__unwinder()->procedure;
	uintptr_t sp = runtime ? frames[runtime - 1].cfa : caller->sp;
	if (bounds->outlined && (!bounded || !has_user_frame(frames, runtime, own)))
		return (struct heddle_captured){
			.node = base, .sp = bounds->boundary ? sp : 0, .end = end_in_creator(thread, bounds)};
	if (walked->partial)
		heddle__path_state(&path, HEDDLE_STATE_PARTIAL);
	heddle__path_frames(&path, frames, runtime, own, bounds->outlined);
	return (struct heddle_captured){.node = path.node,
		.place = runtime < own ? frames[runtime].place : 0,
		.sp = sp,
		.end = runtime < own ? frames[runtime].cfa : 0,
		.entry_place = runtime ? frames[runtime - 1].place : 0,
		.procedure = runtime < own && procedure ? procedure(frames[runtime].pc - 1)
							: (struct heddle_procedure){0, 0},
		.caller_place = called ? frames[runtime + 1].place : 0,
		.caller_end = called ? frames[runtime + 1].cfa : 0};
}

/* Caches a context in place of the oldest one of the set. */
static void keep(struct home home, const struct context *context, const struct heddle_captured *result,
	const struct heddle_frame *frames, const struct heddle_walked *walked)
{
	home.set->newest = *home.last = (home.set->newest + 1) % HEDDLE_CAPTURE_WAYS;
	struct heddle_capture *capture = &home.set->ways[*home.last];
	capture->key = (struct heddle_capture_key){.caller = *context->caller,
		.bounds = *context->caller->bounds,
		.base = context->base,
		.innermost = context->innermost,
		.opened_at = context->opened_at,
		.version = context->version};
	capture->key.caller.bounds = NULL;
	capture->result = *result;
	remember(capture, frames, walked->count, walked->end);
}

static inline struct context context_of(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, uint64_t opened_at)
{
	return (struct context){.caller = caller,
		.base = base,
		.innermost = heddle__current_node(thread),
		.opened_at = opened_at,
		.version = heddle__modules_version()};
}

/*
 * Handles a context that is not the one that its call had last. Not inline: the fast path then needs fewer registers,
 * and for the same reason the set is determined again here.
 */
__attribute__((noinline)) static const struct heddle_captured *find_or_walk(struct heddle_thread *thread,
	const struct heddle_caller *caller, uint32_t base, uint64_t opened_at, struct heddle_captured *room)
{
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	const struct context context = context_of(thread, caller, base, opened_at);
	const struct home home = home_of(sampler, caller);
	struct heddle_walked walked;
	const struct heddle_capture *known = home.set ? find_other(home, &context) : NULL;
	if (known)
		return &known->result;
	*room = walk_path(thread, sampler, caller, base, &walked);
	if (home.set)
		keep(home, &context, room, sampler->frames, &walked);
	return room;
}

/* Tries the call's last context first, which loops repeat. */
const struct heddle_captured *heddle__capture_path(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, struct heddle_captured *room)
{
	struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
	if (HEDDLE_UNLIKELY(!sampler)) {
		*room = (struct heddle_captured){.node = base};
		return room;
	}
	const struct context context = context_of(thread, caller, base, phases_opened_at(thread));
	const struct home home = home_of(sampler, caller);
	const struct heddle_capture *last = home.set ? &home.set->ways[*home.last] : NULL;
	if (HEDDLE_LIKELY(last && holds(last, &context)))
		return &last->result;
	return find_or_walk(thread, caller, base, context.opened_at, room);
}
