/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The OpenMP events, from a runtime that this file plays, as OpenMP 5.2 prescribes them (and LLVM's sends them: a
 * worker's end events come late, with its task's data wiped). Threads are contexts that take turns on this one thread,
 * so each order of events is exact.
 */
#include "tests/support/unit.h"

#include "core/frontend.h"
#include "core/memory.h"
#include "core/process.h"
#include "core/region.h"
#include "models/ompt/ompt_events.h"
#include "models/ompt/ompt_names.h"

extern const struct heddle_frontend heddle__ompt_frontend;
const struct heddle_frontend *const heddle__frontends[] = {&heddle__ompt_frontend, NULL};

/* ---- the runtime ---- */

/* Numbers as in the specification, written out here once more: the tool's own list is under test, too. */
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

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback)
{
	assert_true((unsigned int)event < CALLBACKS);
	callbacks[event] = callback;
	return ompt_set_always;
}

static int get_task_info(
	int level, int *flags, ompt_data_t **task, ompt_frame_t **frame, ompt_data_t **parallel, int *number)
{
	(void)level, (void)task, (void)frame, (void)parallel;
	*flags = *number = 0;
	return 0;
}

static ompt_interface_fn_t lookup(const char *name)
{
	if (strcmp(name, "ompt_set_callback") == 0)
		return (ompt_interface_fn_t)set_callback;
	if (strcmp(name, "ompt_get_task_info") == 0)
		return (ompt_interface_fn_t)get_task_info;
	return NULL;
}

#define CALL(event, type, ...)                                 \
	do {                                                   \
		assert_non_null(callbacks[event]);             \
		((void(*) type)callbacks[event])(__VA_ARGS__); \
	} while (0)

static void thread_begin(int type)
{
	CALL(THREAD_BEGIN, (int, ompt_data_t *), type, NULL);
}

static void thread_end(void)
{
	CALL(THREAD_END, (ompt_data_t *), NULL);
}

static void parallel_begin(ompt_data_t *task, ompt_data_t *parallel, uintptr_t at)
{
	CALL(PARALLEL_BEGIN, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned int, int, const void *),
		task, NULL, parallel, 2, 0, (void *)at);
}

static void parallel_end(ompt_data_t *parallel, ompt_data_t *task)
{
	CALL(PARALLEL_END, (ompt_data_t *, ompt_data_t *, int, const void *), parallel, task, 0, NULL);
}

static void implicit_task(
	int endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned int size, unsigned int number)
{
	CALL(IMPLICIT_TASK, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int), endpoint, parallel,
		task, size, number, ompt_task_implicit);
}

static void task_create(ompt_data_t *creator, ompt_data_t *task, uintptr_t at)
{
	CALL(TASK_CREATE, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *), creator, NULL,
		task, ompt_task_explicit, 0, (void *)at);
}

static void task_schedule(ompt_data_t *prior, int status, ompt_data_t *next)
{
	CALL(TASK_SCHEDULE, (ompt_data_t *, int, ompt_data_t *), prior, status, next);
}

static void sync_region(int kind, int endpoint, uintptr_t at)
{
	CALL(SYNC_REGION, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind, endpoint, NULL, NULL,
		(void *)at);
}

static void mutex_acquire(int kind, uintptr_t at)
{
	CALL(MUTEX_ACQUIRE, (int, unsigned int, unsigned int, uint64_t, const void *), kind, 0, 0, 77, (void *)at);
}

static void mutex_acquired(int kind, uintptr_t at)
{
	CALL(MUTEX_ACQUIRED, (int, uint64_t, const void *), kind, 77, (void *)at);
}

static void mutex_released(int kind, uintptr_t at)
{
	CALL(MUTEX_RELEASED, (int, uint64_t, const void *), kind, 77, (void *)at);
}

static void sync_region_wait(int kind, int endpoint, uintptr_t at)
{
	CALL(SYNC_REGION_WAIT, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind, endpoint, NULL, NULL,
		(void *)at);
}

static int control_tool(uint64_t command)
{
	return ((int (*)(uint64_t, uint64_t, void *, const void *))callbacks[CONTROL_TOOL])(command, 0, NULL, NULL);
}

static void work(int kind, int endpoint, uintptr_t at)
{
	CALL(WORK, (int, int, ompt_data_t *, ompt_data_t *, uint64_t, const void *), kind, endpoint, NULL, NULL, 2,
		(void *)at);
}

/* ---- the program: places are addresses in no module ---- */

enum { REGION_1 = 0x1001, REGION_2 = 0x2001, TASK_AT = 0x3001, WAIT_AT = 0x4001, OTHER_AT = 0x5001 };

static struct heddle_thread *master, *worker;
static ompt_data_t initial;

static void as(struct heddle_thread *thread)
{
	heddle__self = thread;
}

static uint32_t node(uint32_t parent, enum heddle_ompt_event event, uintptr_t return_address)
{
	return heddle__tree_child(
		parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id), return_address - 1);
}

static uint64_t visits(const struct heddle_thread *thread, uint32_t of)
{
	return value_of(thread, of, HEDDLE_METRIC_VISITS);
}

static struct heddle_thread *new_worker(void)
{
	struct heddle_thread *before = heddle__self;
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_OPENMP);
	assert_non_null(thread);
	heddle__thread_begin(thread, 1 << 20);
	thread_begin(ompt_thread_worker);
	heddle__self = before;
	return thread;
}

