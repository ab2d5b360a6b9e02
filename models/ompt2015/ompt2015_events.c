/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Callbacks for the report's events 1 to 61, 69 and 70; those for target devices are in ompt2015_target.c;
 * ompt2015_register.c selects which are registered. Deviations of LLVM's runtimes (version 1) are handled in separate
 * functions: task_begin arrives when the task starts, on the thread that executes it, and many callbacks lack their
 * last arguments.
 */
#include "models/ompt2015/ompt2015_events.h"

#include <stddef.h>

#include "core/process/process.h"
#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/thread.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"
#include "models/ompt/ompt_place.h"
#include "models/ompt/ompt_team.h"

struct heddle_ompt2015_runtime heddle__ompt2015;

/* ---- OpenMP 5's callbacks ---- */

typedef void (*thread_begin_t)(ompt_thread_t, ompt_data_t *);
typedef void (*thread_end_t)(ompt_data_t *);
typedef void (*parallel_begin_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned int, int, const void *);
typedef void (*parallel_end_t)(ompt_data_t *, ompt_data_t *, int, const void *);
typedef void (*implicit_task_t)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int);
typedef void (*task_create_t)(ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *);
typedef void (*sync_region_t)(ompt_sync_region_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, const void *);
typedef void (*work_t)(ompt_work_t, ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, uint64_t, const void *);
typedef void (*masked_t)(ompt_scope_endpoint_t, ompt_data_t *, ompt_data_t *, const void *);
typedef void (*mutex_acquire_t)(ompt_mutex_t, unsigned int, unsigned int, ompt_wait_id_t, const void *);
typedef void (*mutex_t)(ompt_mutex_t, ompt_wait_id_t, const void *);
typedef void (*nest_lock_t)(ompt_scope_endpoint_t, ompt_wait_id_t, const void *);
typedef int (*control_tool_t)(uint64_t, uint64_t, void *, const void *);
typedef void (*flush_t)(ompt_data_t *, const void *);
struct five_dependence;
typedef void (*dependences_t)(ompt_data_t *, const struct five_dependence *, int);
typedef void (*task_dependence_t)(ompt_data_t *, ompt_data_t *);

ompt_callback_t heddle__ompt2015_five[HEDDLE_OMPT2015_FIVE];

#define NOTIFY HEDDLE_OMPT2015_NOTIFY

/* The report's event from which an OpenMP 5 event is made. */
static const uint8_t sources[HEDDLE_OMPT2015_FIVE] = {
	[ompt_callback_thread_begin] = ompt2015_event_thread_begin,
	[ompt_callback_thread_end] = ompt2015_event_thread_end,
	[ompt_callback_parallel_begin] = ompt2015_event_parallel_begin,
	[ompt_callback_parallel_end] = ompt2015_event_parallel_end,
	[ompt_callback_task_create] = ompt2015_event_task_begin,
	[ompt_callback_task_schedule] = ompt2015_event_task_end,
	[ompt_callback_implicit_task] = ompt2015_event_implicit_task_begin,
	[FIVE_TARGET] = ompt2015_event_target_task_begin,
	[FIVE_TARGET_DATA_OP_EMI] = ompt2015_event_target_data_map_begin,
	[FIVE_CONTROL_TOOL] = ompt2015_event_control,
	[FIVE_SYNC_REGION_WAIT] = ompt2015_event_wait_barrier_begin,
	[FIVE_MUTEX_RELEASED] = ompt2015_event_release_lock,
	[FIVE_DEPENDENCES] = ompt2015_event_task_dependences,
	[FIVE_TASK_DEPENDENCE] = ompt2015_event_task_dependence_pair,
	[ompt_callback_work] = ompt2015_event_loop_begin,
	[FIVE_MASKED] = ompt2015_event_master_begin,
	[ompt_callback_sync_region] = ompt2015_event_barrier_begin,
	[FIVE_LOCK_INIT] = ompt2015_event_init_lock,
	[FIVE_LOCK_DESTROY] = ompt2015_event_destroy_lock,
	[ompt_callback_mutex_acquire] = ompt2015_event_wait_ordered,
	[ompt_callback_mutex_acquired] = ompt2015_event_acquired_ordered,
	[ompt_callback_nest_lock] = ompt2015_event_acquired_nest_lock_next,
	[FIVE_FLUSH] = ompt2015_event_flush,
};

