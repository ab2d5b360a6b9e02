/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which of the report's events are registered: those from which selected event kinds are made, and those that report
 * which task runs on which thread.
 */
#include <string.h>

#include "core/blame/blame.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt2015/ompt2015_events.h"

/* An event, and what needs it: an event kind, or blame, for the holders of locks. */
struct need {
	uint8_t event, kind;
};
#define FOR_BLAME ((uint8_t)HEDDLE_OMPT_EVENT_COUNT)

#define NEED(event, kind)                                           \
	{                                                           \
		ompt2015_event_##event, (uint8_t)HEDDLE_OMPT_##kind \
	}
#define NEED_BOTH(name, kind) NEED(name##_begin, kind), NEED(name##_end, kind)
#define NEED_MUTEX(wait, acquired, release, wait_kind, kind, release_kind)                                   \
	NEED(wait, wait_kind), NEED(acquired, wait_kind), NEED(acquired, kind), NEED(release, release_kind), \
		{ompt2015_event_##acquired, FOR_BLAME},                                                      \
	{                                                                                                    \
		ompt2015_event_##release, FOR_BLAME                                                          \
	}

/* An event that is not in this list is always needed. */
static const struct need needs[] = {
	NEED_BOTH(barrier, BARRIER),
	NEED_BOTH(barrier, BARRIER_WAIT), /* without it, the wait would replace the construct */
	NEED_BOTH(wait_barrier, BARRIER), /* replaces the construct if that is not reported */
	NEED_BOTH(wait_barrier, BARRIER_WAIT),
	NEED_BOTH(taskwait, TASKWAIT),
	NEED_BOTH(taskwait, TASKWAIT_WAIT),
	NEED_BOTH(wait_taskwait, TASKWAIT),
	NEED_BOTH(wait_taskwait, TASKWAIT_WAIT),
	NEED_BOTH(taskgroup, TASKGROUP),
	NEED_BOTH(taskgroup, TASKGROUP_WAIT),
	NEED_BOTH(wait_taskgroup, TASKGROUP),
	NEED_BOTH(wait_taskgroup, TASKGROUP_WAIT),
	NEED_BOTH(loop, LOOP),
	NEED_BOTH(sections, SECTIONS),
	NEED_BOTH(single_in_block, SINGLE),
	NEED_BOTH(single_others, SINGLE_OTHER),
	NEED_BOTH(workshare, WORKSHARE),
	NEED_BOTH(master, MASKED),
	NEED_MUTEX(wait_lock, acquired_lock, release_lock, LOCK_WAIT, LOCK, UNLOCK),
	NEED_MUTEX(wait_nest_lock, acquired_nest_lock_first, release_nest_lock_last, NEST_LOCK_WAIT, NEST_LOCK,
		NEST_UNLOCK),
	NEED_MUTEX(wait_nest_lock, acquired_nest_lock_next, release_nest_lock_prev, NEST_LOCK_WAIT, NEST_LOCK_AGAIN,
		NEST_LOCK_AGAIN),
	NEED_MUTEX(wait_critical, acquired_critical, release_critical, CRITICAL_WAIT, CRITICAL, CRITICAL),
	NEED_MUTEX(wait_atomic, acquired_atomic, release_atomic, ATOMIC_WAIT, ATOMIC, ATOMIC),
	NEED_MUTEX(wait_ordered, acquired_ordered, release_ordered, ORDERED_WAIT, ORDERED, ORDERED),
	NEED(init_lock, LOCK_INIT),
	NEED(init_nest_lock, NEST_LOCK_INIT),
	NEED(destroy_lock, LOCK_DESTROY),
	NEED(destroy_nest_lock, NEST_LOCK_DESTROY),
	NEED(flush, FLUSH),
	NEED(task_dependences, DEPEND),
	NEED(task_dependence_pair, TASK_DEPENDENCE),
	NEED(target_task_begin, TARGET),
	NEED(target_task_begin, TARGET_ENTER_DATA),
	NEED(target_task_begin, TARGET_EXIT_DATA),
	NEED(target_task_begin, TARGET_UPDATE),
	NEED(target_task_end_sync, TARGET),
	NEED(target_task_end_sync, TARGET_ENTER_DATA),
	NEED(target_task_end_sync, TARGET_EXIT_DATA),
	NEED(target_task_end_sync, TARGET_UPDATE),
	NEED(target_task_end_async, TARGET),
	NEED(target_task_end_async, TARGET_ENTER_DATA),
	NEED(target_task_end_async, TARGET_EXIT_DATA),
	NEED(target_task_end_async, TARGET_UPDATE),
	NEED_BOTH(target_data, TARGET_DATA),
	NEED_BOTH(target_data_map, COPY_TO),
	NEED_BOTH(target_data_map, COPY_FROM),
	NEED_BOTH(target_data_map, DEVICE_ALLOC),
	NEED_BOTH(target_data_map, DEVICE_DELETE),
};

static bool is_needed(int event)
{
	bool listed = false;
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		if (needs[i].event != event)
			continue;
		listed = true;
		if (needs[i].kind == FOR_BLAME ? heddle__blames : heddle__ompt_events[needs[i].kind].selected)
			return true;
	}
	return !listed;
}

/*
 * False for an event that crashes LLVM's runtimes (version 1). They read the dependent task's number even if that task
 * is the runtime's own wait, which has none: once this event is registered, `task depend(...) if(0)` and `taskwait
 * depend(...)` end with a SIGSEGV.
 */
static bool is_safe(int event)
{
	return event != ompt2015_event_task_dependence_pair || heddle__ompt2015.version >= OMPT2015_VERSION;
}

static unsigned int set_some(ompt2015_set_callback_t set_callback, const ompt_callback_t functions[])
{
	unsigned int delivered = 0;
	for (int event = 1; event < OMPT2015_EVENT_LIMIT; event++) {
		if (!functions[event] || !is_safe(event) || !is_needed(event))
			continue;
		heddle__ompt2015.delivers[event] = (uint8_t)set_callback(event, functions[event]);
		delivered += heddle__ompt2015_delivers((enum ompt2015_event)event);
	}
	return delivered;
}

unsigned int heddle__ompt2015_set_callbacks(ompt2015_set_callback_t set_callback)
{
	memset(heddle__ompt2015.delivers, 0, sizeof(heddle__ompt2015.delivers));
	return set_some(set_callback, heddle__ompt2015_host_callbacks) +
	       set_some(set_callback, heddle__ompt2015_target_callbacks);
}
