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
		assert_int_equal(master->stack.regions[0].state, HEDDLE_STATE_LOCK_WAIT);
		mutex_acquired(kinds[i].kind, WAIT_AT);
		assert_int_not_equal(heddle__current_node(master), waiting);
		mutex_released(kinds[i].kind, WAIT_AT);
		assert_int_equal(master->stack.depth, 0);
		assert_int_equal(visits(master, waiting), 1);
		assert_true(value_of(master, waiting, HEDDLE_METRIC_WALL_TIME) > 0);
	}
}

/* Blocks of critical, atomic and ordered constructs, until they are released. */
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
		assert_int_equal(master->stack.regions[0].state, HEDDLE_STATE_WORK);
		mutex_released(kinds[i].kind, 0);
		assert_int_equal(visits(master, held), 1);
		assert_true(value_of(master, held, HEDDLE_METRIC_WALL_TIME) > 0);
	}
}

/* ---- locks: held until they are released, anywhere and in any order ---- */

enum { FIRST = 0x100, SECOND = 0x200, THIRD = 0x300 }; /* locks */
/* Each test acquires locks at its own places, so that their visits are 0 at its start. */
enum { ORDER_AT = 0x10001, TWICE_AT = 0x11001, NEST_AT = 0x12001, TEST_AT = 0x13001, KEPT_AT = 0x14001 };
enum { AGAIN_AT = 0x15001, MANY_AT = 0x16001, TOLD_AT = 0x17001, SAMPLED_AT = 0x18001, GONE_AT = 0x19001 };

static void take(int kind, uint64_t lock, uintptr_t at)
{
	lock_acquire(kind, lock, at);
	lock_acquired(kind, lock, at);
}

static uint32_t lock_below(uint32_t parent, uintptr_t at)
{
	return node(parent, HEDDLE_OMPT_LOCK, at);
}

static void a_held_lock_is_a_region(void **state)
{
	(void)state;
	uint32_t held = lock_below(HEDDLE_TREE_ROOT, ORDER_AT), within = node(held, HEDDLE_OMPT_CRITICAL, OTHER_AT);
	as(master);
	for (int i = 0; i < 3; i++) {
		take(ompt_mutex_lock, FIRST, ORDER_AT);
		assert_int_equal(master->stack.depth, 1);
		assert_int_equal(heddle__current_node(master), held);
		assert_int_equal(master->stack.regions[0].state, HEDDLE_STATE_WORK);
		take(ompt_mutex_critical, SECOND, OTHER_AT);
		assert_int_equal(heddle__current_node(master), within);
		lock_released(ompt_mutex_critical, SECOND, OTHER_AT);
		assert_int_equal(heddle__current_node(master), held);
		lock_released(ompt_mutex_lock, FIRST, TASK_AT);
		assert_int_equal(master->stack.depth, 0);
	}
	assert_int_equal(visits(master, held), 3);
	assert_int_equal(visits(master, within), 3);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_LOCK_WAIT, ORDER_AT)), 3);
	assert_int_equal(count_of(HEDDLE_OMPT_UNLOCK, TASK_AT), 3);
	assert_true(value_of(master, held, HEDDLE_METRIC_WALL_TIME) > 0);
}

/* Locks that are still held get the path without the released one; that does not count as a visit. */
static void locks_are_released_in_any_order(void **state)
{
	(void)state;
	static const uint64_t locks[] = {FIRST, SECOND, THIRD};
	static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	as(master);
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		uintptr_t places = 0x20001 + 0x1000 * i;
		uint32_t all = HEDDLE_TREE_ROOT;
		bool held[3] = {true, true, true};
		for (int k = 0; k < 3; k++) {
			take(ompt_mutex_lock, locks[k], places + 16 * (uintptr_t)k);
			all = lock_below(all, places + 16 * (uintptr_t)k);
		}
		assert_int_equal(heddle__current_node(master), all);
		for (int k = 0; k < 3; k++) {
			uint32_t left = HEDDLE_TREE_ROOT;
			held[orders[i][k]] = false;
			lock_released(ompt_mutex_lock, locks[orders[i][k]], TASK_AT);
			for (int n = 0; n < 3; n++)
				left = held[n] ? lock_below(left, places + 16 * (uintptr_t)n) : left;
			assert_int_equal(heddle__current_node(master), left);
			assert_int_equal(master->stack.depth, 2 - k);
			assert_int_equal(visits(master, node(left, HEDDLE_OMPT_UNLOCK, TASK_AT)),
				left == HEDDLE_TREE_ROOT ? 4 + i : 1);
		}
		assert_int_equal(visits(master, all), 1);
		assert_int_equal(visits(master, lock_below(HEDDLE_TREE_ROOT, places)), 1);
		assert_int_equal(visits(master, lock_below(HEDDLE_TREE_ROOT, places + 16)), 0);
		assert_int_equal(visits(master, lock_below(HEDDLE_TREE_ROOT, places + 32)), 0);
	}
}

