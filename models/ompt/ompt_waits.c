/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions with a begin and an end on one thread: waits, whose time is always measured, and blocks of code. */
#include <stdatomic.h>
#include <stddef.h>

#include "core/base/likely.h"
#include "core/blame/blame.h"
#include "core/blame/blame_locks.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "models/ompt/ompt_blame.h"
#include "models/ompt/ompt_callbacks.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_quirks.h"

static void count_block(struct heddle_thread *thread, const struct heddle_event *event, uint32_t parent, uint64_t place)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	if (!thread->off)
		heddle__visit(thread, heddle__event_slot(thread, parent, meta, place));
}

/*
 * Blocks of program code, not waits. While sampling, a block begins at the stack address of the calls that its frame
 * makes from then on, so samples are below both the frame and the block. Blocks that the runtime begins by itself,
 * within another of its events, are only counted.
 */
static void begin_block_below(struct heddle_thread *thread, const struct heddle_event *event,
	const struct heddle_captured *here, uint64_t place)
{
	if (here->end)
		heddle__block_begin_below(thread, event, place, here);
	else
		count_block(thread, event, here->node, place);
}

/* Returns the captured code around the block. */
static struct heddle_captured begin_block(
	struct heddle_thread *thread, const struct heddle_event *event, const void *return_address)
{
	if (!heddle__capture) {
		heddle__ompt_begin(thread, event, return_address);
		return (struct heddle_captured){0};
	}
	struct heddle_captured room;
	const struct heddle_captured *here = heddle__ompt_here(thread, return_address, &room);
	begin_block_below(thread, event, here, heddle__ompt_place(thread, return_address));
	return *here;
}

/* `event` is NULL if it is not measured. */
static void report_block(struct heddle_thread *thread, const struct heddle_event *event, ompt_scope_endpoint_t endpoint,
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
	report_block(thread, event, endpoint, return_address);
	heddle__leave(thread);
}

static bool waits(const struct heddle_event *event)
{
	return event->state != HEDDLE_STATE_WORK;
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, const void *return_address);

/*
 * The runtime reports the wait of each barrier and taskwait, too, so this callback is registered only at the first
 * taskgroup.
 */
static ompt_set_callback_t _Atomic set_later;

static void ask_for_taskgroup_waits(void)
{
	ompt_set_callback_t set_callback = atomic_exchange(&set_later, NULL);
	if (set_callback)
		set_callback(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait);
}

/*
 * Returns the event of a region in which no barrier or worksharing construct may be closely nested (OpenMP 5.2, section
 * 17.1): when one begins, the region has ended. LLVM's runtime does not report the end of a cancelled loop with a
 * dynamic schedule, nor the end of a single construct that GCC compiled.
 */
static const struct heddle_event *worksharing(const struct heddle_region *region)
{
	static const enum heddle_ompt_event events[] = {
		HEDDLE_OMPT_LOOP, HEDDLE_OMPT_SECTIONS, HEDDLE_OMPT_SINGLE, HEDDLE_OMPT_WORKSHARE, HEDDLE_OMPT_MASKED};
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct heddle_event *event = &heddle__ompt_events[events[i]];
		if (region->meta == HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id))
			return event;
	}
	return NULL;
}

/* Skips entries that outlive the construct. */
static const struct heddle_event *innermost_worksharing(const struct heddle_thread *thread)
{
	const struct heddle_region *region = heddle__innermost_of_task(&thread->stack);
	while (region && heddle__outlives_regions(region))
		region = heddle__around(&thread->stack, region);
	return region ? worksharing(region) : NULL;
}

static inline void leave_worksharing(struct heddle_thread *thread)
{
	const struct heddle_event *open;
	while (HEDDLE_UNLIKELY(heddle__open_in_task(&thread->stack)) && !thread->stack.lost_depth &&
		(open = innermost_worksharing(thread)))
		heddle__region_end(thread, open);
}

/*
 * At the end of a region the team's code has returned: even while sampling, no frames are between the region and its
 * last barrier, and the stack need not be walked. The last barrier has the region's place, or none on workers.
 */
