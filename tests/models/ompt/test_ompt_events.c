/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads, regions and tasks: how their events are measured; and nothing is left open. */
#include "core/process/thread_life.h"
#include "tests/models/ompt/played_runtime.h"

static void all_callbacks_have_the_specification_s_numbers(void **state)
{
	(void)state;
	static const uint8_t wanted[] = {THREAD_BEGIN, THREAD_END, PARALLEL_BEGIN, PARALLEL_END, TASK_CREATE,
		TASK_SCHEDULE, IMPLICIT_TASK, CONTROL_TOOL, MUTEX_RELEASED, DEPENDENCES, TASK_DEPENDENCE, WORK, MASKED,
		SYNC_REGION, LOCK_INIT, LOCK_DESTROY, MUTEX_ACQUIRE, MUTEX_ACQUIRED, NEST_LOCK, FLUSH, CANCEL,
		REDUCTION, DISPATCH, ERROR, DEVICE_INITIALIZE, DEVICE_FINALIZE, DEVICE_LOAD, DEVICE_UNLOAD, TARGET_EMI,
		TARGET_DATA_OP_EMI, TARGET_SUBMIT_EMI, TARGET_MAP_EMI};
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
	assert_int_equal(worker->number, 1);
	sync_region(ompt_sync_region_barrier_explicit, BEGIN, WAIT_AT);
	uint32_t barrier = node(region, HEDDLE_OMPT_BARRIER, WAIT_AT);
	assert_int_equal(heddle__current_node(worker), barrier);
	sync_region(ompt_sync_region_barrier_explicit, END, WAIT_AT);
	assert_int_equal(heddle__current_node(worker), region);
	implicit_task(END, NULL, &tasks[1], 0, 1);
	as(master);
	implicit_task(END, NULL, &tasks[0], 2, 0);
	parallel_end(&parallel, &initial);
	assert_int_equal(visits(master, region), 1); /* the region counts once, for its creator, not for each thread */
	assert_int_equal(visits(worker, region), 0);
	assert_int_equal(visits(worker, barrier), 1);
	assert_true(value_of(worker, barrier, HEDDLE_METRIC_WALL_TIME) > 0);
}

/* Like LLVM's runtime: a worker waits in the last barrier until the next fork. Its task's data is cleared by then. */
static void a_worker_s_late_end_is_dated_back_to_its_region_s(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, tasks[2] = {{0}, {0}};
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	uint32_t barrier = node(region, HEDDLE_OMPT_IMPLICIT_BARRIER, REGION_1);
	as(worker);
	heddle__set_idle(worker, worker->idle_slot); /* charge up to now */
	uint64_t idled = worker->idle_slot->value[HEDDLE_METRIC_WALL_TIME];
	uint64_t waited = value_of(worker, barrier, HEDDLE_METRIC_WALL_TIME), first = heddle__measured_ticks();
	as(master);
	parallel_begin(&initial, &parallel, REGION_1);
	implicit_task(BEGIN, &parallel, &tasks[0], 2, 0);
	as(worker);
	implicit_task(BEGIN, &parallel, &tasks[1], 2, 1);
	sync_region(ompt_sync_region_barrier_implicit_parallel, BEGIN, 0);
	assert_int_equal(heddle__current_node(worker), barrier); /* placed at its region */
	as(master);
	implicit_task(END, NULL, &tasks[0], 2, 0);
	parallel_end(&parallel, &initial);
	uint64_t ended = heddle__measured_ticks();
	usleep(20000);
	as(worker);
	tasks[1].value = 0;
	sync_region(ompt_sync_region_barrier_implicit_parallel, END, 0);
	implicit_task(END, NULL, &tasks[1], 0, 1);
	begin_region(); /* the worker is charged for all of it when its next task begins */
	assert_int_equal(worker->stack.depth, 1);
	assert_int_equal(heddle__current_node(worker), region);
	waited = value_of(worker, barrier, HEDDLE_METRIC_WALL_TIME) - waited;
	idled = worker->idle_slot->value[HEDDLE_METRIC_WALL_TIME] - idled;
	assert_true(waited > 0 && waited <= ended - first);
	assert_true(idled >= heddle__ns_to_ticks(20000000));
	end_region();
}

