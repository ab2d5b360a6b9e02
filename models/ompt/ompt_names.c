/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables only. Several numbers of the runtime may map to one kind, since LLVM 14 to 19 differ in which numbers they
 * send.
 */
#include "models/ompt/ompt_names.h"

#include <stddef.h>
#include <string.h>

#include "core/base/selection.h"
#include "models/ompt/ompt5.h"

struct heddle_event heddle__ompt_events[HEDDLE_OMPT_EVENT_COUNT] = {
#define X(key, name_, label_, category_) \
	[HEDDLE_OMPT_##key] = {"openmp", name_, label_, HEDDLE_CATEGORY_##category_, 0, true, false, 0, 0},
	HEDDLE_OMPT_EVENTS(X)
#undef X
};

const struct heddle_event *const heddle__ompt_sync_events[HEDDLE_OMPT_KINDS] = {
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

const struct heddle_event *const heddle__ompt_sync_wait_events[HEDDLE_OMPT_KINDS] = {
	[ompt_sync_region_barrier] = &heddle__ompt_events[HEDDLE_OMPT_BARRIER_WAIT],
	[ompt_sync_region_barrier_implicit] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER_WAIT],
	[ompt_sync_region_barrier_explicit] = &heddle__ompt_events[HEDDLE_OMPT_BARRIER_WAIT],
	[ompt_sync_region_barrier_implementation] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER_WAIT],
	[ompt_sync_region_taskwait] = &heddle__ompt_events[HEDDLE_OMPT_TASKWAIT_WAIT],
	[ompt_sync_region_taskgroup] = &heddle__ompt_events[HEDDLE_OMPT_TASKGROUP_WAIT],
	[ompt_sync_region_barrier_implicit_workshare] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER_WAIT],
	[ompt_sync_region_barrier_implicit_parallel] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER_WAIT],
	[ompt_sync_region_barrier_teams] = &heddle__ompt_events[HEDDLE_OMPT_IMPLICIT_BARRIER_WAIT],
};

const struct heddle_event *const heddle__ompt_acquire_events[HEDDLE_OMPT_KINDS] = {
	[ompt_mutex_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK_WAIT],
	[ompt_mutex_test_lock] = &heddle__ompt_events[HEDDLE_OMPT_TEST_LOCK],
	[ompt_mutex_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK_WAIT],
	[ompt_mutex_test_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_TEST_NEST_LOCK],
	[ompt_mutex_critical] = &heddle__ompt_events[HEDDLE_OMPT_CRITICAL_WAIT],
	[ompt_mutex_atomic] = &heddle__ompt_events[HEDDLE_OMPT_ATOMIC_WAIT],
	[ompt_mutex_ordered] = &heddle__ompt_events[HEDDLE_OMPT_ORDERED_WAIT],
};

const struct heddle_event *const heddle__ompt_acquired_events[HEDDLE_OMPT_KINDS] = {
	[ompt_mutex_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK],
	[ompt_mutex_test_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK],
	[ompt_mutex_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK],
	[ompt_mutex_test_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK],
	[ompt_mutex_critical] = &heddle__ompt_events[HEDDLE_OMPT_CRITICAL],
	[ompt_mutex_atomic] = &heddle__ompt_events[HEDDLE_OMPT_ATOMIC],
	[ompt_mutex_ordered] = &heddle__ompt_events[HEDDLE_OMPT_ORDERED],
};

/* For kinds with a block of code, the released event ends what the acquired event began. */
const struct heddle_event *const heddle__ompt_released_events[HEDDLE_OMPT_KINDS] = {
	[ompt_mutex_lock] = &heddle__ompt_events[HEDDLE_OMPT_UNLOCK],
	[ompt_mutex_test_lock] = &heddle__ompt_events[HEDDLE_OMPT_UNLOCK],
	[ompt_mutex_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_UNLOCK],
	[ompt_mutex_test_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_UNLOCK],
	[ompt_mutex_critical] = &heddle__ompt_events[HEDDLE_OMPT_CRITICAL],
	[ompt_mutex_atomic] = &heddle__ompt_events[HEDDLE_OMPT_ATOMIC],
	[ompt_mutex_ordered] = &heddle__ompt_events[HEDDLE_OMPT_ORDERED],
};