static int start_runtime(void **state)
{
	static char output[] = "/tmp/heddle-ompt-XXXXXX";
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(output), 1);
	ompt_start_tool_result_t *tool = ompt_start_tool(202011, "a runtime for tests");
	rmdir(output); /* nothing is written */
	if (!tool || tool->initialize(lookup, 0, &tool->tool_data) != 1)
		return -1;
	heddle__events_give_time = true;
	master = heddle__self;
	thread_begin(ompt_thread_initial);
	worker = new_worker();
	return 0;
}

/* After each test both threads are where they began: nothing open, nothing charged to anybody else. */
static int check_balance(void **state)
{
	(void)state;
	as(master);
	assert_int_equal(master->depth, 0);
	assert_int_equal(worker->depth, 0);
	assert_int_equal(atomic_load(&master->inside) + atomic_load(&worker->inside), 0);
	assert_non_null(worker->idle_slot);
	return 0;
}

static void all_callbacks_have_the_specification_s_numbers(void **state)
{
	(void)state;
	static const uint8_t wanted[] = {THREAD_BEGIN, THREAD_END, PARALLEL_BEGIN, PARALLEL_END, TASK_CREATE,
		TASK_SCHEDULE, IMPLICIT_TASK, CONTROL_TOOL, SYNC_REGION_WAIT, MUTEX_RELEASED, DEPENDENCES,
		TASK_DEPENDENCE, WORK, MASKED, SYNC_REGION, LOCK_INIT, LOCK_DESTROY, MUTEX_ACQUIRE, MUTEX_ACQUIRED,
		NEST_LOCK, FLUSH, CANCEL, REDUCTION, DISPATCH, ERROR, DEVICE_INITIALIZE, DEVICE_FINALIZE, DEVICE_LOAD,
		DEVICE_UNLOAD, TARGET_EMI, TARGET_DATA_OP_EMI, TARGET_SUBMIT_EMI, TARGET_MAP_EMI};
	int count = 0;
	for (size_t i = 0; i < sizeof(wanted); i++)
		assert_non_null(callbacks[wanted[i]]);
	for (size_t i = 0; i < CALLBACKS; i++)
		count += callbacks[i] != NULL;
	assert_int_equal(count, sizeof(wanted));
}

static void a_region_s_threads_continue_from_where_it_was_created(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, tasks[2] = {{0}, {0}};
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	as(master);
	parallel_begin(&initial, &parallel, REGION_1);
	implicit_task(BEGIN, &parallel, &tasks[0], 2, 0);
	assert_int_equal(heddle__current_node(master), region);
	as(worker);
	implicit_task(BEGIN, &parallel, &tasks[1], 2, 1);
	assert_int_equal(heddle__current_node(worker), region);
	assert_int_equal(worker->openmp_number, 1);
	sync_region(ompt_sync_region_barrier_explicit, BEGIN, WAIT_AT);
	uint32_t barrier = node(region, HEDDLE_OMPT_BARRIER, WAIT_AT);
	assert_int_equal(heddle__current_node(worker), barrier);
	sync_region(ompt_sync_region_barrier_explicit, END, WAIT_AT);
	assert_int_equal(heddle__current_node(worker), region);
	implicit_task(END, NULL, &tasks[1], 0, 1);
	as(master);
	implicit_task(END, NULL, &tasks[0], 2, 0);
	parallel_end(&parallel, &initial);
	assert_int_equal(visits(master, region), 1); /* an encounter is the creator's, not each thread's */
	assert_int_equal(visits(worker, region), 0);
	assert_int_equal(visits(worker, barrier), 1);
	assert_true(value_of(worker, barrier, HEDDLE_METRIC_WALL_TIME) > 0);
}

/* As LLVM's runtime: the worker waits in the last barrier until the next fork, and its task's data is wiped by then. */
static void a_worker_s_late_end_is_dated_back_to_its_region_s(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, tasks[2] = {{0}, {0}};
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	uint32_t barrier = node(region, HEDDLE_OMPT_IMPLICIT_BARRIER, REGION_1);
	as(worker);
	heddle__set_idle(worker, worker->idle_slot); /* charge up to now */
	uint64_t waited = value_of(worker, barrier, HEDDLE_METRIC_WALL_TIME), first = heddle__measured_ticks();
	as(master);
	parallel_begin(&initial, &parallel, REGION_1);
	implicit_task(BEGIN, &parallel, &tasks[0], 2, 0);
	as(worker);
	implicit_task(BEGIN, &parallel, &tasks[1], 2, 1);
	sync_region(ompt_sync_region_barrier_implicit_parallel, BEGIN, 0);
	assert_int_equal(heddle__current_node(worker), barrier); /* where its region is */
	as(master);
	implicit_task(END, NULL, &tasks[0], 2, 0);
	parallel_end(&parallel, &initial);
	uint64_t ended = heddle__measured_ticks();
	usleep(20000);
	as(worker);
	tasks[1].value = 0;
	sync_region(ompt_sync_region_barrier_implicit_parallel, END, 0);
	implicit_task(END, NULL, &tasks[1], 0, 1);
	waited = value_of(worker, barrier, HEDDLE_METRIC_WALL_TIME) - waited;
	assert_true(waited > 0 && waited <= ended - first);
}