/* A worker changes to another region: nothing of the former region remains. */
static void a_worker_changes_from_region_to_region(void **state)
{
	(void)state;
	static const uintptr_t places[] = {REGION_1, REGION_2, REGION_2};
	ompt_data_t parallel = {0}, task = {0};
	for (int i = 0; i < 3 * HEDDLE_OMPT_BATCH; i++) {
		uintptr_t at = places[i % 3];
		as(master);
		parallel_begin(&initial, &parallel, at);
		const struct heddle_ompt_team *record = parallel.ptr;
		as(worker);
		implicit_task(BEGIN, &parallel, &task, 2, 1);
		assert_ptr_equal(task.ptr, record);
		assert_int_equal(worker->stack.depth, 1);
		assert_int_equal(heddle__current_node(worker), node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, at));
		sync_region(ompt_sync_region_barrier_implicit_parallel, BEGIN, 0);
		as(master);
		parallel_end(&parallel, &initial);
		assert_true(atomic_load(&record->group.ended) != 0);
		as(worker);
		sync_region(ompt_sync_region_barrier_implicit_parallel, END, 0);
		implicit_task(END, NULL, &task, 0, 1);
	}
	thread_end(); /* without another region */
	assert_int_equal(worker->stack.depth, 0);
	thread_begin(ompt_thread_worker);
}

/* Between the end of the barrier and the end events, only the runtime executes, for a short time. */
static void a_region_ends_when_its_creator_leaves_the_last_barrier(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, task = {0};
	as(master);
	parallel_begin(&initial, &parallel, REGION_1);
	implicit_task(BEGIN, &parallel, &task, 2, 0);
	sync_region(ompt_sync_region_barrier_implicit_parallel, BEGIN, 0);
	sync_region(ompt_sync_region_barrier_implicit_parallel, END, 0);
	const struct heddle_ompt_team *record = parallel.ptr;
	uint64_t left = master->last_ticks;
	implicit_task(END, NULL, &task, 2, 0);
	parallel_end(&parallel, &initial);
	assert_int_equal(record->group.ended, left);
}

/* Like LLVM's runtime: the data of a nested region is reused for another thread's region before its end is reported. */
static void a_region_ends_though_its_data_is_another_s(void **state)
{
	(void)state;
	ompt_data_t parallel = {0};
	as(master);
	parallel_begin(&initial, &parallel, REGION_1);
	const struct heddle_ompt_team *first = parallel.ptr;
	as(worker);
	parallel_begin(&initial, &parallel, REGION_2);
	const struct heddle_ompt_team *second = parallel.ptr;
	as(master);
	parallel_end(&parallel, &initial);
	assert_true(atomic_load(&first->group.ended) != 0);
	assert_int_equal(atomic_load(&second->group.ended), 0);
	assert_ptr_equal(parallel.ptr, second);
	as(worker);
	parallel_end(&parallel, &initial);
	assert_true(atomic_load(&second->group.ended) != 0);
}

/* Without a last barrier, any work may follow between the barrier of a loop and the end. */
static void a_team_of_one_works_after_its_barriers(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, task = {0};
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	as(master);
	parallel_begin(&initial, &parallel, REGION_1);
	implicit_task(BEGIN, &parallel, &task, 1, 0);
	sync_region(ompt_sync_region_barrier_implicit_workshare, BEGIN, WAIT_AT);
	sync_region(ompt_sync_region_barrier_implicit_workshare, END, WAIT_AT);
	uint64_t worked = value_of(master, region, HEDDLE_METRIC_WALL_TIME), start = heddle__measured_ticks();
	usleep(1000);
	uint64_t end = heddle__measured_ticks();
	implicit_task(END, NULL, &task, 1, 0);
	parallel_end(&parallel, &initial);
	assert_true(value_of(master, region, HEDDLE_METRIC_WALL_TIME) - worked >= end - start);
}

/* The end event is missing, and the same storage is used for the next region's task. */
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
		assert_int_equal(worker->stack.depth, 1);
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