const struct heddle_event *const heddle__ompt_lock_init_events[HEDDLE_OMPT_KINDS] = {
	[ompt_mutex_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK_INIT],
	[ompt_mutex_test_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK_INIT],
	[ompt_mutex_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK_INIT],
	[ompt_mutex_test_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK_INIT],
};

const struct heddle_event *const heddle__ompt_lock_destroy_events[HEDDLE_OMPT_KINDS] = {
	[ompt_mutex_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK_DESTROY],
	[ompt_mutex_test_lock] = &heddle__ompt_events[HEDDLE_OMPT_LOCK_DESTROY],
	[ompt_mutex_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK_DESTROY],
	[ompt_mutex_test_nest_lock] = &heddle__ompt_events[HEDDLE_OMPT_NEST_LOCK_DESTROY],
};

const struct heddle_event *const heddle__ompt_work_events[HEDDLE_OMPT_KINDS] = {
	[ompt_work_loop] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_sections] = &heddle__ompt_events[HEDDLE_OMPT_SECTIONS],
	[ompt_work_single_executor] = &heddle__ompt_events[HEDDLE_OMPT_SINGLE],
	[ompt_work_single_other] = &heddle__ompt_events[HEDDLE_OMPT_SINGLE_OTHER],
	[ompt_work_workshare] = &heddle__ompt_events[HEDDLE_OMPT_WORKSHARE],
	[ompt_work_distribute] = &heddle__ompt_events[HEDDLE_OMPT_DISTRIBUTE],
	[ompt_work_taskloop] = &heddle__ompt_events[HEDDLE_OMPT_TASKLOOP],
	[ompt_work_scope] = &heddle__ompt_events[HEDDLE_OMPT_SCOPE],
	[ompt_work_loop_static] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_loop_dynamic] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_loop_guided] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
	[ompt_work_loop_other] = &heddle__ompt_events[HEDDLE_OMPT_LOOP],
};

const struct heddle_event *const heddle__ompt_dispatch_events[HEDDLE_OMPT_KINDS] = {
	[ompt_dispatch_iteration] = &heddle__ompt_events[HEDDLE_OMPT_ITERATION],
	[ompt_dispatch_section] = &heddle__ompt_events[HEDDLE_OMPT_SECTION],
	[ompt_dispatch_ws_loop_chunk] = &heddle__ompt_events[HEDDLE_OMPT_LOOP_CHUNK],
	[ompt_dispatch_taskloop_chunk] = &heddle__ompt_events[HEDDLE_OMPT_TASKLOOP_CHUNK],
	[ompt_dispatch_distribute_chunk] = &heddle__ompt_events[HEDDLE_OMPT_DISTRIBUTE_CHUNK],
};

const struct heddle_event *const heddle__ompt_target_events[HEDDLE_OMPT_KINDS] = {
	[ompt_target] = &heddle__ompt_events[HEDDLE_OMPT_TARGET],
	[ompt_target_enter_data] = &heddle__ompt_events[HEDDLE_OMPT_TARGET_ENTER_DATA],
	[ompt_target_exit_data] = &heddle__ompt_events[HEDDLE_OMPT_TARGET_EXIT_DATA],
	[ompt_target_update] = &heddle__ompt_events[HEDDLE_OMPT_TARGET_UPDATE],
	[HEDDLE_OMPT_TARGET_DATA_REGION] = &heddle__ompt_events[HEDDLE_OMPT_TARGET_DATA],
	[ompt_target_nowait] = &heddle__ompt_events[HEDDLE_OMPT_TARGET],
	[ompt_target_enter_data_nowait] = &heddle__ompt_events[HEDDLE_OMPT_TARGET_ENTER_DATA],
	[ompt_target_exit_data_nowait] = &heddle__ompt_events[HEDDLE_OMPT_TARGET_EXIT_DATA],
	[ompt_target_update_nowait] = &heddle__ompt_events[HEDDLE_OMPT_TARGET_UPDATE],
};

