/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes bytes, affinity and sizes of UPC events from their arguments, and counts them. */
#include "models/upc/upc_effect.h"

#include <limits.h>

#include "core/threads/region.h"
#include "core/threads/trace.h"
#include "heddle/gasp_upc.h"
#include "models/upc/upc_vocabulary.h"

/* ---- upcalls: the thread is inside, so events that they cause are ignored ---- */

int heddle__upc_mythread(void)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	return bridge && bridge->mythread ? bridge->mythread() : -1;
}

static int threads_of_program(void)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	return bridge && bridge->threads ? bridge->threads() : 0;
}

static bool is_same_node(const struct heddle_upc_bridge *bridge, int one, size_t other)
{
	if (!bridge->node_of || other > INT_MAX)
		return false;
	int node = bridge->node_of(one);
	return node >= 0 && node == bridge->node_of((int)other);
}

/* Returns the thread that owns the memory that the pointer points to; -1: unknown, without a bridge. */
static int64_t owner_of(const void *pointer)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	if (!bridge || !bridge->threadof || !bridge->mythread || !pointer)
		return -1;
	return (int64_t)bridge->threadof(pointer);
}

static inline enum heddle_trace_side side_of(int64_t owner)
{
	if (owner < 0)
		return HEDDLE_TRACE_ANYWHERE;
	int self = heddle__upc_mythread();
	if (owner == self)
		return HEDDLE_TRACE_LOCAL;
	return is_same_node(heddle__upc_vocabulary.bridge, self, (size_t)owner) ? HEDDLE_TRACE_SAME_NODE
										: HEDDLE_TRACE_REMOTE;
}

static void count_side(struct heddle_slot *slot, enum heddle_trace_side side, size_t size)
{
	if (side == HEDDLE_TRACE_LOCAL) {
		heddle__slot_add(slot, HEDDLE_METRIC_LOCAL, 1);
	} else if (side == HEDDLE_TRACE_SAME_NODE) {
		heddle__slot_add(slot, HEDDLE_METRIC_SAME_NODE, 1);
		heddle__slot_add(slot, HEDDLE_METRIC_SAME_NODE_BYTES, size);
	} else if (side == HEDDLE_TRACE_REMOTE) {
		heddle__slot_add(slot, HEDDLE_METRIC_REMOTE, 1);
		heddle__slot_add(slot, HEDDLE_METRIC_REMOTE_BYTES, size);
	}
}

static inline void count_access(
	struct heddle_slot *slot, uint32_t access, int64_t owner, enum heddle_trace_side side, size_t size)
{
	count_side(slot, side, size);
	if (size)
		heddle__slot_add(slot,
			access & HEDDLE_TRACE_ACCESS_PUT ? HEDDLE_METRIC_BYTES_PUT : HEDDLE_METRIC_BYTES_GOT, size);
	struct heddle_thread *thread = HEDDLE_UNLIKELY(heddle__tracing) ? heddle__thread_self() : NULL;
	if (thread && heddle__is_traced(thread)) {
		heddle__record_access(thread, slot->node, access | (uint32_t)side << 1, owner, size);
	}
}

static void access_side(struct heddle_slot *slot, uint32_t access, const void *pointer, size_t size)
{
	int64_t owner = owner_of(pointer);
	count_access(slot, access, owner, side_of(owner), size);
}

enum heddle_trace_side heddle__upc_side_of(int64_t owner)
{
	return side_of(owner);
}

void heddle__upc_count_access(
	struct heddle_slot *slot, uint32_t access, int64_t owner, enum heddle_trace_side side, size_t size)
{
	count_access(slot, access, owner, side, size);
}

/* ---- accesses, caches ---- */

static void decode(struct heddle_upc_notice *notice, struct heddle_upc_arguments *arguments)
{
	heddle__upc_decode(notice->kind, notice->type != GASP_START, &notice->list, arguments);
}

void heddle__upc_measure_access(
	const struct heddle_upc_kind *kind, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments)
{
	bool gets = kind->effect != HEDDLE_UPC_EFFECT_PUT, puts = kind->effect != HEDDLE_UPC_EFFECT_GET;
	if (gets)
		access_side(slot, 0, arguments->source, arguments->size);
	if (puts)
		access_side(slot, HEDDLE_TRACE_ACCESS_PUT | (gets ? HEDDLE_TRACE_ACCESS_SECOND : 0),
			arguments->destination, arguments->size);
	heddle__slot_distribute(slot, 0, 0, (double)arguments->size);
}

void heddle__upc_access_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	struct heddle_slot *slot = heddle__upc_begin(thread, notice);
	if (slot)
		heddle__upc_measure_access(notice->kind, slot, &arguments);
}

void heddle__upc_access_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	struct heddle_slot *slot = heddle__upc_count(thread, notice);
	if (slot)
		heddle__upc_measure_access(notice->kind, slot, &arguments);
}

static void measure_cache(struct heddle_upc_notice *notice, struct heddle_slot *slot)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	if (slot)
		heddle__distribute(slot, 0, 0, (double)arguments.size);
}

void heddle__upc_cache_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	measure_cache(notice, heddle__upc_begin(thread, notice));
}

void heddle__upc_cache_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	measure_cache(notice, heddle__upc_count(thread, notice));
}

/* ---- collectives ---- */

static void move(struct heddle_slot *slot, size_t got, size_t put)
{
	if (got)
		heddle__add(slot, HEDDLE_METRIC_BYTES_GOT, got);
	if (put)
		heddle__add(slot, HEDDLE_METRIC_BYTES_PUT, put);
}