ompt_set_result_t heddle__ompt2015_keep_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	if ((unsigned int)event >= HEDDLE_OMPT2015_FIVE || !sources[event])
		return ompt_set_never;
	heddle__ompt2015_five[event] = callback;
	return heddle__ompt2015_delivers((enum ompt2015_event)sources[event]) ? ompt_set_always : ompt_set_never;
}

/* ---- data words ---- */

static ompt_data_t unknown; /* data word of tasks and regions whose begin was not reported; never written */

ompt_data_t *heddle__ompt2015_word(enum heddle_ompt_names names, ompt2015_id_t id)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(names, id);
	return named ? &named->data : &unknown;
}

static ompt_data_t *task_word(ompt2015_id_t id)
{
	return heddle__ompt2015_word(HEDDLE_OMPT_TASK_IDS, id);
}

static ompt_data_t *region_word(ompt2015_id_t id)
{
	return heddle__ompt2015_word(HEDDLE_OMPT_PARALLEL_IDS, id);
}

/* ---- threads ---- */

static _Thread_local uint32_t thread_number; /* the runtime's small numbers, from 1; 0: none */

/*
 * True if events report that a worker works. If the runtime delivers only the mandatory events, only samples show it.
 */
static bool work_is_reported(void)
{
	return heddle__ompt2015_delivers(ompt2015_event_implicit_task_begin);
}

/* Without events of its tasks, the worker is idle exactly between an idle_begin and an idle_end event. */
static void note_idle(bool idle)
{
	struct heddle_thread *thread = heddle__thread_self();
	if (work_is_reported() || !thread || !heddle__is_worker_of(thread, heddle__ompt_model))
		return;
	heddle__enter(thread);
	heddle__ompt_set_idle(thread, idle);
	heddle__leave(thread);
}

/* A worker whose work is not reported is not idle from its begin on, as other workers are. */
static void on_thread_begin(unsigned int type, ompt2015_id_t id)
{
	bool unseen = type == ompt_thread_worker && !work_is_reported();
	thread_number = id <= INT32_MAX ? (uint32_t)id : 0;
	NOTIFY(ompt_callback_thread_begin, thread_begin_t, unseen ? ompt_thread_other : (ompt_thread_t)type, NULL);
	struct heddle_thread *thread = heddle__thread_self();
	if (unseen && thread)
		thread->role = (uint8_t)(HEDDLE_THREAD_WORKER + heddle__ompt_model);
}

static void on_thread_end(unsigned int type, ompt2015_id_t id)
{
	(void)type, (void)id;
	NOTIFY(ompt_callback_thread_end, thread_end_t, NULL);
}

/* A worker outside regions is idle without an event. Entries that are still open have ended. */
static void on_idle_begin(ompt2015_id_t id)
{
	(void)id;
	NOTIFY(ompt_callback_task_schedule, heddle_ompt2015_schedule_t, NULL, ompt_task_switch, &unknown);
	note_idle(true);
}

static void on_idle_end(ompt2015_id_t id)
{
	(void)id;
	note_idle(false);
}

/* ---- parallel regions ---- */

/* Returns the construct's place if no stack walk will find it: the place of its outlined function. */
static const void *stand_in_place(const void *outlined)
{
	return outlined && !heddle__capture ? (const char *)outlined + 1 : NULL;
}

static void end_implicit_task(ompt2015_id_t id)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, id);
	if (!named)
		return;
	NOTIFY(ompt_callback_implicit_task, implicit_task_t, ompt_scope_end, NULL, &named->data, 0, 0,
		ompt_task_implicit);
	heddle__ompt_name_drop(named);
}

