/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What has a begin and an end on one thread: waits, whose time is always measured, and blocks of code.
 */
#include <stdatomic.h>
#include <stddef.h>

#include "core/region.h"
#include "core/thread.h"
#include "models/ompt/ompt_blame.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_quirks.h"

/*
 * Blocks of code that the program ran, not waits. While sampling they begin at a stack address, that of what the frame
 * they are in calls from then on: samples stand below the frame, and below the block. What the runtime does by itself,
 * while another event of its is open, is counted only.
 */
static void begin_block_below(struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent,
	uint64_t place, uintptr_t frame_end)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (frame_end)
		heddle__region_begin_below(thread, event, parent, place, frame_end - 1);
	else if (!thread->off)
		heddle__event_slot(thread, parent, meta, place)->value[HEDDLE_METRIC_VISITS] += heddle__events_count();
}

static void begin_block(struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	if (!heddle__capture) {
		heddle__ompt_begin(thread, event, return_address);
		return;
	}
	struct heddle_captured here = heddle__ompt_here(thread, return_address);
	begin_block_below(thread, event, here.node, heddle__ompt_place(thread, return_address), here.end);
}

/* `event` is NULL when it is not measured. */
static void tell_block(struct heddle_thread *thread, const struct heddle_event *event, ompt_scope_endpoint_t endpoint,
	const void *return_address)
{
	if (!event)
		return;
	if (endpoint == ompt_scope_begin)
		begin_block(thread, event, return_address);
	else if (endpoint == ompt_scope_end)
		heddle__region_end(thread, event);
	else
		heddle__ompt_count_at(thread, event, return_address);
}

static void on_block(struct heddle_thread *thread, const struct heddle_event *event, ompt_scope_endpoint_t endpoint,
	const void *return_address)
{
	if (!thread)
		return;
	heddle__enter(thread);
	tell_block(thread, event, endpoint, return_address);
	heddle__leave(thread);
}

static bool waits(const struct heddle_event *event)
{
	return event->state != HEDDLE_STATE_WORK;
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *return_address);

/* The runtime tells of each barrier's and taskwait's waiting, too: it is asked when the first taskgroup comes. */
static ompt_set_callback_t _Atomic set_later;

static void ask_for_taskgroup_waits(void)
{
	ompt_set_callback_t set_callback = atomic_exchange(&set_later, NULL);
	if (set_callback)
		set_callback(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait);
}

/*
 * No barrier or worksharing construct may be closely nested in these (OpenMP 5.2, section 17.1): when one begins, they
 * are over. LLVM's runtime does not tell the end of a cancelled loop with a dynamic schedule, nor that of a single
 * construct that GCC compiled.
 */
static const struct heddle_event *worksharing(const struct heddle_region *region)
{
	static const enum heddle_ompt_event events[] = {
		HEDDLE_OMPT_LOOP, HEDDLE_OMPT_SECTIONS, HEDDLE_OMPT_SINGLE, HEDDLE_OMPT_WORKSHARE, HEDDLE_OMPT_MASKED};
	for (size_t i = 0; !region->tag && i < sizeof(events) / sizeof(events[0]); i++) {
		const struct heddle_event *event = &heddle__ompt_events[events[i]];
		if (region->meta == HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id))
			return event;
	}
	return NULL;
}

static inline void leave_worksharing(struct heddle_thread *thread)
{
	const struct heddle_event *open;
	while (__builtin_expect(thread->depth > thread->task, 0) && !thread->lost_depth &&
		(open = worksharing(&thread->regions[thread->depth - 1])))
		heddle__region_end(thread, open);
}

/*
 * At the end of a region the team's code has returned, so while sampling, too, nothing is between the region and its
 * last barrier, and the stack need not be walked. That barrier has the region's place, or none on workers.
 */
static const struct heddle_ompt_team *team_at_end(
	struct heddle_thread *thread, ompt_sync_region_t kind, const void *return_address)
{
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	if (!heddle__capture || thread->off || !team || thread->depth != thread->task)
		return NULL;
	if (kind == ompt_sync_region_barrier_implicit_parallel)
		return team;
	if (kind != ompt_sync_region_barrier_implicit)
		return NULL;
	bool at_end = return_address ? heddle__ompt_construct_place(thread, return_address) == team->place
				     : team->creator != thread;
	return at_end ? team : NULL;
}

static void begin_barrier(struct heddle_thread *thread, const struct heddle_event *event, ompt_sync_region_t kind,
	const void *return_address)
{
	leave_worksharing(thread);
	const struct heddle_ompt_team *team = team_at_end(thread, kind, return_address);
	if (team)
		heddle__region_begin_below(thread, event, heddle__task_node(thread), team->place, 0);
	else
		heddle__ompt_begin(thread, event, return_address);
}