/* The end does not come at all, and the same task's storage is used for the next region. */
static void a_worker_s_missing_end_is_made_up_for(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, tasks[2] = {{0}, {0}};
	for (int round = 0; round < 3; round++) {
		as(master);
		parallel_begin(&initial, &parallel, REGION_1);
		implicit_task(BEGIN, &parallel, &tasks[0], 2, 0);
		as(worker);
		implicit_task(BEGIN, &parallel, &tasks[1], 2, 1);
		assert_int_equal(worker->depth, 1);
		as(master);
		implicit_task(END, NULL, &tasks[0], 2, 0);
		parallel_end(&parallel, &initial);
	}
	as(worker);
	implicit_task(END, NULL, &tasks[1], 0, 1);
}

static void nested_regions_hang_below_each_other(void **state)
{
	(void)state;
	ompt_data_t outer = {0}, inner = {0}, tasks[2] = {{0}, {0}};
	as(master);
	parallel_begin(&initial, &outer, REGION_1);
	implicit_task(BEGIN, &outer, &tasks[0], 1, 0);
	parallel_begin(&tasks[0], &inner, REGION_2);
	implicit_task(BEGIN, &inner, &tasks[1], 1, 0);
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	assert_int_equal(heddle__current_node(master), node(region, HEDDLE_OMPT_PARALLEL, REGION_2));
	implicit_task(END, NULL, &tasks[1], 1, 0);
	parallel_end(&inner, &tasks[0]);
	assert_int_equal(heddle__current_node(master), region);
	implicit_task(END, NULL, &tasks[0], 1, 0);
	parallel_end(&outer, &initial);
	assert_int_equal(visits(master, node(region, HEDDLE_OMPT_PARALLEL, REGION_2)), 1);
}

/* As LLVM's runtime: one task for all regions that run on one thread inside each other. */
static void nested_regions_of_one_task_hang_below_each_other(void **state)
{
	(void)state;
	ompt_data_t outer = {0}, inner = {0}, task = {0};
	as(master);
	uint32_t first = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	parallel_begin(&initial, &outer, REGION_1);
	implicit_task(BEGIN, &outer, &task, 1, 0);
	for (int i = 0; i < 3; i++) {
		parallel_begin(&task, &inner, REGION_2);
		implicit_task(BEGIN, &inner, &task, 1, 0);
		assert_int_equal(heddle__current_node(master), node(first, HEDDLE_OMPT_PARALLEL, REGION_2));
		implicit_task(END, NULL, &task, 1, 0);
		parallel_end(&inner, &task);
		assert_int_equal(heddle__current_node(master), first);
	}
	implicit_task(END, NULL, &task, 1, 0);
	parallel_end(&outer, &initial);
}

static ompt_data_t team, of_master, of_worker;

static void begin_region(void)
{
	team = of_master = of_worker = (ompt_data_t){0};
	as(master);
	parallel_begin(&initial, &team, REGION_1);
	implicit_task(BEGIN, &team, &of_master, 2, 0);
	as(worker);
	implicit_task(BEGIN, &team, &of_worker, 2, 1);
	as(master);
}

static void end_region(void)
{
	as(worker);
	implicit_task(END, NULL, &of_worker, 0, 1);
	as(master);
	implicit_task(END, NULL, &of_master, 2, 0);
	parallel_end(&team, &initial);
}

static void a_task_run_by_another_thread_keeps_its_creator_s_context(void **state)
{
	(void)state;
	ompt_data_t task = {0};
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	begin_region();
	work(ompt_work_single_executor, BEGIN, OTHER_AT);
	uint32_t created = node(node(region, HEDDLE_OMPT_SINGLE, OTHER_AT), HEDDLE_OMPT_TASK, TASK_AT);
	task_create(&of_master, &task, TASK_AT);
	work(ompt_work_single_executor, END, OTHER_AT);
	assert_int_equal(visits(master, created), 1);
	as(worker);
	sync_region(ompt_sync_region_barrier_implicit_workshare, BEGIN, OTHER_AT);
	uint32_t waiting = heddle__current_node(worker);
	task_schedule(&of_worker, ompt_task_switch, &task);
	assert_int_equal(heddle__current_node(worker), created);
	mutex_acquire(ompt_mutex_critical, WAIT_AT);
	assert_int_equal(heddle__current_node(worker), node(created, HEDDLE_OMPT_CRITICAL_WAIT, WAIT_AT));
	mutex_acquired(ompt_mutex_critical, WAIT_AT);
	assert_int_equal(heddle__current_node(worker), node(created, HEDDLE_OMPT_CRITICAL, WAIT_AT));
	mutex_released(ompt_mutex_critical, WAIT_AT);
	assert_int_equal(heddle__current_node(worker), created);
	task_schedule(&task, ompt_task_complete, &of_worker);
	assert_int_equal(heddle__current_node(worker), waiting); /* still in its barrier */
	sync_region(ompt_sync_region_barrier_implicit_workshare, END, OTHER_AT);
	assert_int_equal(heddle__current_node(worker), region);
	assert_true(value_of(worker, created, HEDDLE_METRIC_WALL_TIME) > 0);
	end_region();
}

static void a_task_s_task_runs_in_its_taskwait(void **state)
{
	(void)state;
	ompt_data_t task = {0}, child = {0};
	begin_region();
	task_create(&of_master, &task, TASK_AT);
	task_schedule(&of_master, ompt_task_switch, &task);
	uint32_t outer = heddle__current_node(master);
	task_create(&task, &child, TASK_AT);
	sync_region(ompt_sync_region_taskwait, BEGIN, WAIT_AT);
	uint32_t waiting = heddle__current_node(master);
	assert_int_equal(waiting, node(outer, HEDDLE_OMPT_TASKWAIT, WAIT_AT));
	task_schedule(&task, ompt_task_switch, &child);
	assert_int_equal(heddle__current_node(master), node(outer, HEDDLE_OMPT_TASK, TASK_AT));
	task_schedule(&child, ompt_task_complete, &task);
	assert_int_equal(heddle__current_node(master), waiting);
	sync_region(ompt_sync_region_taskwait, END, WAIT_AT);
	assert_int_equal(heddle__current_node(master), outer);
	task_schedule(&task, ompt_task_complete, &of_master);
	assert_int_equal(heddle__current_node(master), node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1));
	assert_true(value_of(master, waiting, HEDDLE_METRIC_WALL_TIME) > 0);
	end_region();
}