static size_t reduced_size(int type)
{
	static const uint8_t sizes[] = {
		[GASP_UPC_REDUCTION_C] = sizeof(char),
		[GASP_UPC_REDUCTION_UC] = sizeof(char),
		[GASP_UPC_REDUCTION_S] = sizeof(short),
		[GASP_UPC_REDUCTION_US] = sizeof(short),
		[GASP_UPC_REDUCTION_I] = sizeof(int),
		[GASP_UPC_REDUCTION_UI] = sizeof(int),
		[GASP_UPC_REDUCTION_L] = sizeof(long),
		[GASP_UPC_REDUCTION_UL] = sizeof(long),
		[GASP_UPC_REDUCTION_F] = sizeof(float),
		[GASP_UPC_REDUCTION_D] = sizeof(double),
		[GASP_UPC_REDUCTION_LD] = sizeof(long double),
	};
	return type >= 0 && type <= GASP_UPC_REDUCTION_LD ? sizes[type] : 0;
}

/*
 * True if no thread returns from the collective before all have called it, which holds in UPC's library if the flags
 * are 0.
 */
static bool meets(int flags)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	if (flags == 0)
		return true;
	return bridge && bridge->in_nosync && bridge->out_nosync &&
	       !((flags & bridge->in_nosync) && (flags & bridge->out_nosync));
}

static void record_meeting(struct heddle_thread *thread, const struct heddle_upc_arguments *arguments)
{
	if (heddle__is_traced(thread) && meets(arguments->flags))
		heddle__trace_attribute(thread, HEDDLE_TRACE_MEETS, 1);
}

/*
 * Counts the calling thread's share of a collective, as the UPC library defines it; if THREADS is unknown, as for one
 * thread.
 */
static void move_collective(
	enum heddle_upc_effect effect, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments)
{
	int answer = threads_of_program();
	size_t threads = answer > 1 ? (size_t)answer : 1, size = arguments->size;
	switch (effect) {
	case HEDDLE_UPC_EFFECT_BROADCAST:
		move(slot, size, 0);
		break;
	case HEDDLE_UPC_EFFECT_GATHER:
		move(slot, 0, size);
		break;
	case HEDDLE_UPC_EFFECT_GATHER_ALL:
		move(slot, size * threads, size);
		break;
	case HEDDLE_UPC_EFFECT_EXCHANGE:
		move(slot, size * threads, size * threads);
		break;
	case HEDDLE_UPC_EFFECT_PERMUTE:
		move(slot, size, size);
		break;
	default: /* a reduction */
		size = reduced_size(arguments->type) * arguments->elements;
		move(slot, 0, size / threads);
	}
	heddle__distribute(slot, 0, 0, (double)size);
}

static void measure_collective(struct heddle_thread *thread, struct heddle_upc_notice *notice, struct heddle_slot *slot)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	if (!slot)
		return;
	record_meeting(thread, &arguments);
	move_collective((enum heddle_upc_effect)notice->kind->effect, slot, &arguments);
}

void heddle__upc_collective_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	measure_collective(thread, notice, heddle__upc_begin(thread, notice));
}

void heddle__upc_collective_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	measure_collective(thread, notice, heddle__upc_count(thread, notice));
}

/* ---- allocations ---- */

/*
 * True if the End of a standard function reports a new block. A failed call reports no pointer; GASP 1.3's realloc
 * never reports one, but size 0 after a failure. With size 0, realloc frees.
 */
static bool is_block(const struct heddle_upc_kind *kind, const struct heddle_upc_arguments *arguments)
{
	bool resized = kind == &heddle__upc_kinds[HEDDLE_UPC_C_REALLOC];
	return arguments->private_side && (arguments->size || !resized);
}

/* True if an allocation failed: its result is a null pointer. Without a bridge, only NULL itself is recognized. */
static bool is_null(const void *pointer)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	return !pointer || (bridge && bridge->addrfield && !bridge->addrfield(pointer));
}

void heddle__upc_measure_memory(
	const struct heddle_upc_kind *kind, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments)
{
	bool shared = kind->effect >= HEDDLE_UPC_EFFECT_SHARED && kind->effect <= HEDDLE_UPC_EFFECT_SHARED_ONCE;
	if (kind->effect == HEDDLE_UPC_EFFECT_ALLOCATE && is_block(kind, arguments)) {
		heddle__add(slot, HEDDLE_METRIC_ALLOCATIONS, 1);
		heddle__distribute(slot, 0, 0, (double)arguments->size);
	}
	if (!shared || is_null(arguments->destination))
		return;
	if (kind->effect == HEDDLE_UPC_EFFECT_SHARED)
		heddle__add(slot, HEDDLE_METRIC_SHARED_BYTES, arguments->size);
	else if (kind->effect == HEDDLE_UPC_EFFECT_SHARED_BLOCKS ||
		 (kind->effect == HEDDLE_UPC_EFFECT_SHARED_ONCE && heddle__upc_mythread() <= 0))
		heddle__add(slot, HEDDLE_METRIC_SHARED_BYTES, arguments->size * arguments->blocks);
}

static void measure_allocation(struct heddle_upc_notice *notice, struct heddle_slot *slot)
{
	struct heddle_upc_arguments arguments;
	decode(notice, &arguments);
	if (slot)
		heddle__upc_measure_memory(notice->kind, slot, &arguments);
}

void heddle__upc_allocation_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	measure_allocation(notice, heddle__region_pop(thread, notice->kind->event));
}

void heddle__upc_allocation_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	measure_allocation(notice, heddle__upc_count(thread, notice));
}