static const struct heddle_ompt_team *team_at_end(
	struct heddle_thread *thread, ompt_sync_region_t kind, const void *return_address)
{
	const struct heddle_ompt_team *team = heddle__ompt_current_team(thread);
	if (!heddle__capture || thread->off || !team || heddle__open_in_task(&thread->stack))
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
 * True for a worker's end event of its region's last barrier, which arrives only when the next region is forked, and
 * without a region (OpenMP 5.2, section 19.5.2.13). The task's end follows, then the begin of the next task, which
 * processes all three.
 */
static inline bool leaves_last_barrier(
	const struct heddle_thread *thread, ompt_sync_region_t kind, const ompt_data_t *parallel)
{
	bool is_last = kind == ompt_sync_region_barrier_implicit_parallel || kind == ompt_sync_region_barrier_implicit;
	if (parallel || !is_last || !heddle__takes_fast_path(thread))
		return false;
	struct heddle_ompt_thread *own = heddle__ompt_thread_of(thread);
	const struct heddle_ompt_team *held = heddle__ompt_held(own);
	if (!held || held != heddle__ompt_current_team(thread))
		return false;
	own->in_last_barrier = true;
	heddle__ompt_prefetch(own);
	return true;
}

/*
 * Begins a wait in its task's own code or, while sampling, anywhere except at a team's end. Returns false if nothing
 * was done.
 */
static inline bool begin_own_wait(struct heddle_thread *thread, const struct heddle_event *event,
	ompt_sync_region_t kind, const void *return_address)
{
	if (heddle__open_in_task(&thread->stack))
		return false;
	if (!heddle__capture)
		return heddle__region_begin_known(thread, event, heddle__ompt_site(thread, event, return_address));
	if (kind == ompt_sync_region_barrier_implicit || kind == ompt_sync_region_barrier_implicit_parallel)
		return false;
	heddle__ompt_begin_unknown(thread, event, return_address);
	return true;
}

/* Also calls heddle__leave. */
__attribute__((noinline)) static void sync_region(struct heddle_thread *thread, const struct heddle_event *event,
	ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, const void *return_address)
{
	if (!waits(event)) {
		if (HEDDLE_UNLIKELY(atomic_load_explicit(&set_later, memory_order_relaxed)))
			ask_for_taskgroup_waits();
		report_block(thread, event, endpoint, return_address);
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
			done = begin_own_wait(thread, event, kind, return_address);
		else if (endpoint == ompt_scope_end && !heddle__ompt_team_has_ended(thread))
			done = heddle__region_end_fast(thread, event);
	}
	if (HEDDLE_LIKELY(done))
		heddle__leave(thread);
	else
		sync_region(thread, event, kind, endpoint, return_address);
}

/*
 * A barrier or a taskwait only waits: its region measures the time, and this event is only counted. Their end events
 * are frequent and add nothing. A taskgroup executes code, too.
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
	heddle__record_lock(thread, heddle__trace_number_of(wait_id));
	if (heddle__blames && waits(event))
		heddle__blame_wait(thread, HEDDLE_SCOPE_PROCESS, wait_id);
	heddle__leave(thread);
}

/* Locks may be released anywhere, in any order; other mutexes are held in a block of code. */
static bool is_lock(ompt_mutex_t kind)
{
	return kind < ompt_mutex_critical;
}

static void end_mutex_wait(struct heddle_thread *thread, ompt_mutex_t kind)
{
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_acquire_events, kind);
	if (event && waits(event))
		heddle__region_end(thread, event);
	if (heddle__blames)
		heddle__blame_wait_over(thread);
}

/*
 * While sampling: begins the block below the path of its wait, which is still open, so the path is not captured twice.
 */
static struct heddle_captured begin_awaited(
	struct heddle_thread *thread, const struct heddle_event *event, ompt_mutex_t kind, const void *return_address)
{
	struct heddle_captured here = heddle__waiting_code(heddle__innermost(&thread->stack));
	uint64_t place = heddle__ompt_place(thread, return_address);
	end_mutex_wait(thread, kind);
	begin_block_below(thread, event, &here, place);
	return here;
}

static bool has_awaited(const struct heddle_thread *thread)
{
	const struct heddle_region *wait = heddle__innermost_of_task(&thread->stack);
	return heddle__capture && !thread->off && wait && wait->state == HEDDLE_STATE_LOCK_WAIT;
}

#define LOOK_BACK 16

/* A lock that the thread acquires again was released by another thread: ends the thread's region of holding it. */
static void forget_released(struct heddle_thread *thread, const struct heddle_event *event, ompt_wait_id_t wait_id)
{
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id);
	const struct heddle_region *region = heddle__innermost_of_task(&thread->stack);
	for (int i = 0; region && i < LOOK_BACK; i++) {
		if (region->meta == meta && heddle__holds(region, wait_id)) {
			heddle__release_lock(thread, event, wait_id);
			return;
		}
		region = heddle__around(&thread->stack, region);
	}
}