static void an_untied_task_goes_on_with_another_thread(void **state)
{
	(void)state;
	ompt_data_t task = {0};
	begin_region();
	task_create(&of_master, &task, TASK_AT);
	task_schedule(&of_master, ompt_task_switch, &task);
	uint32_t created = heddle__current_node(master);
	uint64_t before = visits(master, created);
	task_schedule(&task, ompt_task_yield, &of_master);
	as(worker);
	task_schedule(&of_worker, ompt_task_switch, &task);
	assert_int_equal(heddle__current_node(worker), created);
	task_schedule(&task, ompt_task_complete, &of_worker);
	assert_int_equal(worker->depth, 1);
	assert_int_equal(visits(master, created), before); /* it goes on, it is not entered again */
	assert_int_equal(visits(worker, created), 0);
	end_region();
}

static void a_fulfilled_event_changes_no_thread_s_task(void **state)
{
	(void)state;
	ompt_data_t task = {0};
	begin_region();
	task_create(&of_master, &task, TASK_AT);
	task_schedule(&of_master, ompt_task_switch, &task);
	uint32_t before = heddle__current_node(master);
	task_schedule(&task, ompt_task_early_fulfill, NULL);
	assert_int_equal(heddle__current_node(master), before);
	task_schedule(&task, ompt_task_complete, &of_master);
	task_schedule(&task, ompt_task_late_fulfill, NULL);
	assert_int_equal(master->depth, 1);
	end_region();
}

static void locks_take_time_until_they_are_acquired(void **state)
{
	(void)state;
	static const struct {
		int kind;
		enum heddle_ompt_event event;
	} kinds[] = {{ompt_mutex_lock, HEDDLE_OMPT_LOCK_WAIT}, {ompt_mutex_nest_lock, HEDDLE_OMPT_NEST_LOCK_WAIT},
		{ompt_mutex_critical, HEDDLE_OMPT_CRITICAL_WAIT}, {ompt_mutex_atomic, HEDDLE_OMPT_ATOMIC_WAIT},
		{ompt_mutex_ordered, HEDDLE_OMPT_ORDERED_WAIT}};
	as(master);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint32_t waiting = node(HEDDLE_TREE_ROOT, kinds[i].event, WAIT_AT);
		mutex_acquire(kinds[i].kind, WAIT_AT);
		assert_int_equal(heddle__current_node(master), waiting);
		assert_int_equal(master->regions[0].state, HEDDLE_STATE_LOCK_WAIT);
		mutex_acquired(kinds[i].kind, WAIT_AT);
		assert_int_not_equal(heddle__current_node(master), waiting);
		mutex_released(kinds[i].kind, WAIT_AT);
		assert_int_equal(master->depth, 0);
		assert_int_equal(visits(master, waiting), 1);
		assert_true(value_of(master, waiting, HEDDLE_METRIC_WALL_TIME) > 0);
	}
}

/* Where they are held, and how often they were let go of. */
static void blocks_take_time_until_they_are_released(void **state)
{
	(void)state;
	static const struct {
		int kind;
		enum heddle_ompt_event event;
	} kinds[] = {{ompt_mutex_critical, HEDDLE_OMPT_CRITICAL}, {ompt_mutex_atomic, HEDDLE_OMPT_ATOMIC},
		{ompt_mutex_ordered, HEDDLE_OMPT_ORDERED}};
	as(master);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint32_t held = node(HEDDLE_TREE_ROOT, kinds[i].event, OTHER_AT);
		mutex_acquire(kinds[i].kind, OTHER_AT);
		mutex_acquired(kinds[i].kind, OTHER_AT);
		assert_int_equal(heddle__current_node(master), held);
		assert_int_equal(master->regions[0].state, HEDDLE_STATE_WORK);
		mutex_released(kinds[i].kind, 0);
		assert_int_equal(visits(master, held), 1);
		assert_true(value_of(master, held, HEDDLE_METRIC_WALL_TIME) > 0);
	}
}

/* Locks need not be given back in order, nor where they were taken. */
static void locks_are_counted_when_taken_and_when_given_back(void **state)
{
	(void)state;
	as(master);
	for (int i = 0; i < 2; i++) {
		mutex_acquire(ompt_mutex_lock, OTHER_AT);
		mutex_acquired(ompt_mutex_lock, OTHER_AT);
	}
	assert_int_equal(master->depth, 0);
	mutex_released(ompt_mutex_lock, TASK_AT);
	mutex_acquire(ompt_mutex_test_lock, OTHER_AT);
	mutex_acquired(ompt_mutex_test_lock, OTHER_AT);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_LOCK, OTHER_AT)), 3);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_UNLOCK, TASK_AT)), 1);
}

