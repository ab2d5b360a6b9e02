/* SPDX-License-Identifier: BSD-3-Clause */
/* The event kinds of the OpenMP model. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_NAMES_H
#define HEDDLE_MODELS_OMPT_OMPT_NAMES_H

#include <stddef.h>

#include "core/tree/event.h"

/* KEY, the specification's name, label, category */
#define HEDDLE_OMPT_EVENTS(X)                                                                                    \
	X(THREAD, "ompt_callback_thread_begin", "omp thread", OTHER)                                             \
	X(INITIAL_TASK, "ompt_callback_implicit_task:initial", "omp initial task", OTHER)                        \
	X(IMPLICIT_TASK, "ompt_callback_implicit_task", "omp implicit task", OTHER)                              \
	X(PARALLEL, "ompt_callback_parallel", "omp parallel", PARALLEL)                                          \
	X(TEAMS, "ompt_callback_parallel:teams", "omp teams", PARALLEL)                                          \
	X(HELPERS, "ompt_callback_parallel:hidden_helpers", "omp hidden helpers", PARALLEL)                      \
	X(TASK, "ompt_callback_task_create", "omp task", TASK)                                                   \
	X(TASK_SCHEDULE, "ompt_callback_task_schedule", "omp task schedule", OTHER)                              \
	X(TASK_YIELD, "ompt_callback_task_schedule:yield", "omp task yield", OTHER)                              \
	X(TASK_CANCEL, "ompt_callback_task_schedule:cancel", "omp task cancel", OTHER)                           \
	X(TASK_DETACH, "ompt_callback_task_schedule:detach", "omp task detach", OTHER)                           \
	X(TASK_FULFILL, "ompt_callback_task_schedule:fulfill", "omp task fulfill", OTHER)                        \
	X(DEPEND, "ompt_callback_dependences", "omp depend", OTHER)                                              \
	X(DOACROSS_SOURCE, "ompt_callback_dependences:source", "omp ordered depend source", OTHER)               \
	X(DOACROSS_SINK, "ompt_callback_dependences:sink", "omp ordered depend sink", OTHER)                     \
	X(TASK_DEPENDENCE, "ompt_callback_task_dependence", "omp task dependence", OTHER)                        \
	X(BARRIER, "ompt_callback_sync_region:barrier", "omp barrier", BARRIER)                                  \
	X(IMPLICIT_BARRIER, "ompt_callback_sync_region:barrier_implicit", "omp implicit barrier", BARRIER)       \
	X(TASKWAIT, "ompt_callback_sync_region:taskwait", "omp taskwait", TASK_SYNC)                             \
	X(TASKGROUP, "ompt_callback_sync_region:taskgroup", "omp taskgroup", OTHER)                              \
	X(BARRIER_WAIT, "ompt_callback_sync_region_wait:barrier", "omp barrier wait", OTHER)                     \
	X(IMPLICIT_BARRIER_WAIT, "ompt_callback_sync_region_wait:barrier_implicit", "omp implicit barrier wait", \
		OTHER)                                                                                           \
	X(TASKWAIT_WAIT, "ompt_callback_sync_region_wait:taskwait", "omp taskwait wait", OTHER)                  \
	X(TASKGROUP_WAIT, "ompt_callback_sync_region_wait:taskgroup", "omp taskgroup wait", TASK_SYNC)           \
	X(REDUCTION, "ompt_callback_reduction", "omp reduction", OTHER)                                          \
	X(LOCK_WAIT, "ompt_callback_mutex_acquire:lock", "omp lock wait", LOCK)                                  \
	X(TEST_LOCK, "ompt_callback_mutex_acquire:test_lock", "omp test lock", OTHER)                            \
	X(NEST_LOCK_WAIT, "ompt_callback_mutex_acquire:nest_lock", "omp nest lock wait", LOCK)                   \
	X(TEST_NEST_LOCK, "ompt_callback_mutex_acquire:test_nest_lock", "omp test nest lock", OTHER)             \
	X(CRITICAL_WAIT, "ompt_callback_mutex_acquire:critical", "omp critical wait", LOCK)                      \
	X(ATOMIC_WAIT, "ompt_callback_mutex_acquire:atomic", "omp atomic wait", LOCK)                            \
	X(ORDERED_WAIT, "ompt_callback_mutex_acquire:ordered", "omp ordered wait", LOCK)                         \
	X(LOCK, "ompt_callback_mutex_acquired:lock", "omp lock", OTHER)                                          \
	X(NEST_LOCK, "ompt_callback_mutex_acquired:nest_lock", "omp nest lock", OTHER)                           \
	X(CRITICAL, "ompt_callback_mutex_acquired:critical", "omp critical", OTHER)                              \
	X(ATOMIC, "ompt_callback_mutex_acquired:atomic", "omp atomic", OTHER)                                    \
	X(ORDERED, "ompt_callback_mutex_acquired:ordered", "omp ordered", OTHER)                                 \
	X(UNLOCK, "ompt_callback_mutex_released:lock", "omp unlock", OTHER)                                      \
	X(NEST_UNLOCK, "ompt_callback_mutex_released:nest_lock", "omp nest unlock", OTHER)                       \
	X(NEST_LOCK_AGAIN, "ompt_callback_nest_lock", "omp nest lock again", OTHER)                              \
	X(LOCK_INIT, "ompt_callback_lock_init:lock", "omp lock init", OTHER)                                     \
	X(NEST_LOCK_INIT, "ompt_callback_lock_init:nest_lock", "omp nest lock init", OTHER)                      \
	X(LOCK_DESTROY, "ompt_callback_lock_destroy:lock", "omp lock destroy", OTHER)                            \
	X(NEST_LOCK_DESTROY, "ompt_callback_lock_destroy:nest_lock", "omp nest lock destroy", OTHER)             \
	X(LOOP, "ompt_callback_work:loop", "omp for", WORKSHARE)                                                 \
	X(SECTIONS, "ompt_callback_work:sections", "omp sections", WORKSHARE)                                    \
	X(SINGLE, "ompt_callback_work:single", "omp single", WORKSHARE)                                          \
	X(SINGLE_OTHER, "ompt_callback_work:single_other", "omp single other", WORKSHARE)                        \
	X(WORKSHARE, "ompt_callback_work:workshare", "omp workshare", WORKSHARE)                                 \
	X(DISTRIBUTE, "ompt_callback_work:distribute", "omp distribute", WORKSHARE)                              \
	X(TASKLOOP, "ompt_callback_work:taskloop", "omp taskloop", WORKSHARE)                                    \
	X(SCOPE, "ompt_callback_work:scope", "omp scope", WORKSHARE)                                             \
	X(MASKED, "ompt_callback_masked", "omp masked", WORKSHARE)                                               \
	X(ITERATION, "ompt_callback_dispatch:iteration", "omp iteration", OTHER)                                 \
	X(SECTION, "ompt_callback_dispatch:section", "omp section", OTHER)                                       \
	X(LOOP_CHUNK, "ompt_callback_dispatch:ws_loop_chunk", "omp for chunk", OTHER)                            \
	X(TASKLOOP_CHUNK, "ompt_callback_dispatch:taskloop_chunk", "omp taskloop chunk", OTHER)                  \
	X(DISTRIBUTE_CHUNK, "ompt_callback_dispatch:distribute_chunk", "omp distribute chunk", OTHER)            \
	X(FLUSH, "ompt_callback_flush", "omp flush", OTHER)                                                      \
	X(CANCEL_PARALLEL, "ompt_callback_cancel:parallel", "omp cancel parallel", OTHER)                        \
	X(CANCEL_SECTIONS, "ompt_callback_cancel:sections", "omp cancel sections", OTHER)                        \
	X(CANCEL_LOOP, "ompt_callback_cancel:loop", "omp cancel for", OTHER)                                     \
	X(CANCEL_TASKGROUP, "ompt_callback_cancel:taskgroup", "omp cancel taskgroup", OTHER)                     \
	X(CANCEL_DETECTED, "ompt_callback_cancel:detected", "omp cancel detected", OTHER)                        \
	X(DISCARDED_TASK, "ompt_callback_cancel:discarded_task", "omp discarded task", OTHER)                    \
	X(TARGET, "ompt_callback_target:target", "omp target", OTHER)                                            \
	X(TARGET_ENTER_DATA, "ompt_callback_target:enter_data", "omp target enter data", OTHER)                  \
	X(TARGET_EXIT_DATA, "ompt_callback_target:exit_data", "omp target exit data", OTHER)                     \
	X(TARGET_DATA, "ompt_callback_target:data", "omp target data", OTHER)                                    \
	X(TARGET_UPDATE, "ompt_callback_target:update", "omp target update", OTHER)                              \
	X(KERNEL, "ompt_callback_target_submit", "omp kernel", OTHER)                                            \
	X(COPY_TO, "ompt_callback_target_data_op:transfer_to_device", "omp copy to device", COMMUNICATION)       \
	X(COPY_FROM, "ompt_callback_target_data_op:transfer_from_device", "omp copy from device", COMMUNICATION) \
	X(DEVICE_ALLOC, "ompt_callback_target_data_op:alloc", "omp device alloc", OTHER)                         \
	X(DEVICE_DELETE, "ompt_callback_target_data_op:delete", "omp device free", OTHER)                        \
	X(DEVICE_ASSOCIATE, "ompt_callback_target_data_op:associate", "omp device associate", OTHER)             \
	X(DEVICE_DISASSOCIATE, "ompt_callback_target_data_op:disassociate", "omp device disassociate", OTHER)    \
	X(TARGET_MAP, "ompt_callback_target_map", "omp target map", OTHER)                                       \
	X(DEVICE_INITIALIZE, "ompt_callback_device_initialize", "omp device initialize", OTHER)                  \
	X(DEVICE_FINALIZE, "ompt_callback_device_finalize", "omp device finalize", OTHER)                        \
	X(DEVICE_LOAD, "ompt_callback_device_load", "omp device load", OTHER)                                    \
	X(DEVICE_UNLOAD, "ompt_callback_device_unload", "omp device unload", OTHER)                              \
	X(CONTROL_TOOL, "ompt_callback_control_tool", "omp control tool", OTHER)                                 \
	X(ERROR, "ompt_callback_error", "omp error", OTHER)

