/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shadow stack of a thread: its open regions, the innermost one last. Tasks are entries, too: entries above a
 * task's were opened by that task. This code stores and finds entries; it must not read a clock, count a visit, or look
 * up a node or a slot (core/threads/region.h does).
 *
 * Only the owner and its signal handlers change a stack; the writer reads it while measurement is frozen. An entry is
 * filled in before it is pushed, so that a signal handler in between sees the stack without it.
 */
#ifndef HEDDLE_CORE_SHADOW_STACK_H
#define HEDDLE_CORE_SHADOW_STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/ids.h"

#define HEDDLE_FIRST_REGIONS 128
#define HEDDLE_REGION_LIMIT (1u << 17)

struct heddle_slot;

/* What opened a region; determines the members of its entry beyond the common ones. */
enum heddle_region_kind {
	HEDDLE_KIND_EVENT,      /* an event; `source_line` while deferred, otherwise only the common members */
	HEDDLE_KIND_REPORTED,   /* an event whose opener is known: `opener` */
	HEDDLE_KIND_WAIT,       /* a wait in a run-time system, which returns to the code that called it: `wait` */
	HEDDLE_KIND_BLOCK,      /* a block of code whose procedure is known: `block` */
	HEDDLE_KIND_LOCK,       /* a lock was acquired and is held: `lock` */
	HEDDLE_KIND_PHASE,      /* the program: `opener` */
	HEDDLE_KIND_ACTIVATION, /* a function began: `activation` */
	HEDDLE_KIND_TASK,       /* a task began to run: `task`, and `owner` for `place` */
};

/* Regions are only pushed while control is off: what their `place` contains until they are resolved. */
enum heddle_deferred { HEDDLE_DEFERRED_NOT, HEDDLE_DEFERRED_PLACE, HEDDLE_DEFERRED_SOURCE };

/* The call of the function that opened a region. The region may stay open after that function returns. */
struct heddle_opener {
	uint64_t caller_place; /* of the call; 0: unknown, and so is `caller_end` */
	uintptr_t caller_end;  /* the upper end of the caller's frame */
};

/* An open region. All members of an entry's `kind` are always set. */
struct heddle_region {
	uint32_t meta; /* as in its node */
	uint32_t node;
	struct heddle_slot *slot; /* charged elapsed time while this is innermost; NULL: samples account for it */
	uintptr_t cfa;            /* stack address at which it was opened, for interleaving with frames; 0: unknown */
	union {
		uint64_t place;    /* where it was opened */
		const void *owner; /* TASK: model's data, beginning with a struct heddle_group; or NULL */
	};
	union {
		uint32_t source_line;
		struct heddle_opener opener;
		struct {
			uintptr_t frame_end; /* of the code that called the run-time system; 0: unknown */
			struct heddle_opener opener;
		} wait;
		struct {
			uint64_t code_place;   /* where the procedure's code begins */
			uint64_t caller_place; /* of the procedure's call; 0: unknown */
			uint32_t code_size;    /* bytes of the procedure's code */
		} block;
		struct {
			struct heddle_opener opener;
			uint32_t name; /* heddle__lock_name of its id */
		} lock;
		struct {
			uint64_t function; /* as in struct heddle_activation */
			uint64_t return_address;
			uint64_t event_address;
		} activation;
		struct {
			uint64_t name;
			uintptr_t boundary; /* where the task's frames end, according to its model; 0: not asked yet */
			uint32_t below;     /* the entry of the previous current task, as in `task` of the stack */
			uint32_t depth;     /* of the stack pointer of its caller, in words; 0: unknown */
		} task;
	};
	uint8_t kind;     /* enum heddle_region_kind */
	uint8_t state;    /* enum heddle_state of time spent in it */
	uint8_t deferred; /* enum heddle_deferred; unless NOT, `node` is UINT32_MAX and `slot` NULL */
};

_Static_assert(sizeof(void *) != 8 || sizeof(struct heddle_region) == 64, "an entry fits a cache line");

struct heddle_shadow_stack {
	struct heddle_region
		*regions;    /* the first block, or a larger one; older blocks are not freed, as others may read them */
	uint32_t depth;      /* open regions */
	uint32_t task;       /* index + 1 of the current task; 0: none */
	uint32_t lost_depth; /* open regions beyond HEDDLE_REGION_LIMIT, which have no entry */
	uint32_t room;       /* entries; the block has one more, for an entry that is lost */
};

/* The number of entries of a block with that room. */
#define HEDDLE_REGION_BLOCK(room) ((room) + 1)

/* Initializes an empty stack in a block of HEDDLE_REGION_BLOCK(room) entries, which the caller owns. Context: owner. */
static inline void heddle__stack_init(struct heddle_shadow_stack *stack, struct heddle_region *regions, uint32_t room)
{
	*stack = (struct heddle_shadow_stack){.regions = regions, .room = room};
}