static void begin_implicit_task(ompt2015_id_t parallel, ompt2015_id_t task)
{
	const struct heddle_ompt2015_runtime *runtime = &heddle__ompt2015;
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, task);
	int size = runtime->get_parallel_team_size ? runtime->get_parallel_team_size(0) : 2;
	if (named)
		NOTIFY(ompt_callback_implicit_task, implicit_task_t, ompt_scope_begin, region_word(parallel),
			&named->data, (unsigned int)size, thread_number - 1, ompt_task_implicit);
}

/* The implicit task of this thread that `follow` began last. */
static _Thread_local ompt2015_id_t followed;

static void end_followed(void)
{
	const struct heddle_ompt_team *team = task_word(followed)->ptr;
	if (!team || atomic_load(&team->group.ended))
		end_implicit_task(followed);
}

/* If the runtime does not report which task runs, queries it at the runtime's other events. */
static void follow(void)
{
	struct heddle_ompt2015_task task;
	if (!heddle__ompt2015_must_ask())
		return;
	bool known = heddle__ompt2015_task(0, &task);
	ompt_data_t *word = known ? task_word(task.id) : &unknown;
	if (followed && followed != task.id)
		end_followed();
	if (known && word == &unknown && region_word(task.parallel) != &unknown) {
		begin_implicit_task(task.parallel, task.id);
		followed = task.id;
		return;
	}
	NOTIFY(ompt_callback_task_schedule, heddle_ompt2015_schedule_t, NULL, ompt_task_switch, word);
}

static void on_parallel_begin(ompt2015_id_t parent, const ompt2015_frame_t *parent_frame, ompt2015_id_t parallel,
	uint32_t requested, const void *outlined, int invoker)
{
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_PARALLEL_IDS, parallel);
	ompt_frame_t frame = heddle__ompt2015_frame(parent_frame);
	(void)invoker;
	follow();
	if (named)
		NOTIFY(ompt_callback_parallel_begin, parallel_begin_t, task_word(parent), &frame, &named->data,
			requested, 0, stand_in_place(outlined));
}

/* Ends the creator's own implicit task with the region, if the runtime did not report its end. */
static void end_left_over_task(const struct heddle_ompt_team *team)
{
	const struct heddle_thread *thread = heddle__thread_self();
	const struct heddle_region *task = thread ? heddle__current_task(&thread->stack) : NULL;
	if (team && task && task->owner == team)
		end_implicit_task(atomic_load(&((struct heddle_ompt_named *)(uintptr_t)task->task.name)->id));
}

static void on_parallel_end(ompt2015_id_t parallel, ompt2015_id_t task, int invoker)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_PARALLEL_IDS, parallel);
	(void)invoker;
	if (!named)
		return;
	end_left_over_task(named->data.ptr);
	NOTIFY(ompt_callback_parallel_end, parallel_end_t, &named->data, task_word(task), 0, NULL);
	heddle__ompt_name_drop(named);
}

static void on_implicit_task_begin(ompt2015_id_t parallel, ompt2015_id_t task)
{
	begin_implicit_task(parallel, task);
}

static void on_implicit_task_end(ompt2015_id_t parallel, ompt2015_id_t task)
{
	(void)parallel;
	end_implicit_task(task);
}

/* ---- explicit tasks ---- */

static __attribute__((noinline)) void on_task_begin(
	ompt2015_id_t parent, const ompt2015_frame_t *parent_frame, ompt2015_id_t task, const void *outlined)
{
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, task);
	ompt_frame_t frame = heddle__ompt2015_frame(parent_frame);
	if (!named)
		return;
	if (heddle__ompt2015.version < OMPT2015_VERSION) {
		heddle__ompt2015_start(
			&(struct heddle_ompt2015_start){named, parent_frame, parent, outlined, heddle__call_here()});
		return;
	}
	follow();
	NOTIFY(ompt_callback_task_create, task_create_t, task_word(parent), &frame, &named->data, ompt_task_explicit, 0,
		stand_in_place(outlined));
}