/* Like LLVM's runtime: all nested regions that run on one thread have one task. */
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
	assert_int_equal(heddle__current_node(worker), waiting); /* still in the barrier */
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
	assert_int_equal(worker->stack.depth, 1);
	assert_int_equal(visits(master, created), before); /* the task continues: it is not entered again */
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
	assert_int_equal(master->stack.depth, 1);
	end_region();
}

/* A league's initial tasks run below it, on other threads, too; in LLVM's runtime, each has a parallel region. */
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

/* In LLVM's runtime, the initial task of a league of one does not name the league. */
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
		&tasks[1], 1, 1, ompt_task_initial); /* does not belong to this program's league */
	assert_int_equal(master->stack.depth, 0);
}

/* An invalid frame pointer, as from code without frame pointers: nothing at that address may be read. */
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

static void numbers_that_nobody_knows_change_nothing(void **state)
{
	(void)state;
	as(master);
	expect_waits();
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
	assert_int_equal(master->stack.depth, 0);
}

static void ends_without_their_beginnings_change_nothing(void **state)
{
	(void)state;
	ompt_data_t parallel = {0}, task = {0};
	as(master);
	expect_waits();
	sync_region(ompt_sync_region_taskwait, END, WAIT_AT);
	mutex_released(ompt_mutex_lock, WAIT_AT);
	mutex_released(ompt_mutex_nest_lock, WAIT_AT);
	nest_lock(END, A_MUTEX, WAIT_AT);
	lock_destroy(ompt_mutex_lock, A_MUTEX, WAIT_AT);
	work(ompt_work_loop, END, WAIT_AT);
	mutex_released(ompt_mutex_critical, WAIT_AT);
	sync_region_wait(ompt_sync_region_taskgroup, END, WAIT_AT);
	task_schedule(NULL, ompt_taskwait_complete, NULL);
	implicit_task(END, NULL, &task, 2, 0);
	implicit_task(BEGIN, NULL, &task, 2, 0); /* of a region that began before measurement */
	implicit_task(END, NULL, &task, 2, 0);
	parallel_end(&parallel, &initial);
	parallel_end(NULL, NULL);
	assert_int_equal(master->stack.depth, 0);
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

/* Threads end while they wait for the next region: their references to the last one are dropped, too. */
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
		assert_int_equal(worker->stack.depth, 0);
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
		assert_int_equal(master->stack.depth, 0);
		assert_true(!mapped || heddle__memory_mapped() == mapped);
		mapped = heddle__memory_mapped();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_callbacks_have_the_specification_s_numbers),
		TEST(a_region_s_threads_continue_from_where_it_was_created),
		TEST(a_worker_s_late_end_is_dated_back_to_its_region_s),
		TEST(a_worker_changes_from_region_to_region),
		TEST(a_region_ends_though_its_data_is_another_s),
		TEST(a_region_ends_when_its_creator_leaves_the_last_barrier),
		TEST(a_team_of_one_works_after_its_barriers),
		TEST(a_worker_s_missing_end_is_made_up_for),
		TEST(nested_regions_hang_below_each_other),
		TEST(nested_regions_of_one_task_hang_below_each_other),
		TEST(a_task_run_by_another_thread_keeps_its_creator_s_context),
		TEST(a_task_s_task_runs_in_its_taskwait),
		TEST(an_untied_task_goes_on_with_another_thread),
		TEST(a_fulfilled_event_changes_no_thread_s_task),
		TEST(a_league_s_threads_continue_from_its_construct),
		TEST(a_league_of_one_runs_in_its_creator),
		TEST(a_frame_that_cannot_be_is_not_believed),
		TEST(numbers_that_nobody_knows_change_nothing),
		TEST(ends_without_their_beginnings_change_nothing),
		TEST(memory_does_not_grow_with_the_number_of_regions),
		TEST(memory_does_not_grow_with_the_number_of_threads),
		TEST(deep_regions_are_let_go_of),
	};
	return cmocka_run_group_tests(tests, start_runtime, NULL);
}