/*
 * A worker is told that it leaves its region's last barrier when the next region is forked only; its region is none by
 * then (OpenMP 5.2, section 19.5.2.13). Its task's end comes next, and then the next one's beginning, which does all.
 */
static inline bool leaves_last_barrier(
	const struct heddle_thread *thread, ompt_sync_region_t kind, const ompt_data_t *parallel)
{
	bool is_last = kind == ompt_sync_region_barrier_implicit_parallel || kind == ompt_sync_region_barrier_implicit;
	if (parallel || !is_last || !heddle__is_plain(thread))
		return false;
	struct heddle_ompt_thread *own = heddle__ompt_own(thread);
	const struct heddle_ompt_team *held = heddle__ompt_held(own);
	if (!held || held != heddle__ompt_current_team(thread))
		return false;
	own->leaves = true;
	heddle__ompt_foresee(own);
	return true;
}

/* A wait begins in its task's own code, where one did before. False: nothing was done. */
static inline bool begin_known_wait(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	return thread->depth == thread->task &&
	       heddle__region_begin_known(thread, event, heddle__ompt_site(thread, event, return_address));
}

/* Leaves, too. */
__attribute__((noinline)) static void sync_region(struct heddle_thread *thread, const struct heddle_event *event,
	ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, const void *return_address)
{
	if (!waits(event)) {
		if (__builtin_expect(atomic_load_explicit(&set_later, memory_order_relaxed) != NULL, 0))
			ask_for_taskgroup_waits();
		tell_block(thread, event, endpoint, return_address);
	} else if (endpoint == ompt_scope_begin && event->state == HEDDLE_STATE_BARRIER_WAIT) {
		begin_barrier(thread, event, kind, return_address);
	} else if (endpoint == ompt_scope_begin) {
		heddle__ompt_begin(thread, event, return_address);
	} else if (endpoint == ompt_scope_end && !heddle__ompt_team_has_ended(thread)) {
		heddle__region_end(thread, event);
	}
	heddle__leave(thread);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_sync_events, kind);
	bool done = false;
	(void)task;
	if (!thread || !event || (endpoint == ompt_scope_end && leaves_last_barrier(thread, kind, parallel)))
		return;
	heddle__enter(thread);
	if (HEDDLE_LIKELY(waits(event))) {
		if (endpoint == ompt_scope_begin)
			done = begin_known_wait(thread, event, return_address);
		else if (endpoint == ompt_scope_end && !heddle__ompt_team_has_ended(thread))
			done = heddle__region_end_plain(thread, event);
	}
	if (HEDDLE_LIKELY(done))
		heddle__leave(thread);
	else
		sync_region(thread, event, kind, endpoint, return_address);
}

/*
 * A barrier or a taskwait does nothing but wait: its region has the time, and this is counted; the ends are many and
 * say nothing. A taskgroup runs code, too.
 */
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *return_address)
{
	(void)parallel, (void)task;
	if (endpoint != ompt_scope_begin && kind != ompt_sync_region_taskgroup)
		return;
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_sync_wait_events, kind);
	if (!thread || !event)
		return;
	heddle__enter(thread);
	if (!waits(event))
		heddle__ompt_count(thread, event, 0, NULL);
	else if (endpoint == ompt_scope_begin)
		heddle__ompt_begin(thread, event, return_address);
	else if (endpoint == ompt_scope_end)
		heddle__region_end(thread, event);
	heddle__leave(thread);
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *return_address)
{
	(void)kind, (void)parallel, (void)task;
	on_block(heddle__thread_self(), heddle__ompt_event(HEDDLE_OMPT_REDUCTION), endpoint, return_address);
}

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))
#define OWN_FRAME ((uintptr_t)__builtin_frame_address(0))

static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int implementation, ompt_wait_id_t wait_id,
	const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event =
		heddle__ompt_kind(heddle__ompt_acquire_events, heddle__ompt_mutex_kind(kind, RETURN_ADDRESS));
	(void)hint, (void)implementation;
	if (!thread || !event)
		return;
	heddle__enter(thread);
	if (waits(event))
		heddle__ompt_begin(thread, event, return_address);
	else /* a test may fail, and then no event follows */
		heddle__ompt_count_at(thread, event, return_address);
	if (heddle__blames && waits(event))
		heddle__blame_wait(thread, HEDDLE_SCOPE_PROCESS, wait_id);
	heddle__leave(thread);
}

/* Locks are let go of anywhere, in any order; the others have a block of code each. */
static bool has_block(ompt_mutex_t kind)
{
	return kind >= ompt_mutex_critical;
}

static void end_mutex_wait(struct heddle_thread *thread, ompt_mutex_t kind)
{
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_acquire_events, kind);
	if (event && waits(event))
		heddle__region_end(thread, event);
	if (heddle__blames)
		heddle__blame_wait_over(thread);
}