void heddle__ompt_forget_lock(struct heddle_thread *thread, ompt_mutex_t kind, ompt_wait_id_t wait_id)
{
	const struct heddle_event *held = heddle__ompt_kind(heddle__ompt_acquired_events, kind);
	if (held)
		forget_released(thread, held, wait_id);
}

/* Begins the block in which the mutex is held. Returns its node; UINT32_MAX: none. */
static uint32_t begin_held(struct heddle_thread *thread, const struct heddle_event *event, ompt_mutex_t meant,
	ompt_wait_id_t wait_id, const void *return_address)
{
	bool awaited = has_awaited(thread);
	if (!awaited)
		end_mutex_wait(thread, meant);
	if (is_lock(meant) && heddle__open_in_task(&thread->stack) > awaited)
		forget_released(thread, event, wait_id);
	uint32_t depth = heddle__open_count(&thread->stack) - awaited;
	struct heddle_captured here = awaited ? begin_awaited(thread, event, meant, return_address)
					      : begin_block(thread, event, return_address);
	struct heddle_region *region = heddle__pushed_at(&thread->stack, depth);
	if (is_lock(meant))
		heddle__hold_lock(region, wait_id, (struct heddle_opener){here.caller_place, here.caller_end});
	return region && !thread->off ? region->node : UINT32_MAX;
}

/* Fast path without sampling: in the task's own code, after the wait for the mutex, at a known site. */
static inline bool begin_known_held(struct heddle_thread *thread, const struct heddle_event *wait,
	const struct heddle_event *event, const void *return_address)
{
	return heddle__open_in_task(&thread->stack) == 1 && heddle__region_replace(thread, wait, event, return_address);
}

/* Fast path while sampling: below the code that waited; sets `opener` to that code's opener. */
static inline bool begin_sampled_held(struct heddle_thread *thread, const struct heddle_event *wait,
	const struct heddle_event *event, const void *return_address, struct heddle_opener *opener)
{
	if (!heddle__takes_fast_path(thread) || !heddle__is_innermost(thread, wait))
		return false;
	struct heddle_captured here = heddle__waiting_code(heddle__innermost(&thread->stack));
	if (!here.end)
		return false;
	*opener = (struct heddle_opener){here.caller_place, here.caller_end};
	uintptr_t cfa = heddle__cfa_in_frame(here.end);
	const struct heddle_known_site *site = heddle__known_site(thread, here.node, event->id, return_address);
	if (HEDDLE_LIKELY(heddle__region_replace_known(thread, wait, event, site, cfa)))
		return true;
	uint64_t place = heddle__ompt_place(thread, return_address);
	if (!heddle__region_replace_below(thread, wait, event, here.node, place, cfa))
		return false;
	heddle__ompt_keep_site(
		thread, event, here.node, return_address, place, heddle__innermost(&thread->stack)->node);
	return true;
}

/* Returns false if nothing was done. */
static inline bool begin_held_fast(struct heddle_thread *thread, const struct heddle_event *event, ompt_mutex_t meant,
	ompt_wait_id_t wait_id, const void *return_address)
{
	const struct heddle_event *wait = heddle__ompt_kind(heddle__ompt_acquire_events, meant);
	struct heddle_opener opener = {0};
	if (!event || !wait)
		return false;
	if (is_lock(meant) && heddle__open_in_task(&thread->stack) > 1)
		forget_released(thread, event, wait_id);
	uint32_t depth = heddle__open_count(&thread->stack) - 1;
	if (!(heddle__capture ? begin_sampled_held(thread, wait, event, return_address, &opener)
			      : begin_known_held(thread, wait, event, return_address)))
		return false;
	if (is_lock(meant))
		heddle__hold_lock(heddle__pushed_at(&thread->stack, depth), wait_id, opener);
	return true;
}

/* Also calls heddle__leave. */
__attribute__((noinline)) static void mutex_acquired(struct heddle_thread *thread, ompt_mutex_t kind,
	ompt_mutex_t meant, ompt_wait_id_t wait_id, const void *return_address, struct heddle_call own)
{
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_acquired_events, kind);
	uint32_t node = UINT32_MAX;
	if (event)
		node = begin_held(thread, event, meant, wait_id, return_address);
	else
		end_mutex_wait(thread, meant);
	if (heddle__blames)
		heddle__ompt_blame_acquired(thread, kind, wait_id, node, own);
	heddle__leave(thread);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_acquired_events, kind);
	ompt_mutex_t meant = heddle__ompt_mutex_kind(kind, RETURN_ADDRESS);
	if (!thread)
		return;
	heddle__enter(thread);
	if (HEDDLE_LIKELY(begin_held_fast(thread, event, meant, wait_id, return_address)))
		heddle__leave(thread);
	else
		mutex_acquired(thread, kind, meant, wait_id, return_address, heddle__call_here());
}

