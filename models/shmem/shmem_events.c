/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns the calls that libheddle-shmem.so reports into regions below the caller's path, and their accesses into
 * metrics and rows of partners, as those of UPC programs are. Which function a call is, is only an event here.
 */
#include "models/shmem/shmem_events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#include "core/base/likely.h"
#include "core/base/memory.h"
#include "core/base/process_info.h"
#include "core/base/settings.h"
#include "core/host/host_functions.h"
#include "core/process/library_calls.h"
#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/partners.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "core/threads/trace.h"
#include "models/shmem/shmem_calls.h"

/* Accesses of one region that do not block, and were not completed yet. */
struct pending {
	struct heddle_slot *slot;
	uintptr_t context;
	uint64_t count, begun; /* the sum of the measured ticks at which they began */
};

/* The state of a thread. It follows at most PENDING places with accesses under way; more at once are rare. */
#define PENDING 64u
struct state {
	struct heddle_partner *partner; /* of the last access; NULL: none yet */
	uint32_t pending_count;
	struct pending pending[PENDING];
};

static bool wanted;
static unsigned int own_index;

static struct state *state_of(struct heddle_thread *thread)
{
	struct state *state = thread->frontend[own_index];
	if (HEDDLE_UNLIKELY(!state))
		thread->frontend[own_index] = state = heddle__alloc(sizeof(*state));
	return state;
}

/* ---- accesses ---- */

static struct heddle_partner *partner_of(
	struct heddle_thread *thread, struct state *state, const struct heddle_shmem_call *call)
{
	struct heddle_partner *last = state ? state->partner : NULL;
	if (HEDDLE_LIKELY(last && last->owner == (uint32_t)call->pe && last->variable == call->variable))
		return last;
	last = heddle__partner_find(&thread->partners, call->variable, (uint32_t)call->pe);
	if (state && last)
		state->partner = last;
	return last;
}

static void count_side(struct heddle_slot *slot, enum heddle_trace_side side, uint64_t bytes)
{
	if (side == HEDDLE_TRACE_LOCAL) {
		heddle__slot_add(slot, HEDDLE_METRIC_LOCAL, 1);
	} else if (side == HEDDLE_TRACE_SAME_NODE) {
		heddle__slot_add(slot, HEDDLE_METRIC_SAME_NODE, 1);
		heddle__slot_add(slot, HEDDLE_METRIC_SAME_NODE_BYTES, bytes);
	} else {
		heddle__slot_add(slot, HEDDLE_METRIC_REMOTE, 1);
		heddle__slot_add(slot, HEDDLE_METRIC_REMOTE_BYTES, bytes);
	}
}

/* An atomic operation that returns a value is a get; the bytes that it puts are an ADD in a trace. */
static void count_bytes(struct heddle_thread *thread, const struct heddle_shmem_call *call)
{
	struct heddle_slot *slot = call->slot;
	bool gets = call->ways & HEDDLE_SHMEM_GETS, both = gets && call->ways & HEDDLE_SHMEM_PUTS;
	bool later = call->ways & HEDDLE_SHMEM_LATER;
	count_side(slot, call->side, call->size);
	heddle__slot_add(slot, gets ? HEDDLE_METRIC_BYTES_GOT : HEDDLE_METRIC_BYTES_PUT, call->size);
	heddle__slot_distribute(slot, 0, 0, (double)call->size);
	if (heddle__is_traced(thread))
		heddle__record_access(thread, slot->node,
			(gets ? 0 : HEDDLE_TRACE_ACCESS_PUT) | (later ? HEDDLE_TRACE_ACCESS_LATER : 0) |
				(uint32_t)call->side << 1,
			call->pe, call->size);
	if (both)
		heddle__add(slot, HEDDLE_METRIC_BYTES_PUT, call->size);
}

static void count_partner(struct heddle_partner *partner, const struct heddle_shmem_call *call)
{
	bool gets = call->ways & HEDDLE_SHMEM_GETS;
	partner->side = call->side;
	partner->gets += gets;
	partner->puts += !gets;
	if (gets)
		partner->bytes_got += call->size;
	if (call->ways & HEDDLE_SHMEM_PUTS)
		partner->bytes_put += call->size;
}

/* ---- accesses that do not block ---- */

static void follow(struct state *state, const struct heddle_shmem_call *call)
{
	struct pending *at = state->pending, *end = at + state->pending_count;
	while (at < end && (at->slot != call->slot || at->context != call->context))
		at++;
	if (at == end) {
		if (state->pending_count == PENDING)
			return;
		state->pending_count++;
		*at = (struct pending){call->slot, call->context, 0, 0};
	}
	at->count++;
	at->begun += call->begun;
}

/* Completes all accesses of the context. Their flight time is charged to the place where each began. */
static void complete(struct state *state, uintptr_t context, uint64_t now)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < state->pending_count; i++) {
		const struct pending *at = &state->pending[i];
		uint64_t flight = at->count * now - at->begun; /* correct even if the terms overflow */
		if (at->context != context)
			state->pending[kept++] = *at;
		else if ((int64_t)flight > 0)
			heddle__add(at->slot, HEDDLE_METRIC_FLIGHT_TIME, flight);
	}
	state->pending_count = kept;
}

/* ---- calls ---- */

static bool wants_variables(void)
{
	return heddle__setting_number(HEDDLE_SETTING_ACCESSES) != 0;
}