static void begin_had(
	struct heddle_thread *thread, const struct heddle_event *event, ompt_mutex_t kind, const void *return_address)
{
	if (has_block(kind))
		begin_block(thread, event, return_address);
	else
		heddle__ompt_count_at(thread, event, return_address);
}

/* While sampling: had where it was waited for, so the way there need not be walked again. The wait is still open. */
static void begin_awaited(
	struct heddle_thread *thread, const struct heddle_event *event, ompt_mutex_t kind, const void *return_address)
{
	const struct heddle_region *wait = &thread->regions[thread->depth - 1];
	uintptr_t frame_end = has_block(kind) ? (uintptr_t)wait->entry : 0;
	uint32_t parent = heddle__tree_node(wait->node)->parent;
	uint64_t place = heddle__ompt_place(thread, return_address);
	end_mutex_wait(thread, kind);
	begin_block_below(thread, event, parent, place, frame_end);
}

static bool has_awaited(const struct heddle_thread *thread)
{
	const struct heddle_region *wait = thread->depth ? &thread->regions[thread->depth - 1] : NULL;
	return heddle__capture && !thread->off && wait && !wait->tag && wait->state == HEDDLE_STATE_LOCK_WAIT;
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_acquired_events, kind);
	ompt_mutex_t meant = heddle__ompt_mutex_kind(kind, RETURN_ADDRESS);
	if (!thread)
		return;
	heddle__enter(thread);
	if (event && has_awaited(thread)) {
		begin_awaited(thread, event, meant, return_address);
	} else {
		end_mutex_wait(thread, meant);
		if (event)
			begin_had(thread, event, meant, return_address);
	}
	if (heddle__blames)
		heddle__ompt_blame_acquired(thread, kind, wait_id, OWN_FRAME);
	heddle__leave(thread);
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_released_events, kind);
	if (!thread || (!event && !heddle__blames))
		return;
	heddle__enter(thread);
	if (heddle__blames)
		heddle__blame_release(thread, HEDDLE_SCOPE_PROCESS, wait_id);
	if (event && has_block(kind))
		heddle__region_end(thread, event);
	else if (event)
		heddle__ompt_count_at(thread, event, return_address);
	heddle__leave(thread);
}

/* The owner took the lock once more: what the acquire event opened is over, without an acquired event. */
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = heddle__ompt_event(HEDDLE_OMPT_NEST_LOCK_AGAIN);
	(void)wait_id;
	if (!thread || endpoint != ompt_scope_begin)
		return;
	heddle__enter(thread);
	end_mutex_wait(thread, heddle__ompt_mutex_kind(ompt_mutex_nest_lock, RETURN_ADDRESS));
	if (heddle__blames)
		heddle__blame_unwait(thread);
	if (event)
		heddle__ompt_count_at(thread, event, return_address);
	heddle__leave(thread);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
	uint64_t count, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	(void)parallel, (void)task, (void)count;
	if (!thread)
		return;
	heddle__enter(thread);
	if (endpoint == ompt_scope_begin && kind != ompt_work_taskloop && kind != ompt_work_scope)
		leave_worksharing(thread);
	tell_block(thread, heddle__ompt_kind(heddle__ompt_work_events, kind), endpoint, return_address);
	heddle__leave(thread);
}

static void on_masked(
	ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, const void *return_address)
{
	(void)parallel, (void)task;
	on_block(heddle__thread_self(), heddle__ompt_event(HEDDLE_OMPT_MASKED), endpoint, return_address);
}

unsigned int heddle__ompt_set_waits(ompt_set_callback_t set_callback)
{
	static const struct heddle_ompt_callback callbacks[] = {
		{ompt_callback_sync_region, (ompt_callback_t)on_sync_region, "ompt_callback_sync_region"},
		{ompt_callback_reduction, (ompt_callback_t)on_reduction, "ompt_callback_reduction"},
		{ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire, "ompt_callback_mutex_acquire"},
		{ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired, NULL},
		{ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released, NULL},
		{ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock, NULL},
		{ompt_callback_work, (ompt_callback_t)on_work, "ompt_callback_work"},
		{ompt_callback_masked, (ompt_callback_t)on_masked, "ompt_callback_masked"},
	};
	static const struct heddle_ompt_callback wait = {
		ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait, "ompt_callback_sync_region_wait"};
	bool later = heddle__ompt_event(HEDDLE_OMPT_TASKGROUP) && !heddle__ompt_waits_are_named();
	atomic_store(&set_later, later ? set_callback : NULL);
	return heddle__ompt_register(set_callback, callbacks, sizeof(callbacks) / sizeof(callbacks[0])) +
	       (later ? 0 : heddle__ompt_register(set_callback, &wait, 1));
}
