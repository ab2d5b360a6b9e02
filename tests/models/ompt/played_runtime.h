/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated runtime of OpenMP 5 for unit tests. It sends events as OpenMP 5.2 prescribes them, and as LLVM's runtime
 * sends them: a worker's end events are late, with its task's data cleared. Threads are contexts that take turns on
 * this one thread, so each order of events is exact. Included once in a program; its tests are those of TEST(...)
 * between start_runtime and the end.
 */
#ifndef HEDDLE_TESTS_MODELS_OMPT_PLAYED_RUNTIME_H
#define HEDDLE_TESTS_MODELS_OMPT_PLAYED_RUNTIME_H

#include "core/process/thread_life.h"
#include "tests/models/ompt/tool.h"

/* ---- the runtime ---- */

/* The specification's numbers, repeated here because the tool's own list is tested, too. */
enum {
	THREAD_BEGIN = 1,
	THREAD_END = 2,
	PARALLEL_BEGIN = 3,
	PARALLEL_END = 4,
	TASK_CREATE = 5,
	TASK_SCHEDULE = 6,
	IMPLICIT_TASK = 7,
	CONTROL_TOOL = 11,
	DEVICE_INITIALIZE = 12,
	DEVICE_FINALIZE = 13,
	DEVICE_LOAD = 14,
	DEVICE_UNLOAD = 15,
	SYNC_REGION_WAIT = 16,
	MUTEX_RELEASED = 17,
	DEPENDENCES = 18,
	TASK_DEPENDENCE = 19,
	WORK = 20,
	MASKED = 21,
	SYNC_REGION = 23,
	LOCK_INIT = 24,
	LOCK_DESTROY = 25,
	MUTEX_ACQUIRE = 26,
	MUTEX_ACQUIRED = 27,
	NEST_LOCK = 28,
	FLUSH = 29,
	CANCEL = 30,
	REDUCTION = 31,
	DISPATCH = 32,
	TARGET_EMI = 33,
	TARGET_DATA_OP_EMI = 34,
	TARGET_SUBMIT_EMI = 35,
	TARGET_MAP_EMI = 36,
	ERROR = 37,
	CALLBACKS = 64
};
enum { BEGIN = 1, END = 2, BEGIN_END = 3 };

static ompt_callback_t callbacks[CALLBACKS];

static inline ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	assert_true((unsigned int)event < CALLBACKS);
	callbacks[event] = callback;
	return ompt_set_always;
}

static inline int get_task_info(
	int level, int *flags, ompt_data_t **task, ompt_frame_t **frame, ompt_data_t **parallel, int *number)
{
	(void)level, (void)task, (void)frame, (void)parallel;
	*flags = *number = 0;
	return 0;
}

static inline ompt_interface_fn_t lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)get_task_info;
	return NULL;
}

static inline void thread_begin(int type)
{
	CALL(THREAD_BEGIN, (int, ompt_data_t *), type, NULL);
}

static inline void thread_end(void)
{
	CALL(THREAD_END, (ompt_data_t *), NULL);
}

static inline void parallel_begin(ompt_data_t *task, ompt_data_t *parallel, uintptr_t at)
{
	CALL(PARALLEL_BEGIN, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned int, int, const void *),
		task, NULL, parallel, 2, 0, (void *)at);
}

static inline void parallel_end(ompt_data_t *parallel, ompt_data_t *task)
{
	CALL(PARALLEL_END, (ompt_data_t *, ompt_data_t *, int, const void *), parallel, task, 0, NULL);
}

static inline void implicit_task(
	int endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned int size, unsigned int number)
{
	CALL(IMPLICIT_TASK, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int), endpoint, parallel,
		task, size, number, ompt_task_implicit);
}

static inline void task_create(ompt_data_t *creator, ompt_data_t *task, uintptr_t at)
{
	CALL(TASK_CREATE, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *), creator, NULL,
		task, ompt_task_explicit, 0, (void *)at);
}

static inline void task_schedule(ompt_data_t *prior, int status, ompt_data_t *next)
{
	CALL(TASK_SCHEDULE, (ompt_data_t *, int, ompt_data_t *), prior, status, next);
}

static inline void sync_region(int kind, int endpoint, uintptr_t at)
{
	CALL(SYNC_REGION, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind, endpoint, NULL, NULL,
		(void *)at);
}

/* After the first taskgroup, the tool registers a callback for waits. */
static inline void expect_waits(void)
{
	sync_region(ompt_sync_region_taskgroup, 1, 0x6001);
	sync_region(ompt_sync_region_taskgroup, 2, 0x6001);
	assert_non_null(callbacks[SYNC_REGION_WAIT]);
}