static void record_begin(struct heddle_thread *thread, const struct heddle_shmem_call *call)
{
	if (call->lock)
		heddle__record_lock(thread, call->lock);
	if (call->context)
		heddle__trace_attribute(thread, HEDDLE_TRACE_CONTEXT, call->context);
	heddle__library_record_meeting(thread, call->group, call->root, 0, call->meets_all);
}

static void open_region(struct heddle_thread *thread, struct heddle_shmem_call *call)
{
	struct heddle_library_place found = heddle__library_caller(thread, &call->from);
	call->slot = call->variable
			     ? heddle__access_region_begin_below(
				       thread, call->event, found.node, found.place, call->from.sp, call->variable - 1)
			     : heddle__region_begin_below(thread, call->event, found.node, found.place, call->from.sp);
	call->opened = true;
	call->begun = thread->last_ticks;
	if (heddle__is_traced(thread))
		record_begin(thread, call);
}

static void count_access(struct heddle_thread *thread, struct heddle_shmem_call *call)
{
	struct state *state = state_of(thread);
	call->partner = partner_of(thread, state, call);
	count_bytes(thread, call);
	if (call->partner)
		count_partner(call->partner, call);
	if (state && call->ways & HEDDLE_SHMEM_LATER)
		follow(state, call);
}

static void begin(struct heddle_shmem_call *call)
{
	int saved = errno;
	struct heddle_thread *thread = call->event->selected ? heddle__thread_enter() : NULL;
	call->opened = false;
	call->slot = NULL;
	call->partner = NULL;
	call->described = 0;
	if (thread && heddle__is_counting(thread)) {
		open_region(thread, call);
		if (call->slot && call->pe >= 0)
			count_access(thread, call);
	}
	if (thread)
		heddle__leave(thread);
	errno = saved;
}

static void add_metric(struct heddle_slot *slot, enum heddle_metric metric, uint64_t amount)
{
	if (amount)
		heddle__add(slot, metric, amount);
}

/*
 * Describes memory by a hash of the path that allocated it, whose place the reader finds. Without samples there is no
 * path.
 */
static uint32_t describe(uint32_t node, const struct heddle_event *event)
{
	char text[128];
	uint64_t hash = 0;
	for (uint32_t at = node; at; at = heddle__tree_node(at)->parent) {
		const struct heddle_node *it = heddle__tree_node(at);
		if (HEDDLE_META_KIND(it->meta) == HEDDLE_NODE_FRAME)
			hash = heddle__path_tag_step(hash, it->place);
	}
	if (!hash)
		return 0;
	snprintf(text, sizeof(text), "\t%s\t0\t0\t0\t\t\t%08" PRIx32, event->name, heddle__path_tag(hash));
	return heddle__library_text(text);
}

static void count_moved(struct heddle_slot *slot, const struct heddle_shmem_call *call)
{
	add_metric(slot, HEDDLE_METRIC_SHARED_BYTES, call->allocated);
	add_metric(slot, HEDDLE_METRIC_BYTES_GOT, call->bytes_got);
	add_metric(slot, HEDDLE_METRIC_BYTES_PUT, call->bytes_put);
	if (call->moves)
		heddle__distribute(slot, 0, 0, (double)call->size);
}

static void end(struct heddle_shmem_call *call)
{
	int saved = errno;
	uint64_t now = heddle__measured_ticks();
	struct heddle_thread *thread = call->opened ? heddle__thread_enter() : NULL;
	if (!thread)
		return;
	if (call->slot)
		count_moved(call->slot, call); /* in a trace, within the region */
	struct heddle_slot *slot = heddle__region_pop_at(thread, call->event, now);
	call->described = slot && call->allocated && wants_variables() ? describe(slot->node, call->event) : 0;
	if (call->lock && call->locked)
		heddle__record_lock(thread, call->lock);
	if (slot && call->partner && now > call->begun)
		call->partner->ticks += now - call->begun;
	struct state *state = call->completes ? thread->frontend[own_index] : NULL;
	if (state)
		complete(state, call->context, now);
	heddle__leave(thread);
	errno = saved;
}

/* ---- the process ---- */

/* A library that is built on MPI may have made the process a rank of MPI before; the PE replaces that rank. */
static void ranks(uint32_t pe, uint32_t number)
{
	heddle__library_ranks(&heddle__shmem_model, pe, number, true);
}

static void end_process(void)
{
	heddle__finish("shmem_global_exit");
}

HEDDLE_EXPORT const struct heddle_shmem_interface *heddle_shmem_attach(
	unsigned int version, struct heddle_event *events, unsigned int number)
{
	static const struct heddle_shmem_interface interface = {begin, end, heddle__library_count, ranks,
		wants_variables, heddle__library_text, heddle__library_control, end_process};
	bool measured = heddle__start();
	if (!measured || !wanted || version != HEDDLE_SHMEM_INTERFACE)
		return NULL;
	if (!heddle__library_attach(events, number))
		return NULL;
	return &interface;
}

int heddle__shmem_init(unsigned int index)
{
	own_index = index;
	wanted = heddle__setting_lists(HEDDLE_SETTING_MODELS, "shmem");
	return 0;
}

void heddle__shmem_finish(void)
{
	wanted = false;
}

/* A child is no PE, and may not call OpenSHMEM. */
void heddle__shmem_after_fork(void)
{
	struct heddle_thread *self = heddle__thread_self();
	heddle__library_forget_rank(&heddle__shmem_model);
	if (self)
		self->frontend[own_index] = NULL; /* accesses of the parent */
}
