/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits, and blocks of code that a thread enters and leaves. */
#include "models/ompt/ompt_callbacks.h"
#include "tests/models/ompt/played_runtime.h"

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
	assert_int_equal(visits(master, sections), 1);
	end_region();
}

/* ---- while sampling: the stack is walked ---- */

enum { FRAME_END = 0x7000 };
static uint32_t walked;

static struct heddle_captured walk(struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base)
{
	(void)thread, (void)caller, (void)base;
	return (struct heddle_captured){.node = walked, .place = 1, .sp = FRAME_END - 256, .end = FRAME_END};
}

static void begin_sampling(void)
{
	walked = heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), 0x77);
	heddle__capture = walk;
	heddle__events_give_time = false;
}

static void end_sampling(void)
{
	heddle__capture = NULL;
	heddle__events_give_time = true;
}

/* The frame that samples find lies above it, what is called from there below it; samples take its time. */
static void worksharing_has_a_stack_address_while_sampling(void **state)
{
	(void)state;
	as(master);
	begin_sampling();
	uint32_t loop = node(walked, HEDDLE_OMPT_LOOP, OTHER_AT);
	work(ompt_work_loop, BEGIN, OTHER_AT);
	assert_int_equal(heddle__current_node(master), loop);
	assert_int_equal(master->regions[0].cfa, FRAME_END - 1);
	assert_null(master->regions[0].slot);
	work(ompt_work_loop, END, OTHER_AT);
	assert_int_equal(master->depth, 0);
	assert_int_equal(visits(master, loop), 1);
	assert_int_equal(value_of(master, loop, HEDDLE_METRIC_WALL_TIME), 0);
	end_sampling();
}

static void a_critical_section_stands_where_it_was_waited_for(void **state)
{
	(void)state;
	as(master);
	begin_sampling();
	uint32_t waiting = node(walked, HEDDLE_OMPT_CRITICAL_WAIT, WAIT_AT);
	uint32_t held = node(walked, HEDDLE_OMPT_CRITICAL, WAIT_AT);
	mutex_acquire(ompt_mutex_critical, WAIT_AT);
	assert_int_equal(heddle__current_node(master), waiting);
	assert_int_equal(master->regions[0].cfa, 0);
	mutex_acquired(ompt_mutex_critical, WAIT_AT);
	assert_int_equal(heddle__current_node(master), held);
	assert_int_equal(master->regions[0].cfa, FRAME_END - 1);
	mutex_released(ompt_mutex_critical, 0);
	assert_int_equal(master->depth, 0);
	assert_int_equal(visits(master, held), 1);
	end_sampling();
}

/* A reduction in a barrier is how the thread waits. */
static void a_block_of_the_runtime_s_own_is_counted_while_sampling(void **state)
{
	(void)state;
	as(master);
	begin_sampling();
	sync_region(ompt_sync_region_barrier_explicit, BEGIN, OTHER_AT);
	uint32_t barrier = heddle__current_node(master);
	CALL(REDUCTION, (int, int, ompt_data_t *, ompt_data_t *, const void *), 7, BEGIN, NULL, NULL, (void *)WAIT_AT);
	assert_int_equal(heddle__current_node(master), barrier);
	CALL(REDUCTION, (int, int, ompt_data_t *, ompt_data_t *, const void *), 7, END, NULL, NULL, NULL);
	assert_int_equal(heddle__current_node(master), barrier);
	sync_region(ompt_sync_region_barrier_explicit, END, OTHER_AT);
	assert_int_equal(visits(master, node(barrier, HEDDLE_OMPT_REDUCTION, WAIT_AT)), 1);
	end_sampling();
}

/* ---- */

static void cancel(int flags)
{
	CALL(CANCEL, (ompt_data_t *, int, const void *), NULL, flags, (void *)WAIT_AT);
}

static void pass_barrier_below(uint32_t region)
{
	sync_region(ompt_sync_region_barrier_implicit_workshare, BEGIN, WAIT_AT);
	assert_int_equal(heddle__current_node(master), node(region, HEDDLE_OMPT_IMPLICIT_BARRIER, WAIT_AT));
	sync_region(ompt_sync_region_barrier_implicit_workshare, END, WAIT_AT);
}