static inline void end_held(
	struct heddle_thread *thread, const struct heddle_event *held, ompt_mutex_t kind, ompt_wait_id_t wait_id)
{
	if (!is_lock(kind) ||
		(heddle__is_innermost(thread, held) && heddle__holds(heddle__innermost(&thread->stack), wait_id)))
		heddle__region_end(thread, held);
	else
		heddle__release_lock(thread, held, wait_id);
}

/* Fast path: the innermost region is the block in which the mutex was held. Returns false if nothing was done. */
static inline bool end_held_fast(
	struct heddle_thread *thread, const struct heddle_event *held, ompt_mutex_t kind, ompt_wait_id_t wait_id)
{
	if (!held || (is_lock(kind) && !(heddle__is_innermost(thread, held) &&
					       heddle__holds(heddle__innermost(&thread->stack), wait_id))))
		return false;
	return heddle__region_end_fast(thread, held);
}

/* Also calls heddle__leave. */
__attribute__((noinline)) static void mutex_released(
	struct heddle_thread *thread, ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	const struct heddle_event *held = heddle__ompt_kind(heddle__ompt_acquired_events, kind);
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_released_events, kind);
	if (heddle__blames)
		heddle__blame_release(thread, HEDDLE_SCOPE_PROCESS, wait_id);
	if (held)
		end_held(thread, held, kind, wait_id);
	heddle__record_lock(thread, heddle__trace_number_of(wait_id));
	if (event && event != held)
		heddle__ompt_count_at(thread, event, return_address);
	heddle__leave(thread);
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *return_address)
{
	struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_event *held = heddle__ompt_kind(heddle__ompt_acquired_events, kind);
	const struct heddle_event *event = heddle__ompt_kind(heddle__ompt_released_events, kind);
	if (!thread || (!held && !event && !heddle__blames))
		return;
	heddle__enter(thread);
	if (HEDDLE_LIKELY(!heddle__blames && end_held_fast(thread, held, kind, wait_id))) {
		heddle__record_lock(thread, heddle__trace_number_of(wait_id));
		if (event && event != held)
			heddle__ompt_count_at(thread, event, return_address);
		heddle__leave(thread);
	} else {
		mutex_released(thread, kind, wait_id, return_address);
	}
}

/* The holder acquired the lock again. Ends the region of the acquire event, which has no acquired event. */
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

static bool is_loop(ompt_work_t kind)
{
	return (unsigned int)kind < HEDDLE_OMPT_KINDS &&
	       heddle__ompt_work_events[kind] == &heddle__ompt_events[HEDDLE_OMPT_LOOP];
}

/* Begins a loop, or GCC's `sections`: while sampling, the runtime function that was called distinguishes them. */
static void begin_loop_or_sections(struct heddle_thread *thread)
{
	struct heddle_captured room, here = *heddle__ompt_here(thread, NULL, &room);
	bool sections = heddle__ompt_begins_sections(here.entry_place);
	const struct heddle_event *event = heddle__ompt_event(sections ? HEDDLE_OMPT_SECTIONS : HEDDLE_OMPT_LOOP);
	uint64_t place = sections ? here.place : heddle__ompt_place(thread, NULL);
	if (event)
		begin_block_below(thread, event, &here, place);
}

/* Returns the event that an end event with the kind of a loop ends. */
static const struct heddle_event *open_loop(const struct heddle_thread *thread)
{
	bool sections = heddle__ompt_is_innermost(thread, HEDDLE_OMPT_SECTIONS);
	return heddle__ompt_event(sections ? HEDDLE_OMPT_SECTIONS : HEDDLE_OMPT_LOOP);
}

static void report_loop(struct heddle_thread *thread, ompt_scope_endpoint_t endpoint, const void *return_address)
{
	if (endpoint == ompt_scope_begin && !return_address && heddle__capture && !thread->off)
		begin_loop_or_sections(thread);
	else
		report_block(thread,
			endpoint == ompt_scope_end ? open_loop(thread) : heddle__ompt_event(HEDDLE_OMPT_LOOP), endpoint,
			return_address);
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
	if (is_loop(kind))
		report_loop(thread, endpoint, return_address);
	else
		report_block(thread, heddle__ompt_kind(heddle__ompt_work_events, kind), endpoint, return_address);
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