static void on_task_end(ompt2015_id_t task)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, task);
	if (!named)
		return;
	NOTIFY(ompt_callback_task_schedule, heddle_ompt2015_schedule_t, &named->data, ompt_task_complete, NULL);
	heddle__ompt_name_drop(named);
}

static void on_task_switch(ompt2015_id_t suspended, ompt2015_id_t resumed)
{
	if (!heddle__ompt2015_is_start(resumed))
		NOTIFY(ompt_callback_task_schedule, heddle_ompt2015_schedule_t, task_word(suspended), ompt_task_switch,
			task_word(resumed));
}

/* LLVM's runtime has the structure that the report defines. */
struct dependence {
	void *variable;
	uint32_t flags;
};

/* The structure of OpenMP 5, in which the numbers of in and out are swapped. */
struct five_dependence {
	ompt_data_t variable;
	int type;
};
#define DEPENDENCES 32

static void on_task_dependences(ompt2015_id_t task, const struct dependence *given, int count)
{
	static const int types[] = {0, 2, 1, 3};
	struct five_dependence reported[DEPENDENCES];
	int n = count < DEPENDENCES ? count : DEPENDENCES;
	for (int i = 0; i < n; i++)
		reported[i] = (struct five_dependence){{.ptr = given[i].variable}, types[given[i].flags & 3]};
	if (n > 0)
		NOTIFY(FIVE_DEPENDENCES, dependences_t, task_word(task), reported, n);
}

static void on_task_dependence_pair(ompt2015_id_t first, ompt2015_id_t second)
{
	NOTIFY(FIVE_TASK_DEPENDENCE, task_dependence_t, task_word(first), task_word(second));
}

/* An initial task has a data word, with no content. */
static void on_initial_task_begin(ompt2015_id_t task)
{
	struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, task);
	if (named)
		NOTIFY(ompt_callback_implicit_task, implicit_task_t, ompt_scope_begin, &unknown, &named->data, 1, 1,
			ompt_task_initial);
}

static void on_initial_task_end(ompt2015_id_t task)
{
	struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, task);
	if (!named)
		return;
	NOTIFY(ompt_callback_implicit_task, implicit_task_t, ompt_scope_end, NULL, &named->data, 1, 1,
		ompt_task_initial);
	heddle__ompt_name_drop(named);
}

/* ---- regions within a task ---- */

/* Older runtimes do not pass the last argument of their callbacks, or it has another meaning. */
static const void *reported_address(const void *code)
{
	return heddle__ompt2015.version >= OMPT2015_VERSION ? code : NULL;
}

static void report_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt2015_id_t parallel,
	ompt2015_id_t task, const void *code)
{
	if (endpoint == ompt_scope_begin) {
		heddle__ompt2015_leave_target();
		follow();
	}
	NOTIFY(ompt_callback_sync_region, sync_region_t, kind, endpoint, region_word(parallel), task_word(task), code);
}

static void report_work(
	ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt2015_id_t parallel, ompt2015_id_t task, const void *code)
{
	if (endpoint == ompt_scope_begin) {
		heddle__ompt2015_leave_target();
		follow();
	}
	NOTIFY(ompt_callback_work, work_t, kind, endpoint, region_word(parallel), task_word(task), 0, code);
}

/* Reports a wait within a region. If the runtime does not report the region, the wait replaces it. */
static void report_wait(enum ompt2015_event region, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt2015_id_t parallel, ompt2015_id_t task)
{
	if (heddle__ompt2015_delivers(region))
		NOTIFY(FIVE_SYNC_REGION_WAIT, sync_region_t, kind, endpoint, region_word(parallel), task_word(task),
			NULL);
	else
		report_sync(kind, endpoint, parallel, task, NULL);
}