/* As LLVM's runtime tells of loops with a dynamic schedule. */
static void a_cancelled_construct_is_over_at_its_barrier(void **state)
{
	(void)state;
	begin_region();
	uint32_t region = heddle__current_node(master);
	work(ompt_work_loop, BEGIN, OTHER_AT);
	cancel(ompt_cancel_sections | ompt_cancel_activated);
	assert_int_not_equal(heddle__current_node(master), region);
	cancel(ompt_cancel_loop | ompt_cancel_detected);
	pass_barrier_below(region);
	assert_int_equal(heddle__current_node(master), region);
	work(ompt_work_single_executor, BEGIN, OTHER_AT);
	work(ompt_work_loop, END, OTHER_AT); /* of the cancelled one, where the runtime tells of it */
	assert_int_not_equal(heddle__current_node(master), region);
	cancel(ompt_cancel_parallel | ompt_cancel_activated);
	pass_barrier_below(region);
	assert_int_equal(heddle__current_node(master), region);
	end_region();
}

/* As LLVM's runtime tells of single constructs that GCC compiled. */
static void a_construct_whose_end_is_not_told_is_over_at_the_next(void **state)
{
	(void)state;
	begin_region();
	uint32_t region = heddle__current_node(master);
	work(ompt_work_single_executor, BEGIN, OTHER_AT);
	pass_barrier_below(region);
	work(ompt_work_single_executor, BEGIN, OTHER_AT);
	work(ompt_work_loop, BEGIN, WAIT_AT);
	assert_int_equal(heddle__current_node(master), node(region, HEDDLE_OMPT_LOOP, WAIT_AT));
	work(ompt_work_taskloop, BEGIN, OTHER_AT);
	assert_int_not_equal(heddle__current_node(master), node(region, HEDDLE_OMPT_TASKLOOP, OTHER_AT));
	work(ompt_work_taskloop, END, OTHER_AT);
	work(ompt_work_loop, END, WAIT_AT);
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

/* It tells of every barrier's, too, which say nothing more than the barrier; a taskwait's changes nothing then. */
static void the_runtime_is_asked_for_waits_at_the_first_taskgroup(void **state)
{
	(void)state;
	as(master);
	callbacks[SYNC_REGION_WAIT] = NULL; /* another test had a taskgroup */
	heddle__ompt_set_waits(set_callback);
	sync_region(ompt_sync_region_barrier_explicit, BEGIN, OTHER_AT);
	sync_region(ompt_sync_region_barrier_explicit, END, OTHER_AT);
	assert_null(callbacks[SYNC_REGION_WAIT]);
	expect_waits();
	sync_region(ompt_sync_region_taskwait, BEGIN, WAIT_AT);
	uint32_t waiting = heddle__current_node(master);
	sync_region_wait(ompt_sync_region_taskwait, BEGIN, WAIT_AT);
	assert_int_equal(heddle__current_node(master), waiting);
	sync_region_wait(ompt_sync_region_taskwait, END, WAIT_AT);
	assert_int_equal(heddle__current_node(master), waiting);
	sync_region(ompt_sync_region_taskwait, END, WAIT_AT);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(locks_take_time_until_they_are_acquired),
		TEST(blocks_take_time_until_they_are_released),
		TEST(locks_are_counted_when_taken_and_when_given_back),
		TEST(a_nest_lock_that_one_has_is_had_at_once),
		TEST(a_test_that_fails_leaves_nothing_open),
		TEST(worksharing_is_a_region_when_events_give_time),
		TEST(worksharing_has_a_stack_address_while_sampling),
		TEST(a_critical_section_stands_where_it_was_waited_for),
		TEST(a_block_of_the_runtime_s_own_is_counted_while_sampling),
		TEST(a_cancelled_construct_is_over_at_its_barrier),
		TEST(a_construct_whose_end_is_not_told_is_over_at_the_next),
		TEST(a_taskgroup_s_wait_is_not_its_body),
		TEST(the_runtime_is_asked_for_waits_at_the_first_taskgroup),
		TEST(a_taskwait_with_dependences_waits),
		TEST(blocks_without_waiting_take_time),
	};
	return cmocka_run_group_tests(tests, start_runtime, NULL);
}