static void a_second_release_changes_nothing(void **state)
{
	(void)state;
	as(master);
	take(ompt_mutex_lock, FIRST, TWICE_AT);
	take(ompt_mutex_lock, SECOND, TWICE_AT + 16);
	lock_released(ompt_mutex_lock, FIRST, TWICE_AT);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(master->stack.depth, 1);
		assert_int_equal(heddle__current_node(master), lock_below(HEDDLE_TREE_ROOT, TWICE_AT + 16));
		lock_released(ompt_mutex_lock, FIRST, TWICE_AT);
		lock_released(ompt_mutex_nest_lock, SECOND, TWICE_AT); /* another kind of lock */
	}
	lock_released(ompt_mutex_lock, SECOND, TWICE_AT);
	assert_int_equal(master->stack.depth, 0);
	lock_released(ompt_mutex_lock, SECOND, TWICE_AT);
	assert_int_equal(master->stack.depth, 0);
}

/* The owner acquires it again: a nest_lock event replaces mutex_acquired. It is held until the last release. */
static void a_nest_lock_is_held_once_however_often_it_is_taken(void **state)
{
	(void)state;
	uint32_t held = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_NEST_LOCK, NEST_AT);
	as(master);
	take(ompt_mutex_nest_lock, FIRST, NEST_AT);
	for (int i = 0; i < 2; i++) {
		lock_acquire(ompt_mutex_nest_lock, FIRST, NEST_AT);
		assert_int_equal(heddle__current_node(master), node(held, HEDDLE_OMPT_NEST_LOCK_WAIT, NEST_AT));
		nest_lock(BEGIN, FIRST, NEST_AT);
		assert_int_equal(heddle__current_node(master), held);
	}
	lock_acquire(ompt_mutex_test_nest_lock, FIRST, NEST_AT);
	nest_lock(BEGIN, FIRST, NEST_AT);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(heddle__current_node(master), held);
		assert_int_equal(master->stack.depth, 1);
		nest_lock(END, FIRST, NEST_AT);
	}
	assert_int_equal(heddle__current_node(master), held);
	lock_released(ompt_mutex_nest_lock, FIRST, NEST_AT);
	assert_int_equal(master->stack.depth, 0);
	assert_int_equal(visits(master, held), 1);
	assert_int_equal(visits(master, node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_NEST_LOCK_WAIT, NEST_AT)), 1);
	assert_int_equal(visits(master, node(held, HEDDLE_OMPT_NEST_LOCK_WAIT, NEST_AT)), 2);
	assert_int_equal(visits(master, node(held, HEDDLE_OMPT_NEST_LOCK_AGAIN, NEST_AT)), 3);
	assert_int_equal(count_of(HEDDLE_OMPT_NEST_UNLOCK, NEST_AT), 1);
}