static inline void lock_acquire(int kind, uint64_t lock, uintptr_t at)
{
	CALL(MUTEX_ACQUIRE, (int, unsigned int, unsigned int, uint64_t, const void *), kind, 0, 0, lock, (void *)at);
}

static inline void lock_acquired(int kind, uint64_t lock, uintptr_t at)
{
	CALL(MUTEX_ACQUIRED, (int, uint64_t, const void *), kind, lock, (void *)at);
}

static inline void lock_released(int kind, uint64_t lock, uintptr_t at)
{
	CALL(MUTEX_RELEASED, (int, uint64_t, const void *), kind, lock, (void *)at);
}

static inline void nest_lock(int endpoint, uint64_t lock, uintptr_t at)
{
	CALL(NEST_LOCK, (int, uint64_t, const void *), endpoint, lock, (void *)at);
}

static inline void lock_init(int kind, uint64_t lock, uintptr_t at)
{
	CALL(LOCK_INIT, (int, unsigned int, unsigned int, uint64_t, const void *), kind, 0, 0, lock, (void *)at);
}

static inline void lock_destroy(int kind, uint64_t lock, uintptr_t at)
{
	CALL(LOCK_DESTROY, (int, uint64_t, const void *), kind, lock, (void *)at);
}

/* A mutex for tests in which its identity does not matter. */
enum { A_MUTEX = 77 };

static inline void mutex_acquire(int kind, uintptr_t at)
{
	lock_acquire(kind, A_MUTEX, at);
}

static inline void mutex_acquired(int kind, uintptr_t at)
{
	lock_acquired(kind, A_MUTEX, at);
}

static inline void mutex_released(int kind, uintptr_t at)
{
	lock_released(kind, A_MUTEX, at);
}

static inline void sync_region_wait(int kind, int endpoint, uintptr_t at)
{
	CALL(SYNC_REGION_WAIT, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind, endpoint, NULL, NULL,
		(void *)at);
}

static inline int control_tool(uint64_t command)
{
	return ((int (*)(uint64_t, uint64_t, void *, const void *))callbacks[CONTROL_TOOL])(command, 0, NULL, NULL);
}

static inline void work(int kind, int endpoint, uintptr_t at)
{
	CALL(WORK, (int, int, ompt_data_t *, ompt_data_t *, uint64_t, const void *), kind, endpoint, NULL, NULL, 2,
		(void *)at);
}

/* ---- the program: places are addresses in no module ---- */

enum { REGION_1 = 0x1001, REGION_2 = 0x2001, TASK_AT = 0x3001, WAIT_AT = 0x4001, OTHER_AT = 0x5001 };

static struct heddle_thread *master, *worker;
static ompt_data_t initial;

static inline void as(struct heddle_thread *thread)
{
	heddle__self = thread;
}

static inline uint64_t visits(const struct heddle_thread *thread, uint32_t of)
{
	return value_of(thread, of, HEDDLE_METRIC_VISITS);
}

static inline struct heddle_thread *new_worker(void)
{
	struct heddle_thread *before = heddle__self;
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_WORKER + heddle__ompt_model);
	assert_non_null(thread);
	heddle__self = NULL; /* a thread has one context */
	heddle__thread_begin(thread, 1 << 20);
	thread_begin(ompt_thread_worker);
	heddle__self = before;
	return thread;
}

static inline int start_runtime(void **state)
{
	(void)state;
	if (!start_tool(lookup))
		return -1;
	master = heddle__self;
	thread_begin(ompt_thread_initial);
	worker = new_worker();
	return 0;
}

/* After each test, both threads have nothing open, and all of their time is charged. */
static inline int check_balance(void **state)
{
	(void)state;
	as(master);
	assert_int_equal(master->stack.depth, 0);
	assert_int_equal(worker->stack.depth, 0);
	assert_int_equal(atomic_load(&master->inside) + atomic_load(&worker->inside), 0);
	assert_non_null(worker->idle_slot);
	return 0;
}

static ompt_data_t team, of_master, of_worker;

static inline void begin_region(void)
{
	team = of_master = of_worker = (ompt_data_t){0};
	as(master);
	parallel_begin(&initial, &team, REGION_1);
	implicit_task(BEGIN, &team, &of_master, 2, 0);
	as(worker);
	implicit_task(BEGIN, &team, &of_worker, 2, 1);
	as(master);
}

static inline void end_region(void)
{
	as(worker);
	implicit_task(END, NULL, &of_worker, 0, 1);
	as(master);
	implicit_task(END, NULL, &of_master, 2, 0);
	parallel_end(&team, &initial);
}

static inline uint64_t count_of(enum heddle_ompt_event event, uintptr_t at)
{
	return visits(
		master, heddle__tree_child(HEDDLE_TREE_ROOT,
				HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id), at ? at - 1 : 0));
}

#define TEST(name) cmocka_unit_test_teardown(name, check_balance)

#endif