/* The owner takes it once more: no mutex_acquired follows, but a nest_lock event. */
static void a_nest_lock_that_one_has_is_had_at_once(void **state)
{
	(void)state;
	as(master);
	mutex_acquire(ompt_mutex_nest_lock, OTHER_AT);
	mutex_acquired(ompt_mutex_nest_lock, OTHER_AT);
	mutex_acquire(ompt_mutex_nest_lock, OTHER_AT);
	CALL(NEST_LOCK, (int, uint64_t, const void *), BEGIN, 77, (void *)OTHER_AT);
	assert_int_equal(master->depth, 0);
	CALL(NEST_LOCK, (int, uint64_t, const void *), END, 77, (void *)OTHER_AT);
	assert_int_equal(master->depth, 0);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_NEST_LOCK_WAIT, OTHER_AT)), 2);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_NEST_LOCK, OTHER_AT)), 1);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_NEST_LOCK_AGAIN, OTHER_AT)), 1);
}

static void a_test_that_fails_leaves_nothing_open(void **state)
{
	(void)state;
	as(master);
	mutex_acquire(ompt_mutex_test_lock, WAIT_AT);
	assert_int_equal(master->depth, 0);
	mutex_acquire(ompt_mutex_test_lock, WAIT_AT);
	mutex_acquired(ompt_mutex_test_lock, WAIT_AT);
	assert_int_equal(master->depth, 0);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TEST_LOCK, WAIT_AT)), 2);
}

static void worksharing_is_a_region_when_events_give_time(void **state)
{
	(void)state;
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	uint32_t sections = node(region, HEDDLE_OMPT_SECTIONS, OTHER_AT);
	begin_region();
	work(ompt_work_sections, BEGIN, OTHER_AT);
	assert_int_equal(heddle__current_node(master), sections);
	work(ompt_work_sections, END, OTHER_AT);
	assert_int_equal(heddle__current_node(master), region);
	heddle__events_give_time = false;
	work(ompt_work_sections, BEGIN, OTHER_AT);
	assert_int_equal(heddle__current_node(master), region);
	work(ompt_work_sections, END, OTHER_AT);
	heddle__events_give_time = true;
	assert_int_equal(visits(master, sections), 2);
	end_region();
}

static void a_taskgroup_s_wait_is_not_its_body(void **state)
{
	(void)state;
	as(master);
	uint32_t group = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TASKGROUP, OTHER_AT);
	uint32_t waiting = node(group, HEDDLE_OMPT_TASKGROUP_WAIT, WAIT_AT);
	sync_region(ompt_sync_region_taskgroup, BEGIN, OTHER_AT);
	assert_int_equal(heddle__current_node(master), group);
	assert_int_equal(master->regions[0].state, HEDDLE_STATE_WORK);
	sync_region_wait(ompt_sync_region_taskgroup, BEGIN, WAIT_AT);
	assert_int_equal(heddle__current_node(master), waiting);
	assert_int_equal(master->regions[1].state, HEDDLE_STATE_TASK_WAIT);
	sync_region_wait(ompt_sync_region_taskgroup, END, WAIT_AT);
	assert_int_equal(heddle__current_node(master), group);
	sync_region(ompt_sync_region_taskgroup, END, OTHER_AT);
	assert_true(value_of(master, waiting, HEDDLE_METRIC_WALL_TIME) > 0);
}

static void other_waits_are_their_regions(void **state)
{
	(void)state;
	as(master);
	sync_region(ompt_sync_region_taskwait, BEGIN, WAIT_AT);
	uint32_t waiting = heddle__current_node(master);
	sync_region_wait(ompt_sync_region_taskwait, BEGIN, WAIT_AT);
	assert_int_equal(heddle__current_node(master), waiting);
	sync_region_wait(ompt_sync_region_taskwait, END, WAIT_AT);
	sync_region(ompt_sync_region_taskwait, END, WAIT_AT);
	assert_int_equal(visits(master, heddle__tree_child(waiting,
						HEDDLE_NODE_META(HEDDLE_NODE_REGION,
							heddle__ompt_events[HEDDLE_OMPT_TASKWAIT_WAIT].id),
						0)),
		1);
}

/* It has no sync_region event: a task stands for it, made and completed while others run. */
static void a_taskwait_with_dependences_waits(void **state)
{
	(void)state;
	ompt_data_t task = {0}, wait = {0};
	begin_region();
	uint32_t region = heddle__current_node(master);
	uint32_t waiting = node(region, HEDDLE_OMPT_TASKWAIT, WAIT_AT);
	uint64_t before = visits(master, node(region, HEDDLE_OMPT_TASK, WAIT_AT));
	task_create(&of_master, &task, TASK_AT);
	CALL(TASK_CREATE, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *), &of_master,
		NULL, &wait, ompt_task_taskwait, 1, (void *)WAIT_AT);
	assert_int_equal(heddle__current_node(master), waiting);
	task_schedule(&of_master, ompt_task_switch, &task);
	task_schedule(&task, ompt_task_complete, &of_master);
	assert_int_equal(heddle__current_node(master), waiting);
	task_schedule(&wait, ompt_taskwait_complete, NULL);
	assert_int_equal(heddle__current_node(master), region);
	assert_int_equal(visits(master, waiting), 1);
	assert_int_equal(visits(master, node(region, HEDDLE_OMPT_TASK, WAIT_AT)), before);
	end_region();
}