/* A test that succeeds acquires the lock, which is released like any other. */
static void a_test_that_fails_leaves_nothing_open(void **state)
{
	(void)state;
	static const struct {
		int test, lock;
		enum heddle_ompt_event tested, held;
	} kinds[] = {{ompt_mutex_test_lock, ompt_mutex_lock, HEDDLE_OMPT_TEST_LOCK, HEDDLE_OMPT_LOCK},
		{ompt_mutex_test_nest_lock, ompt_mutex_nest_lock, HEDDLE_OMPT_TEST_NEST_LOCK, HEDDLE_OMPT_NEST_LOCK}};
	as(master);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint32_t held = node(HEDDLE_TREE_ROOT, kinds[i].held, TEST_AT);
		lock_acquire(kinds[i].test, FIRST, TEST_AT);
		assert_int_equal(master->stack.depth, 0);
		lock_acquire(kinds[i].test, FIRST, TEST_AT);
		assert_int_equal(master->stack.depth, 0);
		lock_acquired(kinds[i].test, FIRST, TEST_AT);
		assert_int_equal(master->stack.depth, 1);
		assert_int_equal(heddle__current_node(master), held);
		lock_released(kinds[i].lock, FIRST, TEST_AT);
		assert_int_equal(master->stack.depth, 0);
		assert_int_equal(count_of(kinds[i].tested, TEST_AT), 2);
		assert_int_equal(visits(master, held), 1);
	}
}

/* A lock remains open in the task that acquired it, however the task's blocks end, and is removed with the task. */
static void a_lock_that_is_never_released_is_gone_with_its_task(void **state)
{
	(void)state;
	begin_region();
	uint32_t region = heddle__current_node(master);
	work(ompt_work_loop, BEGIN, OTHER_AT);
	take(ompt_mutex_lock, FIRST, KEPT_AT);
	assert_int_equal(heddle__current_node(master), lock_below(node(region, HEDDLE_OMPT_LOOP, OTHER_AT), KEPT_AT));
	work(ompt_work_loop, END, OTHER_AT);
	assert_int_equal(heddle__current_node(master), lock_below(region, KEPT_AT));
	as(worker);
	take(ompt_mutex_lock, SECOND, KEPT_AT);
	lock_released(ompt_mutex_lock, FIRST, KEPT_AT); /* not held by this thread */
	assert_int_equal(heddle__current_node(worker), lock_below(region, KEPT_AT));
	end_region();
	assert_int_equal(master->stack.depth, 0);
	lock_released(ompt_mutex_lock, FIRST, KEPT_AT);
	assert_int_equal(master->stack.depth, 0);
}

/* A thread that acquires a lock cannot hold it: another thread has released it. */
static void a_lock_that_is_taken_again_was_released(void **state)
{
	(void)state;
	uint32_t held = lock_below(HEDDLE_TREE_ROOT, AGAIN_AT), second = lock_below(HEDDLE_TREE_ROOT, AGAIN_AT + 16);
	as(master);
	for (int i = 0; i < 5; i++) {
		take(ompt_mutex_lock, FIRST, AGAIN_AT);
		assert_int_equal(master->stack.depth, 1);
		assert_int_equal(heddle__current_node(master), held);
	}
	take(ompt_mutex_lock, SECOND, AGAIN_AT + 16);
	take(ompt_mutex_lock, FIRST, AGAIN_AT);
	assert_int_equal(master->stack.depth, 2);
	assert_int_equal(heddle__current_node(master), lock_below(second, AGAIN_AT));
	lock_released(ompt_mutex_lock, SECOND, AGAIN_AT);
	assert_int_equal(heddle__current_node(master), held);
	lock_released(ompt_mutex_lock, FIRST, AGAIN_AT);
	assert_int_equal(master->stack.depth, 0);
	assert_int_equal(visits(master, held), 5);
}

