/* SPDX-License-Identifier: BSD-3-Clause */
/* The event kinds of the OpenMP model. */
#ifndef HEDDLE_MODELS_OMPT_OMPT_NAMES_H
#define HEDDLE_MODELS_OMPT_OMPT_NAMES_H

#include "core/event.h"

/* KEY, the specification's name, label, category */
#define HEDDLE_OMPT_EVENTS(X)                                                                              \
	X(PARALLEL, "ompt_callback_parallel", "omp parallel", PARALLEL)                                    \
	X(TEAMS, "ompt_callback_parallel:teams", "omp teams", PARALLEL)                                    \
	X(TASK, "ompt_callback_task_create", "omp task", TASK)                                             \
	X(BARRIER, "ompt_callback_sync_region:barrier", "omp barrier", BARRIER)                            \
	X(IMPLICIT_BARRIER, "ompt_callback_sync_region:barrier_implicit", "omp implicit barrier", BARRIER) \
	X(TASKWAIT, "ompt_callback_sync_region:taskwait", "omp taskwait", TASK_SYNC)                       \
	X(TASKGROUP, "ompt_callback_sync_region:taskgroup", "omp taskgroup", TASK_SYNC)                    \
	X(REDUCTION, "ompt_callback_sync_region:reduction", "omp reduction", OTHER)                        \
	X(LOCK, "ompt_callback_mutex_acquire:lock", "omp lock", LOCK)                                      \
	X(TEST_LOCK, "ompt_callback_mutex_acquire:test_lock", "omp test lock", OTHER)                      \
	X(NEST_LOCK, "ompt_callback_mutex_acquire:nest_lock", "omp nest lock", LOCK)                       \
	X(TEST_NEST_LOCK, "ompt_callback_mutex_acquire:test_nest_lock", "omp test nest lock", OTHER)       \
	X(CRITICAL, "ompt_callback_mutex_acquire:critical", "omp critical", LOCK)                          \
	X(ATOMIC, "ompt_callback_mutex_acquire:atomic", "omp atomic", LOCK)                                \
	X(ORDERED, "ompt_callback_mutex_acquire:ordered", "omp ordered", LOCK)                             \
	X(LOOP, "ompt_callback_work:loop", "omp for", WORKSHARE)                                           \
	X(SECTIONS, "ompt_callback_work:sections", "omp sections", WORKSHARE)                              \
	X(SINGLE, "ompt_callback_work:single", "omp single", WORKSHARE)                                    \
	X(WORKSHARE, "ompt_callback_work:workshare", "omp workshare", WORKSHARE)                           \
	X(DISTRIBUTE, "ompt_callback_work:distribute", "omp distribute", WORKSHARE)                        \
	X(TASKLOOP, "ompt_callback_work:taskloop", "omp taskloop", WORKSHARE)                              \
	X(SCOPE, "ompt_callback_work:scope", "omp scope", WORKSHARE)

enum heddle_ompt_event {
#define X(key, name, label, category) HEDDLE_OMPT_##key,
	HEDDLE_OMPT_EVENTS(X)
#undef X
		HEDDLE_OMPT_EVENT_COUNT
};

extern struct heddle_event heddle__ompt_events[HEDDLE_OMPT_EVENT_COUNT];

/* The event kind of the runtime's number; NULL: not one that is measured. Context: any thread. */
const struct heddle_event *heddle__ompt_sync_event(unsigned int kind);
const struct heddle_event *heddle__ompt_mutex_event(unsigned int kind);
const struct heddle_event *heddle__ompt_work_event(unsigned int kind);

#endif