/* Removes all entries. Context: owner thread, inside. */
static inline void heddle__stack_clear(struct heddle_shadow_stack *stack)
{
	stack->depth = stack->task = stack->lost_depth = 0;
}

/*
 * ---- where a region begins on the thread's own stack ----
 *
 * In a call path, a region comes after the frame that opened it and before the frames called from then on. Its stack
 * address is the last byte of the opener's frame: less than that frame's upper end (its CFA), not less than the CFA of
 * any frame that the opener calls.
 */
static inline uintptr_t heddle__cfa_in_frame(uintptr_t frame_end)
{
	return frame_end - 1;
}

/* True if the region was opened in the frame with that upper end, by the rule above. */
static inline bool heddle__was_opened_in(const struct heddle_region *region, uintptr_t frame_end)
{
	return region->cfa == heddle__cfa_in_frame(frame_end);
}

/* ---- filling in ---- */

/* Sets the members common to all kinds, except node and slot. The caller sets those specific to the kind. */
__attribute__((always_inline)) static inline void heddle__region_set(struct heddle_region *region,
	enum heddle_region_kind kind, uint32_t meta, uint8_t state, uint64_t place, uintptr_t cfa)
{
	region->meta = meta;
	region->cfa = cfa;
	region->place = place;
	region->kind = (uint8_t)kind;
	region->state = state;
	region->deferred = HEDDLE_DEFERRED_NOT;
}

/* Defers the look-up: the entry has only what resolving needs. */
static inline void heddle__region_defer(struct heddle_region *region, enum heddle_deferred how)
{
	region->node = UINT32_MAX;
	region->slot = NULL;
	region->deferred = (uint8_t)how;
}

/* ---- pushing and popping ---- */

static inline bool heddle__stack_has_room(const struct heddle_shadow_stack *stack)
{
	return stack->depth < stack->room;
}

/*
 * Returns the entry that the next push makes innermost, to be filled in place: copying a newly written one stalls the
 * processor. Without room, it is an entry that will be lost. Context: owner thread, inside.
 */
static inline struct heddle_region *heddle__stack_next(struct heddle_shadow_stack *stack)
{
	struct heddle_region *regions = stack->regions;
	if (!regions)
		__builtin_unreachable();
	return &regions[stack->depth];
}

/* Pushes that entry, which must be complete. There must be room. Context: owner thread, inside. */
static inline void heddle__stack_push(struct heddle_shadow_stack *stack)
{
	atomic_signal_fence(memory_order_seq_cst);
	stack->depth++;
}

/* Pushes that entry as the current task. */
static inline void heddle__stack_push_task(struct heddle_shadow_stack *stack)
{
	atomic_signal_fence(memory_order_seq_cst);
	stack->task = ++stack->depth;
}

/* Pops the innermost entry, not a task's; none may be lost. Context: owner thread, inside. */
static inline void heddle__stack_pop(struct heddle_shadow_stack *stack)
{
	stack->depth--;
}

/* Pops the current task and its open regions. Context: owner thread, inside. */
static inline void heddle__stack_pop_task(struct heddle_shadow_stack *stack)
{
	uint32_t left = stack->task - 1;
	stack->task = stack->regions[left].task.below;
	stack->depth = left;
}

/* Pops the open regions of the current task. Context: owner thread, inside. */
static inline void heddle__stack_pop_to_task(struct heddle_shadow_stack *stack)
{
	atomic_signal_fence(memory_order_seq_cst);
	stack->depth = stack->task;
}

/* Pops all entries from index `depth` on, and those lost. Context: owner thread, inside. */
void heddle__stack_pop_to(struct heddle_shadow_stack *stack, uint32_t depth);

/* Doubles the room. False: no memory, or the limit is reached. Context: owner thread, inside. */
bool heddle__stack_grow(struct heddle_shadow_stack *stack);

/* Removes one entry; those above it stay open. Context: owner thread, inside. */
void heddle__stack_take_out(struct heddle_shadow_stack *stack, uint32_t index);

/* Returns the number of entries above `index` that stay open when it is removed. Context: owner thread, inside. */
uint32_t heddle__stack_staying(
	const struct heddle_shadow_stack *stack, uint32_t index, bool (*stays)(const struct heddle_region *));

/*
 * Removes the entry at `index` and those above it, except those that stay; no task may be among them. Those that stay
 * are now open in the surrounding code, in a frame that begins at `cfa` (0: in their own opener's). Context: owner
 * thread, inside.
 */
void heddle__stack_take_out_but(
	struct heddle_shadow_stack *stack, uint32_t index, uintptr_t cfa, bool (*stays)(const struct heddle_region *));

/* ---- finding: context owner thread, signal ---- */

static inline uint32_t heddle__open_count(const struct heddle_shadow_stack *stack)
{
	return stack->depth;
}