/* A lock that is initialized or destroyed has no holder, even if its release was not reported. */
static void a_lock_is_free_when_made_and_when_destroyed(void **state)
{
	(void)state;
	static const struct {
		int kind;
		enum heddle_ompt_event held, init, destroy;
	} kinds[] = {{ompt_mutex_lock, HEDDLE_OMPT_LOCK, HEDDLE_OMPT_LOCK_INIT, HEDDLE_OMPT_LOCK_DESTROY},
		{ompt_mutex_nest_lock, HEDDLE_OMPT_NEST_LOCK, HEDDLE_OMPT_NEST_LOCK_INIT,
			HEDDLE_OMPT_NEST_LOCK_DESTROY}};
	as(master);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint32_t other = node(HEDDLE_TREE_ROOT, kinds[i].held, GONE_AT + 16);
		lock_init(kinds[i].kind, FIRST, GONE_AT);
		assert_int_equal(master->stack.depth, 0);
		take(kinds[i].kind, FIRST, GONE_AT);
		take(kinds[i].kind, SECOND, GONE_AT + 16);
		lock_destroy(kinds[i].kind, FIRST, GONE_AT);
		lock_destroy(kinds[i].kind, THIRD, GONE_AT);
		assert_int_equal(heddle__current_node(master), other);
		assert_int_equal(master->stack.depth, 1);
		assert_int_equal(visits(master, node(other, kinds[i].destroy, GONE_AT)), 2);
		lock_init(kinds[i].kind, SECOND, GONE_AT);
		assert_int_equal(master->stack.depth, 0);
		assert_int_equal(count_of(kinds[i].init, GONE_AT), 2);
	}
}

static void memory_does_not_grow_with_the_number_of_locks(void **state)
{
	(void)state;
	uint64_t mapped = 0;
	uint32_t nodes = 0;
	begin_region();
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t lock = i % 1000 * 64;
		take(ompt_mutex_lock, lock, MANY_AT);
		take(ompt_mutex_lock, lock + 32, MANY_AT + 16);
		lock_released(ompt_mutex_lock, lock, MANY_AT);
		lock_acquire(ompt_mutex_test_lock, lock, MANY_AT);
		lock_released(ompt_mutex_lock, i % 2 ? lock + 32 : lock, MANY_AT); /* half of them are not */
		lock_destroy(ompt_mutex_lock, lock + 32, MANY_AT);
		if (i == 1000) {
			mapped = heddle__memory_mapped();
			nodes = heddle__tree_count();
		}
	}
	assert_int_equal(master->stack.depth, 1);
	assert_int_equal(heddle__memory_mapped(), mapped);
	assert_int_equal(heddle__tree_count(), nodes);
	end_region();
}