#define SYNC_REGION(name, kind)                                                                     \
	static void on_##name##_begin(ompt2015_id_t parallel, ompt2015_id_t task, const void *code) \
	{                                                                                           \
		report_sync(kind, ompt_scope_begin, parallel, task, reported_address(code));        \
	}                                                                                           \
	static void on_##name##_end(ompt2015_id_t parallel, ompt2015_id_t task)                     \
	{                                                                                           \
		report_sync(kind, ompt_scope_end, parallel, task, NULL);                            \
	}                                                                                           \
	static void on_wait_##name##_begin(ompt2015_id_t parallel, ompt2015_id_t task)              \
	{                                                                                           \
		report_wait(ompt2015_event_##name##_begin, kind, ompt_scope_begin, parallel, task); \
	}                                                                                           \
	static void on_wait_##name##_end(ompt2015_id_t parallel, ompt2015_id_t task)                \
	{                                                                                           \
		report_wait(ompt2015_event_##name##_begin, kind, ompt_scope_end, parallel, task);   \
	}
SYNC_REGION(barrier, ompt_sync_region_barrier)
SYNC_REGION(taskwait, ompt_sync_region_taskwait)
SYNC_REGION(taskgroup, ompt_sync_region_taskgroup)

#define WORK_REGION(name, kind)                                                                     \
	static void on_##name##_begin(ompt2015_id_t parallel, ompt2015_id_t task, const void *code) \
	{                                                                                           \
		report_work(kind, ompt_scope_begin, parallel, task, reported_address(code));        \
	}                                                                                           \
	static void on_##name##_end(ompt2015_id_t parallel, ompt2015_id_t task)                     \
	{                                                                                           \
		report_work(kind, ompt_scope_end, parallel, task, NULL);                            \
	}
WORK_REGION(loop, ompt_work_loop)
WORK_REGION(sections, ompt_work_sections)
WORK_REGION(single_in_block, ompt_work_single_executor)
WORK_REGION(workshare, ompt_work_workshare)

static void on_single_others_begin(ompt2015_id_t parallel, ompt2015_id_t task)
{
	report_work(ompt_work_single_other, ompt_scope_begin, parallel, task, NULL);
}

static void on_single_others_end(ompt2015_id_t parallel, ompt2015_id_t task)
{
	report_work(ompt_work_single_other, ompt_scope_end, parallel, task, NULL);
}

static void on_master_begin(ompt2015_id_t parallel, ompt2015_id_t task, const void *code)
{
	NOTIFY(FIVE_MASKED, masked_t, ompt_scope_begin, region_word(parallel), task_word(task), reported_address(code));
}

static void on_master_end(ompt2015_id_t parallel, ompt2015_id_t task)
{
	NOTIFY(FIVE_MASKED, masked_t, ompt_scope_end, region_word(parallel), task_word(task), NULL);
}

/* ---- mutual exclusion; no event has the place in the program ---- */

static void report_acquire(int event, ompt_mutex_t kind, ompt_wait_id_t wait_id, uint32_t hint, uint32_t type)
{
	bool all = heddle__ompt2015.version >= OMPT2015_VERSION;
	NOTIFY(event, mutex_acquire_t, kind, all ? hint : 0, all ? type : 0, wait_id, NULL);
}

/* If the runtime does not report the release, the mutex is released at once. */
static void report_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, enum ompt2015_event release)
{
	NOTIFY(ompt_callback_mutex_acquired, mutex_t, kind, wait_id, NULL);
	if (!heddle__ompt2015_delivers(release))
		NOTIFY(FIVE_MUTEX_RELEASED, mutex_t, kind, wait_id, NULL);
}

#define MUTEX(kind, acquired, release)                                     \
	static void on_##acquired(ompt_wait_id_t wait_id)                  \
	{                                                                  \
		report_acquired(kind, wait_id, ompt2015_event_##release);  \
	}                                                                  \
	static void on_##release(ompt_wait_id_t wait_id)                   \
	{                                                                  \
		NOTIFY(FIVE_MUTEX_RELEASED, mutex_t, kind, wait_id, NULL); \
	}
MUTEX(ompt_mutex_lock, acquired_lock, release_lock)
MUTEX(ompt_mutex_nest_lock, acquired_nest_lock_first, release_nest_lock_last)
MUTEX(ompt_mutex_critical, acquired_critical, release_critical)
MUTEX(ompt_mutex_atomic, acquired_atomic, release_atomic)
MUTEX(ompt_mutex_ordered, acquired_ordered, release_ordered)

#define MUTEX_WAIT(name, kind)                                                    \
	static void on_wait_##name(ompt_wait_id_t wait_id)                        \
	{                                                                         \
		report_acquire(ompt_callback_mutex_acquire, kind, wait_id, 0, 0); \
	}
MUTEX_WAIT(lock, ompt_mutex_lock)
MUTEX_WAIT(nest_lock, ompt_mutex_nest_lock)
MUTEX_WAIT(ordered, ompt_mutex_ordered)

static void on_wait_critical(ompt_wait_id_t wait_id, uint32_t hint, uint32_t type)
{
	report_acquire(ompt_callback_mutex_acquire, ompt_mutex_critical, wait_id, hint, type);
}

static void on_wait_atomic(ompt_wait_id_t wait_id, uint32_t type)
{
	report_acquire(ompt_callback_mutex_acquire, ompt_mutex_atomic, wait_id, 0, type);
}

/* The holder acquired the lock again, which may have been reported as a wait; that wait has ended. */
static void on_acquired_nest_lock_next(ompt_wait_id_t wait_id)
{
	NOTIFY(ompt_callback_nest_lock, nest_lock_t, ompt_scope_begin, wait_id, NULL);
}

static void on_release_nest_lock_prev(ompt_wait_id_t wait_id)
{
	NOTIFY(ompt_callback_nest_lock, nest_lock_t, ompt_scope_end, wait_id, NULL);
}

#define LOCK_LIFE(name, kind)                                                            \
	static void on_init_##name(ompt_wait_id_t wait_id, uint32_t hint, uint32_t type) \
	{                                                                                \
		report_acquire(FIVE_LOCK_INIT, kind, wait_id, hint, type);               \
	}                                                                                \
	static void on_destroy_##name(ompt_wait_id_t wait_id)                            \
	{                                                                                \
		NOTIFY(FIVE_LOCK_DESTROY, mutex_t, kind, wait_id, NULL);                 \
	}
LOCK_LIFE(lock, ompt_mutex_lock)
LOCK_LIFE(nest_lock, ompt_mutex_nest_lock)

/* ---- other events ---- */

static void on_flush(ompt2015_id_t thread)
{
	(void)thread;
	NOTIFY(FIVE_FLUSH, flush_t, NULL, NULL);
}

/* The commands of omp_control_tool have the same numbers; unknown ones are ignored. */
static void on_control(uint64_t command, uint64_t modifier)
{
	if (command == ompt2015_control_start || command == ompt2015_control_pause)
		heddle__ompt2015_pause_devices(command == ompt2015_control_pause);
	else if (command == ompt2015_control_flush || command == ompt2015_control_end)
		heddle__ompt2015_end_devices();
	if (heddle__ompt2015_five[FIVE_CONTROL_TOOL])
		((control_tool_t)heddle__ompt2015_five[FIVE_CONTROL_TOOL])(command, modifier, NULL, NULL);
	else if (command == ompt2015_control_start)
		heddle__continue();
	else if (command == ompt2015_control_pause)
		heddle__pause();
	else if (command == ompt2015_control_flush)
		heddle__write_now("flush");
	else if (command == ompt2015_control_end)
		heddle__finish("ompt_control");
}

/* The runtime may start again later, through the initializer. */
static void on_runtime_shutdown(void)
{
	heddle__ompt2015_end_devices();
	atomic_store(&heddle__ompt2015.alive, false);
}

const ompt_callback_t heddle__ompt2015_host_callbacks[OMPT2015_EVENT_LIMIT] = {
#define X(number, name) [number] = (ompt_callback_t)on_##name,
	OMPT2015_HOST_EVENTS(X)
#undef X
};