const struct heddle_event *const heddle__ompt_data_op_events[HEDDLE_OMPT_KINDS] = {
	[ompt_target_data_alloc] = &heddle__ompt_events[HEDDLE_OMPT_DEVICE_ALLOC],
	[ompt_target_data_transfer_to_device] = &heddle__ompt_events[HEDDLE_OMPT_COPY_TO],
	[ompt_target_data_transfer_from_device] = &heddle__ompt_events[HEDDLE_OMPT_COPY_FROM],
	[ompt_target_data_delete] = &heddle__ompt_events[HEDDLE_OMPT_DEVICE_DELETE],
	[ompt_target_data_associate] = &heddle__ompt_events[HEDDLE_OMPT_DEVICE_ASSOCIATE],
	[ompt_target_data_disassociate] = &heddle__ompt_events[HEDDLE_OMPT_DEVICE_DISASSOCIATE],
	[ompt_target_data_alloc_async] = &heddle__ompt_events[HEDDLE_OMPT_DEVICE_ALLOC],
	[ompt_target_data_transfer_to_device_async] = &heddle__ompt_events[HEDDLE_OMPT_COPY_TO],
	[ompt_target_data_transfer_from_device_async] = &heddle__ompt_events[HEDDLE_OMPT_COPY_FROM],
	[ompt_target_data_delete_async] = &heddle__ompt_events[HEDDLE_OMPT_DEVICE_DELETE],
};

/*
 * These events coincide with the region that measures the wait, and add nothing to it: measured only if selected by
 * name.
 */
static const enum heddle_ompt_event on_demand[] = {
	HEDDLE_OMPT_BARRIER_WAIT, HEDDLE_OMPT_IMPLICIT_BARRIER_WAIT, HEDDLE_OMPT_TASKWAIT_WAIT};

static enum heddle_selection by_name_or(enum heddle_selection known, const char *name)
{
	enum heddle_selection named = heddle__selection_of(name);
	return known == HEDDLE_NOT_NAMED ? named : known;
}

/* The name of a callback selects or excludes all its kinds that are not named themselves. */
static enum heddle_selection selection_of_kind(const char *name)
{
	enum heddle_selection known = heddle__selection_of(name);
	char callback[64];
	size_t length = strcspn(name, ":");
	if (length + sizeof("_emi") > sizeof(callback))
		return known;
	memcpy(callback, name, length);
	callback[length] = '\0';
	known = by_name_or(known, callback);
	if (strcmp(callback, "ompt_callback_parallel") == 0)
		known = by_name_or(known, "ompt_callback_parallel_begin");
	/* Callbacks of target constructs have a second form (EMI), with another name. */
	memcpy(callback + length, "_emi", sizeof("_emi"));
	return by_name_or(known, callback);
}

void heddle__ompt_select(void)
{
	for (int i = 0; i < HEDDLE_OMPT_EVENT_COUNT; i++)
		heddle__ompt_events[i].selected = heddle__is_selected(selection_of_kind(heddle__ompt_events[i].name));
	for (size_t i = 0; i < sizeof(on_demand) / sizeof(on_demand[0]); i++) {
		struct heddle_event *event = &heddle__ompt_events[on_demand[i]];
		event->selected = selection_of_kind(event->name) == HEDDLE_NAMED;
	}
}

bool heddle__ompt_waits_are_named(void)
{
	bool named = false;
	for (size_t i = 0; i < sizeof(on_demand) / sizeof(on_demand[0]); i++)
		named |= heddle__ompt_events[on_demand[i]].selected;
	return named;
}

bool heddle__ompt_callback_is_selected(const char *callback)
{
	size_t length = strlen(callback);
	for (int i = 0; i < HEDDLE_OMPT_EVENT_COUNT; i++) {
		const struct heddle_event *event = &heddle__ompt_events[i];
		bool same = strncmp(event->name, callback, length) == 0;
		if (event->selected && same && (!event->name[length] || event->name[length] == ':'))
			return true;
	}
	return false;
}

/* Actions (discarded, detected) take precedence over the construct that they affect. */
const struct heddle_event *heddle__ompt_cancel_event(int flags)
{
	if (flags & ompt_cancel_discarded_task)
		return heddle__ompt_event(HEDDLE_OMPT_DISCARDED_TASK);
	if (flags & ompt_cancel_detected)
		return heddle__ompt_event(HEDDLE_OMPT_CANCEL_DETECTED);
	if (flags & ompt_cancel_parallel)
		return heddle__ompt_event(HEDDLE_OMPT_CANCEL_PARALLEL);
	if (flags & ompt_cancel_sections)
		return heddle__ompt_event(HEDDLE_OMPT_CANCEL_SECTIONS);
	if (flags & ompt_cancel_loop)
		return heddle__ompt_event(HEDDLE_OMPT_CANCEL_LOOP);
	return flags & ompt_cancel_taskgroup ? heddle__ompt_event(HEDDLE_OMPT_CANCEL_TASKGROUP) : NULL;
}