/* The entry with that index; 0: the outermost. */
static inline struct heddle_region *heddle__region_at(const struct heddle_shadow_stack *stack, uint32_t index)
{
	struct heddle_region *regions = stack->regions;
	if (!regions)
		__builtin_unreachable();
	return &regions[index];
}

static inline uint32_t heddle__index_of(const struct heddle_shadow_stack *stack, const struct heddle_region *region)
{
	return (uint32_t)(region - stack->regions);
}

/* The innermost entry, a region or a task; NULL: nothing is open. */
static inline const struct heddle_region *heddle__innermost(const struct heddle_shadow_stack *stack)
{
	return stack->depth ? heddle__region_at(stack, stack->depth - 1) : NULL;
}

/* The innermost open region of the current task, or of the thread if it has no task; NULL: none. */
static inline const struct heddle_region *heddle__innermost_of_task(const struct heddle_shadow_stack *stack)
{
	return stack->depth > stack->task ? heddle__region_at(stack, stack->depth - 1) : NULL;
}

/* The next outer region in the same task; NULL: none. */
static inline const struct heddle_region *heddle__around(
	const struct heddle_shadow_stack *stack, const struct heddle_region *region)
{
	return region > heddle__region_at(stack, stack->task) ? region - 1 : NULL;
}

/* The number of open regions of the current task. */
static inline uint32_t heddle__open_in_task(const struct heddle_shadow_stack *stack)
{
	return stack->depth - stack->task;
}

/*
 * Returns the entry that was popped last, if nothing was pushed since; if several were popped at once, the outermost of
 * them. NULL: the stack is full. Valid until the next push.
 */
static inline const struct heddle_region *heddle__last_popped(const struct heddle_shadow_stack *stack)
{
	return heddle__stack_has_room(stack) ? heddle__region_at(stack, stack->depth) : NULL;
}

/* The entry that was pushed when `depth` entries were open; NULL: it was not pushed, or is lost. */
static inline struct heddle_region *heddle__pushed_at(const struct heddle_shadow_stack *stack, uint32_t depth)
{
	return stack->depth > depth ? heddle__region_at(stack, depth) : NULL;
}

/* The index + 1 of the current task's innermost region with that meta; 0: none. */
static inline uint32_t heddle__find_open(const struct heddle_shadow_stack *stack, uint32_t meta)
{
	uint32_t i = stack->depth;
	while (i > stack->task && heddle__region_at(stack, i - 1)->meta != meta)
		i--;
	return i > stack->task ? i : 0;
}

/* The current task's entry; NULL: there is none. */
static inline struct heddle_region *heddle__current_task(const struct heddle_shadow_stack *stack)
{
	return stack->task ? heddle__region_at(stack, stack->task - 1) : NULL;
}

/* The index + 1 of the entry of the task with that name; 0: not on the stack. */
static inline uint32_t heddle__find_task_index(const struct heddle_shadow_stack *stack, uint64_t name)
{
	uint32_t i = stack->task;
	while (i && heddle__region_at(stack, i - 1)->task.name != name)
		i = heddle__region_at(stack, i - 1)->task.below;
	return i;
}

/* Returns the task's entry, or NULL. */
static inline struct heddle_region *heddle__find_task(const struct heddle_shadow_stack *stack, uint64_t name)
{
	uint32_t found = heddle__find_task_index(stack, name);
	return found ? heddle__region_at(stack, found - 1) : NULL;
}

/*
 * The innermost entry and the current task's, for the writer; NULL: none. While measurement is frozen, the owner still
 * pushes and pops, but nothing is counted. Context: any thread, signal, when frozen.
 */
static inline const struct heddle_region *heddle__seen_innermost(const struct heddle_shadow_stack *stack)
{
	uint32_t depth = __atomic_load_n(&stack->depth, __ATOMIC_ACQUIRE);
	return depth ? &__atomic_load_n(&stack->regions, __ATOMIC_RELAXED)[depth - 1] : NULL;
}

static inline const struct heddle_region *heddle__seen_task(const struct heddle_shadow_stack *stack)
{
	uint32_t task = __atomic_load_n(&stack->task, __ATOMIC_ACQUIRE);
	return task ? &__atomic_load_n(&stack->regions, __ATOMIC_RELAXED)[task - 1] : NULL;
}

/* ---- contents of an entry ---- */

/* The call of the function that opened the region; NULL: unknown. */
static inline const struct heddle_opener *heddle__opener_of(const struct heddle_region *region)
{
	const struct heddle_opener *opener = region->kind == HEDDLE_KIND_LOCK ? &region->lock.opener
					     : region->kind == HEDDLE_KIND_REPORTED || region->kind == HEDDLE_KIND_PHASE
						     ? &region->opener
						     : NULL;
	return opener && opener->caller_place && !region->deferred ? opener : NULL;
}

#endif