/* A league's initial tasks run under it, on other threads too; each has a parallel region in LLVM's runtime. */
static void a_league_s_threads_continue_from_its_construct(void **state)
{
	(void)state;
	ompt_data_t league = {0}, inner = {0}, tasks[3] = {{0}, {0}, {0}};
	as(master);
	CALL(PARALLEL_BEGIN, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned int, int, const void *),
		&initial, NULL, &league, 2, ompt_parallel_league, (void *)REGION_2);
	uint32_t teams = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TEAMS, REGION_2);
	assert_int_equal(visits(master, teams), 1);
	as(worker);
	CALL(IMPLICIT_TASK, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int), BEGIN, &league,
		&tasks[1], 2, 1, ompt_task_initial);
	assert_int_equal(heddle__current_node(worker), teams);
	parallel_begin(&tasks[1], &inner, REGION_1);
	implicit_task(BEGIN, &inner, &tasks[2], 1, 0);
	assert_int_equal(heddle__current_node(worker), node(teams, HEDDLE_OMPT_PARALLEL, REGION_1));
	implicit_task(END, NULL, &tasks[2], 1, 0);
	parallel_end(&inner, &tasks[1]);
	CALL(IMPLICIT_TASK, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int), END, NULL, &tasks[1],
		0, 1, ompt_task_initial);
	as(master);
	parallel_end(&league, &initial);
}

/* In LLVM's runtime the initial task of a league of one does not say which it belongs to. */
static void a_league_of_one_runs_in_its_creator(void **state)
{
	(void)state;
	ompt_data_t league = {0}, none = {0}, tasks[2] = {{0}, {0}};
	as(master);
	CALL(PARALLEL_BEGIN, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, unsigned int, int, const void *),
		&initial, NULL, &league, 1, ompt_parallel_league, (void *)REGION_2);
	CALL(IMPLICIT_TASK, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int), BEGIN, &none,
		&tasks[0], 1, 0, ompt_task_initial);
	uint32_t teams = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_TEAMS, REGION_2);
	assert_int_equal(heddle__current_node(master), teams);
	CALL(IMPLICIT_TASK, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int), END, NULL, &tasks[0],
		0, 0, ompt_task_initial);
	parallel_end(&league, &initial);
	CALL(IMPLICIT_TASK, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int), BEGIN, &none,
		&tasks[1], 1, 1, ompt_task_initial); /* another program's, so to speak */
	assert_int_equal(master->depth, 0);
}

/* The frame pointer of code that has none: nothing of it may be looked at. */
static void a_frame_that_cannot_be_is_not_believed(void **state)
{
	(void)state;
	static const uintptr_t wrong[] = {1, 8, 0x1000, UINTPTR_MAX, UINTPTR_MAX - 15, (uintptr_t)1 << 63};
	begin_region();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		ompt_data_t task = {0};
		ompt_frame_t frame = {{0}, {wrong[i]}, 0, 0};
		CALL(TASK_CREATE, (ompt_data_t *, const ompt_frame_t *, ompt_data_t *, int, int, const void *),
			&of_master, &frame, &task, ompt_task_explicit, 0, (void *)TASK_AT);
		assert_true(task.value & 1);
	}
	end_region();
}

static uint64_t count_of(enum heddle_ompt_event event, uintptr_t at)
{
	return visits(
		master, heddle__tree_child(HEDDLE_TREE_ROOT,
				HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[event].id), at ? at - 1 : 0));
}

static void events_without_duration_are_counted(void **state)
{
	(void)state;
	static const struct {
		int flags;
		enum heddle_ompt_event event;
	} cancels[] = {{0x11, HEDDLE_OMPT_CANCEL_PARALLEL}, {0x12, HEDDLE_OMPT_CANCEL_SECTIONS},
		{0x14, HEDDLE_OMPT_CANCEL_LOOP}, {0x18, HEDDLE_OMPT_CANCEL_TASKGROUP},
		{0x22, HEDDLE_OMPT_CANCEL_DETECTED}, {0x48, HEDDLE_OMPT_DISCARDED_TASK}};
	static const enum heddle_ompt_event chunks[] = {HEDDLE_OMPT_ITERATION, HEDDLE_OMPT_SECTION,
		HEDDLE_OMPT_LOOP_CHUNK, HEDDLE_OMPT_TASKLOOP_CHUNK, HEDDLE_OMPT_DISTRIBUTE_CHUNK};
	ompt_dependence_t list = {{3}, 1}, source = {{3}, 5}, sink = {{3}, 6};
	as(master);
	for (size_t i = 0; i < sizeof(cancels) / sizeof(cancels[0]); i++) {
		CALL(CANCEL, (ompt_data_t *, int, const void *), NULL, cancels[i].flags, (void *)OTHER_AT);
		assert_int_equal(count_of(cancels[i].event, OTHER_AT), 1);
	}
	for (int kind = 1; kind <= 5; kind++) {
		CALL(DISPATCH, (ompt_data_t *, ompt_data_t *, int, ompt_data_t), NULL, NULL, kind, (ompt_data_t){0});
		assert_int_equal(count_of(chunks[kind - 1], 0), 1);
	}
	CALL(DEPENDENCES, (ompt_data_t *, const ompt_dependence_t *, int), NULL, &list, 1);
	CALL(DEPENDENCES, (ompt_data_t *, const ompt_dependence_t *, int), NULL, NULL, 0);
	CALL(DEPENDENCES, (ompt_data_t *, const ompt_dependence_t *, int), NULL, &source, 1);
	CALL(DEPENDENCES, (ompt_data_t *, const ompt_dependence_t *, int), NULL, &sink, 1);
	assert_int_equal(count_of(HEDDLE_OMPT_DEPEND, 0), 2);
	assert_int_equal(count_of(HEDDLE_OMPT_DOACROSS_SOURCE, 0), 1);
	assert_int_equal(count_of(HEDDLE_OMPT_DOACROSS_SINK, 0), 1);
	CALL(TASK_DEPENDENCE, (ompt_data_t *, ompt_data_t *), NULL, NULL);
	assert_int_equal(count_of(HEDDLE_OMPT_TASK_DEPENDENCE, 0), 1);
	CALL(FLUSH, (ompt_data_t *, const void *), NULL, (void *)OTHER_AT);
	assert_int_equal(count_of(HEDDLE_OMPT_FLUSH, OTHER_AT), 1);
	CALL(ERROR, (int, const char *, size_t, const void *), 1, "text", 4, (void *)OTHER_AT);
	assert_int_equal(count_of(HEDDLE_OMPT_ERROR, OTHER_AT), 1);
	for (int kind = 1; kind <= 4; kind += 2) {
		CALL(LOCK_INIT, (int, unsigned int, unsigned int, uint64_t, const void *), kind, 0, 0, 77,
			(void *)OTHER_AT);
		CALL(LOCK_DESTROY, (int, uint64_t, const void *), kind, 77, (void *)WAIT_AT);
	}
	assert_int_equal(count_of(HEDDLE_OMPT_LOCK_INIT, OTHER_AT), 1);
	assert_int_equal(count_of(HEDDLE_OMPT_NEST_LOCK_INIT, OTHER_AT), 1);
	assert_int_equal(count_of(HEDDLE_OMPT_LOCK_DESTROY, WAIT_AT), 1);
	assert_int_equal(count_of(HEDDLE_OMPT_NEST_LOCK_DESTROY, WAIT_AT), 1);
}