/* Acquired without a reported wait, as for a free lock. */
static void a_lock_may_be_had_without_a_wait(void **state)
{
	(void)state;
	as(master);
	lock_acquired(ompt_mutex_lock, FIRST, TOLD_AT);
	assert_int_equal(heddle__current_node(master), lock_below(HEDDLE_TREE_ROOT, TOLD_AT));
	lock_released(ompt_mutex_lock, FIRST, TOLD_AT);
	assert_int_equal(master->stack.depth, 0);
	assert_int_equal(visits(master, lock_below(HEDDLE_TREE_ROOT, TOLD_AT)), 1);
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

/* ---- while sampling: the stack is unwound ---- */

enum { FRAME_END = 0x7000 };
static uint32_t walked;

static const struct heddle_captured *walk(
	struct heddle_thread *thread, const struct heddle_caller *caller, uint32_t base, struct heddle_captured *room)
{
	(void)thread, (void)caller, (void)base;
	*room = (struct heddle_captured){.node = walked, .place = 1, .sp = FRAME_END - 256, .end = FRAME_END};
	return room;
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

/* The frame that samples find is above the construct, functions called from there below it; samples charge its time. */
static void worksharing_has_a_stack_address_while_sampling(void **state)
{
	(void)state;
	as(master);
	begin_sampling();
	uint32_t loop = node(walked, HEDDLE_OMPT_LOOP, OTHER_AT);
	work(ompt_work_loop, BEGIN, OTHER_AT);
	assert_int_equal(heddle__current_node(master), loop);
	assert_int_equal(master->stack.regions[0].cfa, FRAME_END - 1);
	assert_null(master->stack.regions[0].slot);
	work(ompt_work_loop, END, OTHER_AT);
	assert_int_equal(master->stack.depth, 0);
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
	assert_int_equal(master->stack.regions[0].cfa, 0);
	mutex_acquired(ompt_mutex_critical, WAIT_AT);
	assert_int_equal(heddle__current_node(master), held);
	assert_int_equal(master->stack.regions[0].cfa, FRAME_END - 1);
	mutex_released(ompt_mutex_critical, 0);
	assert_int_equal(master->stack.depth, 0);
	assert_int_equal(visits(master, held), 1);
	end_sampling();
}

static void a_lock_stands_where_it_was_waited_for(void **state)
{
	(void)state;
	as(master);
	begin_sampling();
	uint32_t first = lock_below(walked, SAMPLED_AT);
	take(ompt_mutex_lock, FIRST, SAMPLED_AT);
	assert_int_equal(heddle__current_node(master), first);
	assert_int_equal(master->stack.regions[0].cfa, FRAME_END - 1);
	assert_null(master->stack.regions[0].slot);
	lock_acquire(ompt_mutex_test_lock, FIRST, SAMPLED_AT); /* fails */
	assert_int_equal(master->stack.depth, 1);
	lock_acquired(ompt_mutex_test_lock, SECOND, SAMPLED_AT);
	assert_int_equal(master->stack.depth, 2);
	lock_released(ompt_mutex_lock, FIRST, SAMPLED_AT);
	lock_released(ompt_mutex_lock, FIRST, SAMPLED_AT);
	assert_int_equal(master->stack.depth, 1);
	lock_released(ompt_mutex_lock, SECOND, SAMPLED_AT);
	assert_int_equal(master->stack.depth, 0);
	assert_true(visits(master, first) >= 1);
	assert_int_equal(value_of(master, first, HEDDLE_METRIC_WALL_TIME), 0);
	end_sampling();
}

/* A reduction in a barrier is a part of the thread's wait. */
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

/* Like LLVM's runtime for loops with a dynamic schedule. */
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
	work(ompt_work_loop, END, OTHER_AT); /* of the cancelled loop, if the runtime reports it */
	assert_int_not_equal(heddle__current_node(master), region);
	cancel(ompt_cancel_parallel | ompt_cancel_activated);
	pass_barrier_below(region);
	assert_int_equal(heddle__current_node(master), region);
	end_region();
}

/* Like LLVM's runtime for single constructs compiled by GCC. */
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
	assert_int_equal(master->stack.regions[0].state, HEDDLE_STATE_WORK);
	sync_region_wait(ompt_sync_region_taskgroup, BEGIN, WAIT_AT);
	assert_int_equal(heddle__current_node(master), waiting);
	assert_int_equal(master->stack.regions[1].state, HEDDLE_STATE_TASK_WAIT);
	sync_region_wait(ompt_sync_region_taskgroup, END, WAIT_AT);
	assert_int_equal(heddle__current_node(master), group);
	sync_region(ompt_sync_region_taskgroup, END, OTHER_AT);
	assert_true(value_of(master, waiting, HEDDLE_METRIC_WALL_TIME) > 0);
}

/* Then the runtime also reports waits in barriers, which change nothing; so does the wait of a taskwait. */
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

/* A taskwait with dependences has no sync_region event, but a task, created and completed while others run. */
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
	assert_int_equal(master->stack.depth, 0);
	assert_int_equal(count_of(HEDDLE_OMPT_SINGLE_OTHER, OTHER_AT), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(locks_take_time_until_they_are_acquired),
		TEST(blocks_take_time_until_they_are_released),
		TEST(a_held_lock_is_a_region),
		TEST(locks_are_released_in_any_order),
		TEST(a_second_release_changes_nothing),
		TEST(a_nest_lock_is_held_once_however_often_it_is_taken),
		TEST(a_test_that_fails_leaves_nothing_open),
		TEST(a_lock_that_is_never_released_is_gone_with_its_task),
		TEST(a_lock_that_is_taken_again_was_released),
		TEST(a_lock_is_free_when_made_and_when_destroyed),
		TEST(a_lock_may_be_had_without_a_wait),
		TEST(memory_does_not_grow_with_the_number_of_locks),
		TEST(worksharing_is_a_region_when_events_give_time),
		TEST(worksharing_has_a_stack_address_while_sampling),
		TEST(a_critical_section_stands_where_it_was_waited_for),
		TEST(a_lock_stands_where_it_was_waited_for),
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
