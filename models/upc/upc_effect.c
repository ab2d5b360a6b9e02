/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes bytes, affinity and sizes of UPC events from their arguments. */
#include "models/upc/upc_effect.h"

#include <limits.h>

#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/trace.h"
#include "heddle/gasp_upc.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_vocabulary.h"

/* ---- upcalls: the thread is inside, so events that they bring about are not taken ---- */

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

/* The thread that the pointer points to; -1: unknown, without a bridge. */
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

/* ---- sizes ---- */

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

/* Whether no thread returns from the collective before all have called it; by UPC's library, if the flags are 0. */
static bool meets(int flags)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	if (flags == 0)
		return true;
	return bridge && bridge->in_nosync && bridge->out_nosync &&
	       !((flags & bridge->in_nosync) && (flags & bridge->out_nosync));
}

static void record_meeting(const struct heddle_upc_arguments *arguments)
{
	struct heddle_thread *thread = HEDDLE_UNLIKELY(heddle__tracing) ? heddle__thread_self() : NULL;
	if (thread && heddle__is_traced(thread) && meets(arguments->flags))
		heddle__trace_attribute(thread, HEDDLE_TRACE_MEETS, 1);
}

/* The calling thread's share of a collective, as the UPC library defines it; of one thread if THREADS is unknown. */
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

static void move_access(
	enum heddle_upc_effect effect, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments)
{
	size_t size = arguments->size;
	if (effect != HEDDLE_UPC_EFFECT_PUT)
		access_side(slot, 0, arguments->source, size);
	if (effect != HEDDLE_UPC_EFFECT_GET)
		access_side(slot,
			HEDDLE_TRACE_ACCESS_PUT | (effect != HEDDLE_UPC_EFFECT_PUT ? HEDDLE_TRACE_ACCESS_SECOND : 0),
			arguments->destination, size);
	heddle__slot_distribute(slot, 0, 0, (double)size);
}

void heddle__upc_effect_begin(
	const struct heddle_upc_kind *kind, struct heddle_slot *slot, const struct heddle_upc_arguments *arguments)
{
	switch (kind->effect) {
	case HEDDLE_UPC_EFFECT_GET:
	case HEDDLE_UPC_EFFECT_PUT:
	case HEDDLE_UPC_EFFECT_COPY:
		move_access(kind->effect, slot, arguments);
		break;
	case HEDDLE_UPC_EFFECT_CACHE:
		heddle__distribute(slot, 0, 0, (double)arguments->size);
		break;
	case HEDDLE_UPC_EFFECT_BROADCAST:
	case HEDDLE_UPC_EFFECT_GATHER:
	case HEDDLE_UPC_EFFECT_GATHER_ALL:
	case HEDDLE_UPC_EFFECT_EXCHANGE:
	case HEDDLE_UPC_EFFECT_PERMUTE:
	case HEDDLE_UPC_EFFECT_REDUCE:
		record_meeting(arguments);
		move_collective(kind->effect, slot, arguments);
		break;
	default:
		break;
	}
}

/* ---- accesses that do not block ---- */

static enum heddle_upc_direction direction_of(const struct heddle_upc_kind *kind)
{
	if (kind == &heddle__upc_kinds[HEDDLE_UPC_NB_GET_DATA] || kind->effect == HEDDLE_UPC_EFFECT_GET)
		return HEDDLE_UPC_IS_GET;
	if (kind == &heddle__upc_kinds[HEDDLE_UPC_NB_PUT_DATA] || kind->effect == HEDDLE_UPC_EFFECT_PUT)
		return HEDDLE_UPC_IS_PUT;
	return HEDDLE_UPC_IS_EITHER;
}

static bool is_trivial(const void *handle)
{
	return handle == heddle__upc_vocabulary.nb_trivial[0] || handle == heddle__upc_vocabulary.nb_trivial[1];
}

static bool has_handle(const struct heddle_upc_kind *kind)
{
	return *kind->more == 'h' || *kind->arguments == 'h';
}

void heddle__upc_effect_initiate(struct heddle_thread *thread, const struct heddle_upc_kind *kind)
{
	struct heddle_upc_handles *handles = *kind->more == 'h' ? heddle__upc_handles_of(thread) : NULL;
	if (handles)
		heddle__upc_handle_initiate(handles);
}

void heddle__upc_effect_arrived(const struct heddle_upc_kind *kind, const void *handle)
{
	if (!is_trivial(handle))
		heddle__upc_arrival_post(handle, direction_of(kind), heddle__measured_ticks());
}

static void follow_handle(struct heddle_thread *thread, const struct heddle_upc_kind *kind, struct heddle_slot *slot,
	const struct heddle_upc_arguments *arguments)
{
	uint64_t now = heddle__thread_ticks();
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	if (!handles || is_trivial(arguments->handle))
		return;
	if (kind->effect == HEDDLE_UPC_EFFECT_ARRIVE) {
		if (!heddle__upc_handle_arrive(handles, arguments->handle, direction_of(kind), now))
			heddle__upc_effect_arrived(kind, arguments->handle);
	} else if (kind->effect != HEDDLE_UPC_EFFECT_SYNC) {
		heddle__upc_handle_begin(handles, arguments->handle, direction_of(kind), slot, now);
	} else if (*kind->more != 'R' || arguments->result) {
		heddle__upc_handle_end(handles, arguments->handle, now);
	}
}

void heddle__upc_effect_follow(
	struct heddle_thread *thread, const struct heddle_upc_kind *kind, const struct heddle_upc_arguments *arguments)
{
	follow_handle(thread, kind, NULL, arguments);
}

/* ---- allocations ---- */

/*
 * Whether the End of a standard function tells of a new block. A failure has no pointer; GASP 1.3's realloc never has
 * one, but size 0 after a failure. With size 0, realloc frees.
 */
static bool is_block(const struct heddle_upc_kind *kind, const struct heddle_upc_arguments *arguments)
{
	bool resized = kind == &heddle__upc_kinds[HEDDLE_UPC_C_REALLOC];
	return arguments->private_side && (arguments->size || !resized);
}

/* The result of an allocation is a null pointer if there was no room. Without a bridge nothing is known of it. */
static bool is_null(const void *pointer)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	return !pointer || (bridge && bridge->addrfield && !bridge->addrfield(pointer));
}

static void count_memory(
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

void heddle__upc_effect_end(struct heddle_thread *thread, const struct heddle_upc_kind *kind, struct heddle_slot *slot,
	const struct heddle_upc_arguments *arguments)
{
	if (has_handle(kind)) {
		/* A trivial handle is none: the access is complete, and nothing will wait for it. */
		if (heddle__is_traced(thread) && !is_trivial(arguments->handle))
			heddle__trace_attribute(thread, HEDDLE_TRACE_HANDLE, (uintptr_t)arguments->handle);
		follow_handle(thread, kind, slot, arguments);
		return;
	}
	if (slot)
		count_memory(kind, slot, arguments);
}