static void blocks_without_waiting_take_time(void **state)
{
	(void)state;
	as(master);
	CALL(MASKED, (int, ompt_data_t *, ompt_data_t *, const void *), BEGIN, NULL, NULL, (void *)OTHER_AT);
	uint32_t masked = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_MASKED, OTHER_AT);
	assert_int_equal(heddle__current_node(master), masked);
	CALL(REDUCTION, (int, int, ompt_data_t *, ompt_data_t *, const void *), 7, BEGIN, NULL, NULL, (void *)OTHER_AT);
	assert_int_equal(heddle__current_node(master), node(masked, HEDDLE_OMPT_REDUCTION, OTHER_AT));
	CALL(REDUCTION, (int, int, ompt_data_t *, ompt_data_t *, const void *), 7, END, NULL, NULL, NULL);
	CALL(MASKED, (int, ompt_data_t *, ompt_data_t *, const void *), END, NULL, NULL, NULL);
	assert_true(value_of(master, masked, HEDDLE_METRIC_WALL_TIME) > 0);
	work(ompt_work_single_other, BEGIN_END, OTHER_AT);
	assert_int_equal(master->depth, 0);
	assert_int_equal(count_of(HEDDLE_OMPT_SINGLE_OTHER, OTHER_AT), 1);
}

static void what_happens_to_tasks_is_counted_at_their_place(void **state)
{
	(void)state;
	static const struct {
		int status;
		enum heddle_ompt_event event;
	} kinds[] = {{ompt_task_yield, HEDDLE_OMPT_TASK_YIELD}, {ompt_task_cancel, HEDDLE_OMPT_TASK_CANCEL},
		{ompt_task_detach, HEDDLE_OMPT_TASK_DETACH}, {ompt_task_complete, HEDDLE_OMPT_TASK_SCHEDULE}};
	begin_region();
	uint32_t created = node(heddle__current_node(master), HEDDLE_OMPT_TASK, OTHER_AT);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		ompt_data_t task = {0};
		uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_REGION, heddle__ompt_events[kinds[i].event].id);
		task_create(&of_master, &task, OTHER_AT);
		task_schedule(&of_master, ompt_task_switch, &task);
		task_schedule(&task, kinds[i].status, &of_master);
		assert_int_equal(master->depth, 1);
		assert_int_equal(visits(master, heddle__tree_child(created, meta, 0)),
			kinds[i].status == ompt_task_complete ? 4 : 1);
	}
	end_region();
}

/* What `end` does to the process is tested with real runs. */
static void omp_control_tool_starts_and_pauses(void **state)
{
	(void)state;
	as(master);
	assert_int_equal(control_tool(2), 0);
	assert_false(heddle__running());
	assert_int_equal(control_tool(2), 0);
	CALL(FLUSH, (ompt_data_t *, const void *), NULL, (void *)TASK_AT);
	assert_int_equal(count_of(HEDDLE_OMPT_FLUSH, TASK_AT), 0);
	assert_int_equal(control_tool(1), 0);
	assert_true(heddle__running());
	assert_int_equal(control_tool(1), 0);
	assert_int_equal(control_tool(64), 1);
	assert_int_equal(control_tool(0), 1);
	assert_int_equal(control_tool((uint64_t)-1), 1);
	assert_int_equal(count_of(HEDDLE_OMPT_CONTROL_TOOL, 0), 6); /* the second pause came in the first one's */
}

static void numbers_that_nobody_knows_change_nothing(void **state)
{
	(void)state;
	as(master);
	sync_region(0, BEGIN, WAIT_AT);
	sync_region(1000, BEGIN, WAIT_AT);
	sync_region(-1, END, WAIT_AT);
	mutex_acquire(99, WAIT_AT);
	mutex_acquired(99, WAIT_AT);
	mutex_released(99, WAIT_AT);
	sync_region_wait(99, BEGIN, WAIT_AT);
	CALL(DISPATCH, (ompt_data_t *, ompt_data_t *, int, ompt_data_t), NULL, NULL, 99, (ompt_data_t){0});
	CALL(CANCEL, (ompt_data_t *, int, const void *), NULL, 0, NULL);
	task_schedule(NULL, 99, NULL);
	work(9, BEGIN, WAIT_AT);
	work(-1, END, WAIT_AT);
	assert_int_equal(master->depth, 0);
}

