/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables only. Several of the runtime's numbers may mean one kind: LLVM 14 to 19 differ in which they use. */
#include "models/ompt/ompt_names.h"

#include <stddef.h>

#include "models/ompt/ompt5.h"

struct heddle_event heddle__ompt_events[HEDDLE_OMPT_EVENT_COUNT] = {
#define X(key, name_, label_, category_) \
	[HEDDLE_OMPT_##key] = {"openmp", name_, label_, HEDDLE_CATEGORY_##category_, 0, true, false, 0},
	HEDDLE_OMPT_EVENTS(X)
#undef X
};

static const struct heddle_event *const sync_events[] = {
	[ompt_sync_region_barrier] = &heddle__ompt_events[HEDDLE_OMPT_BARRIER],
	[ompt_sync_region_barrier_implicit] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER],
	[ompt_sync_region_barrier_explicit] = &heddle__ompt_events[HEDDLE_OMPT_BARRIER],
	[ompt_sync_region_barrier_implementation] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER],
	[ompt_sync_region_taskwait] = &heddle__ompt_events[HEDDLE_OMPT_TASKWAIT],
	[ompt_sync_region_taskgroup] = &heddle__ompt_events[HEDDLE_OMPT_TASKGROUP],
	[ompt_sync_region_reduction] = &heddle__ompt_events[HEDDLE_OMPT_REDUCTION],
	[ompt_sync_region_barrier_implicit_workshare] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER],
	[ompt_sync_region_barrier_implicit_parallel] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER],
	[ompt_sync_region_barrier_teams] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER],
};

static const struct heddle_event *const mutex_events[] = {
	[ompt_mutex_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK],
	[ompt_mutex_test_lock] = &heddle__ompt_events[HEDDLE_OMPT_TEST_LOCK],
	[ompt_mutex_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK],
	[ompt_mutex_test_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_TEST_NEST_LOCK],
	[ompt_mutex_critical] = &heddle__ompt_events[HEDDLE_OMPT_CRITICAL],
	[ompt_mutex_atomic] = &heddle__ompt_events[HEDDLE_OMPT_ATOMIC],
	[ompt_mutex_ordered] = &heddle__ompt_events[HEDDLE_OMPT_ORDERED],
};

static const struct heddle_event *const work_events[] = {
	[ompt_work_loop] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_sections] = &heddle__ompt_events[HEDDLE_OMPT_SECTIONS],
	[ompt_work_single_executor] = &heddle__ompt_events[HEDDLE_OMPT_SINGLE],
	[ompt_work_single_other] = &heddle__ompt_events[HEDDLE_OMPT_SINGLE],
	[ompt_work_workshare] = &heddle__ompt_events[HEDDLE_OMPT_WORKSHARE],
	[ompt_work_distribute] = &heddle__ompt_events[HEDDLE_OMPT_DISTRIBUTE],
	[ompt_work_taskloop] = &heddle__ompt_events[HEDDLE_OMPT_TASKLOOP],
	[ompt_work_scope] = &heddle__ompt_events[HEDDLE_OMPT_SCOPE],
	[ompt_work_loop_static] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_loop_dynamic] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_loop_guided] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_loop_other] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
};

#define LOOK_UP(table, number) ((number) < sizeof(table) / sizeof((table)[0]) ? (table)[number] : NULL)

const struct heddle_event *heddle__ompt_sync_event(unsigned int kind)
{
	return LOOK_UP(sync_events, kind);
}

const struct heddle_event *heddle__ompt_mutex_event(unsigned int kind)
{
	return LOOK_UP(mutex_events, kind);
}

const struct heddle_event *heddle__ompt_work_event(unsigned int kind)
{
	return LOOK_UP(work_events, kind);
}