/* An index of heddle__ompt_target_events for which OpenMP 5 has no number. */
#define HEDDLE_OMPT_TARGET_DATA_REGION 15

enum heddle_ompt_event {
#define X(key, name, label, category) HEDDLE_OMPT_##key,
	HEDDLE_OMPT_EVENTS(X)
#undef X
		HEDDLE_OMPT_EVENT_COUNT
};

extern struct heddle_event heddle__ompt_events[HEDDLE_OMPT_EVENT_COUNT];

/*
 * To be called after registration. The name of a callback selects all its kinds, too. Parallel regions and tasks are
 * always kept, as the context of the events in them. Context: init.
 */
void heddle__ompt_select(void);

/* True if any kind of this callback is selected. Context: init. */
bool heddle__ompt_callback_is_selected(const char *callback);

/* True if the wait events of barriers or taskwaits are selected, in addition to the constructs' own. Context: init. */
bool heddle__ompt_waits_are_named(void);

/* The event kind for each of the runtime's numbers; NULL: none. */
#define HEDDLE_OMPT_KINDS 24

extern const struct heddle_event *const heddle__ompt_sync_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_sync_wait_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_acquire_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_acquired_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_released_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_lock_init_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_lock_destroy_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_work_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_dispatch_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_target_events[HEDDLE_OMPT_KINDS];
extern const struct heddle_event *const heddle__ompt_data_op_events[HEDDLE_OMPT_KINDS];

/* Returns the event kind of a number in one of these tables; NULL: none, or not selected. Context: any thread. */
static inline const struct heddle_event *heddle__ompt_kind(const struct heddle_event *const *table, unsigned int number)
{
	const struct heddle_event *event = number < HEDDLE_OMPT_KINDS ? table[number] : NULL;
	return event && event->selected ? event : NULL;
}

/* Returns the event kind for the flags of a cancel callback. Context: any thread. */
const struct heddle_event *heddle__ompt_cancel_event(int flags);

/* Returns the event kind; NULL: not selected. Context: any thread. */
static inline const struct heddle_event *heddle__ompt_event(enum heddle_ompt_event event)
{
	return heddle__ompt_events[event].selected ? &heddle__ompt_events[event] : NULL;
}

#endif