static void ends_without_their_beginnings_change_nothing(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, task = {0};
	as(master);
	sync_region(ompt_sync_region_taskwait, END, WAIT_AT);
	mutex_acquired(ompt_mutex_lock, WAIT_AT);
	work(ompt_work_loop, END, WAIT_AT);
	mutex_released(ompt_mutex_critical, WAIT_AT);
	sync_region_wait(ompt_sync_region_taskgroup, END, WAIT_AT);
	task_schedule(NULL, ompt_taskwait_complete, NULL);
	implicit_task(END, NULL, &task, 2, 0);
	implicit_task(BEGIN, NULL, &task, 2, 0); /* of a region that began before we did */
	implicit_task(END, NULL, &task, 2, 0);
	parallel_end(&parallel, &initial);
	parallel_end(NULL, NULL);
	assert_int_equal(master->depth, 0);
}

static void run_regions(int count)
{
	for (int i = 0; i < count; i++) {
		begin_region();
		as(worker);
		sync_region(ompt_sync_region_barrier_implicit_parallel, BEGIN, 0);
		end_region();
	}
}

static void memory_does_not_grow_with_the_number_of_regions(void **state)
{
	(void)state;
	run_regions(1000);
	uint64_t mapped = heddle__memory_mapped();
	uint32_t nodes = heddle__tree_count();
	run_regions(UNDER_TSAN ? 50000 : 1000000);
	assert_int_equal(heddle__memory_mapped(), mapped);
	assert_int_equal(heddle__tree_count(), nodes);
}

/* Threads end while they wait for the next region: their hold on the last one ends, too. */
static void memory_does_not_grow_with_the_number_of_threads(void **state)
{
	(void)state;
	struct heddle_thread *kept = worker;
	uint64_t mapped = 0;
	for (int i = 0; i < 3000; i++) {
		if (i == 10)
			mapped = heddle__memory_mapped();
		worker = new_worker();
		begin_region();
		as(master);
		implicit_task(END, NULL, &of_master, 2, 0);
		parallel_end(&team, &initial);
		as(worker);
		thread_end();
		assert_int_equal(worker->depth, 0);
		heddle__thread_end(worker);
	}
	assert_int_equal(heddle__memory_mapped(), mapped);
	worker = kept;
}

static void deep_regions_are_let_go_of(void **state)
{
	(void)state;
	enum { DEEP = HEDDLE_FIRST_REGIONS + 20 };
	static ompt_data_t teams[DEEP], tasks[DEEP];
	uint64_t mapped = 0;
	as(master);
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < DEEP; i++) {
			parallel_begin(&initial, &teams[i], REGION_1);
			implicit_task(BEGIN, &teams[i], &tasks[i], 1, 0);
		}
		for (int i = DEEP; i-- > 0;) {
			implicit_task(END, NULL, &tasks[i], 1, 0);
			parallel_end(&teams[i], &initial);
		}
		assert_int_equal(master->depth, 0);
		assert_true(!mapped || heddle__memory_mapped() == mapped);
		mapped = heddle__memory_mapped();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, check_balance)
		TEST(all_callbacks_have_the_specification_s_numbers),
		TEST(a_region_s_threads_continue_from_where_it_was_created),
		TEST(a_worker_s_late_end_is_dated_back_to_its_region_s),
		TEST(a_worker_s_missing_end_is_made_up_for),
		TEST(nested_regions_hang_below_each_other),
		TEST(nested_regions_of_one_task_hang_below_each_other),
		TEST(a_task_run_by_another_thread_keeps_its_creator_s_context),
		TEST(a_task_s_task_runs_in_its_taskwait),
		TEST(an_untied_task_goes_on_with_another_thread),
		TEST(a_fulfilled_event_changes_no_thread_s_task),
		TEST(locks_take_time_until_they_are_acquired),
		TEST(blocks_take_time_until_they_are_released),
		TEST(locks_are_counted_when_taken_and_when_given_back),
		TEST(a_nest_lock_that_one_has_is_had_at_once),
		TEST(a_test_that_fails_leaves_nothing_open),
		TEST(worksharing_is_a_region_when_events_give_time),
		TEST(a_taskgroup_s_wait_is_not_its_body),
		TEST(other_waits_are_their_regions),
		TEST(a_taskwait_with_dependences_waits),
		TEST(a_league_s_threads_continue_from_its_construct),
		TEST(a_league_of_one_runs_in_its_creator),
		TEST(a_frame_that_cannot_be_is_not_believed),
		TEST(events_without_duration_are_counted),
		TEST(blocks_without_waiting_take_time),
		TEST(what_happens_to_tasks_is_counted_at_their_place),
		TEST(omp_control_tool_starts_and_pauses),
		TEST(numbers_that_nobody_knows_change_nothing),
		TEST(ends_without_their_beginnings_change_nothing),
		TEST(memory_does_not_grow_with_the_number_of_regions),
		TEST(memory_does_not_grow_with_the_number_of_threads),
		TEST(deep_regions_are_let_go_of),
	};
	return cmocka_run_group_tests(tests, start_runtime, NULL);
}
