/* SPDX-License-Identifier: BSD-3-Clause */
/* Blame: waiting time is charged to working threads or the lock's holder, tick by tick, or has no culprit. */
#include "tests/support/unit.h"

#include "core/base/settings.h"
#include "core/blame/blame.h"
#include "core/blame/blame_locks.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "tests/support/simulated.h"

static struct heddle_event events[] = {
	{"test", "test_work", "work", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_barrier", "barrier", HEDDLE_CATEGORY_BARRIER, 0, true, false, 0, 0},
	{"test", "test_lock", "lock", HEDDLE_CATEGORY_LOCK, 0, true, false, 0, 0},
};
static const struct heddle_event *const work = &events[0], *const barrier = &events[1], *const lock = &events[2];

/* The two threads of each test; each test has its own places. */
static struct heddle_thread *first, *second;

enum { LOCK = 0x7000 };

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_BLAME", "1", 1);
	heddle__settings_read();
	heddle__blame_init();
	first = be_measured();
	second = heddle__thread_acquire(0, HEDDLE_THREAD_OTHER);
	heddle__thread_belongs_to(second, first->tid + 1);
	second->last_ticks = heddle__measured_ticks();
	heddle__events_give_time = true;
	heddle__update_special(first);
	heddle__update_special(second);
	heddle__enter(first);
	heddle__enter(second);
	return heddle__events_register(events, 3);
}

static int join(void **state)
{
	(void)state;
	heddle__blame_join(first);
	heddle__blame_join(second);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	heddle__blame_leave(first);
	heddle__blame_leave(second);
	return first->stack.depth || second->stack.depth;
}

/* Ticks are nanoseconds on the simulated machine, where no other time passes. */
#define WAIT 100000u

static void wait_a_little(void)
{
	simulated_sleep(WAIT);
}

static uint32_t region(const struct heddle_event *event, uint64_t place)
{
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), place);
}

static uint64_t blame(struct heddle_thread *thread, uint32_t node, enum heddle_metric kind)
{
	const struct heddle_slot *slot = heddle__slot(thread, node);
	return slot->more ? slot->more[kind - HEDDLE_METRIC_COMMON] : 0;
}

static uint64_t no_culprit(enum heddle_state state, enum heddle_metric kind)
{
	uint32_t node = heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), 0);
	return blame(first, node, kind) + blame(second, node, kind);
}

/* The node that is charged with the time during which the lock of region `held` was free and a thread waited for it. */
static uint32_t hand_off(uint32_t held)
{
	return heddle__tree_child(held, HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_HAND_OFF), 0);
}

static uint64_t waited(const struct heddle_thread *thread, const struct heddle_event *event, uint64_t place)
{
	return value_of(thread, region(event, place), HEDDLE_METRIC_WALL_TIME);
}

static void who_works_is_to_blame_for_a_barrier(void **state)
{
	(void)state;
	heddle__region_begin(first, work, 10);
	heddle__region_begin(second, barrier, 10);
	wait_a_little();
	heddle__region_end(second, barrier);
	heddle__region_end(first, work);
	uint64_t ticks = waited(second, barrier, 10);
	assert_int_equal(ticks, WAIT);
	assert_int_equal(blame(first, region(work, 10), HEDDLE_METRIC_BARRIER_BLAME), ticks);
	assert_int_equal(blame(first, region(work, 10), HEDDLE_METRIC_BLAME), ticks);
	assert_int_equal(blame(first, region(work, 10), HEDDLE_METRIC_IDLENESS), ticks);
	assert_int_equal(blame(second, region(barrier, 10), HEDDLE_METRIC_BLAME), 0);
}

/* Blame is charged to the region that was open during the wait, not to earlier or later ones. */
static void blame_is_given_to_what_was_done_meanwhile(void **state)
{
	(void)state;
	heddle__region_begin(first, work, 20);
	wait_a_little();
	heddle__region_begin(second, barrier, 20);
	heddle__region_begin(first, work, 21);
	wait_a_little();
	heddle__region_end(first, work);
	heddle__region_end(second, barrier);
	wait_a_little();
	heddle__region_end(first, work);
	uint32_t inner = heddle__tree_child(region(work, 20), HEDDLE_NODE_META(HEDDLE_NODE_REGION, work->id), 21);
	uint64_t inside = blame(first, inner, HEDDLE_METRIC_BARRIER_BLAME);
	uint64_t outside = blame(first, region(work, 20), HEDDLE_METRIC_BARRIER_BLAME);
	assert_int_equal(inside + outside, waited(second, barrier, 20));
	assert_int_equal(inside, WAIT);
	assert_int_equal(outside, 0);
}

static void without_workers_waiting_has_no_culprit(void **state)
{
	(void)state;
	uint64_t before = no_culprit(HEDDLE_STATE_NO_WORKER, HEDDLE_METRIC_BARRIER_BLAME);
	uint64_t by_first = blame(first, HEDDLE_TREE_ROOT, HEDDLE_METRIC_BARRIER_BLAME);
	heddle__region_begin(first, barrier, 30);
	heddle__region_begin(second, barrier, 30);
	wait_a_little();
	heddle__region_end(second, barrier);
	heddle__region_end(first, barrier);
	uint64_t given = no_culprit(HEDDLE_STATE_NO_WORKER, HEDDLE_METRIC_BARRIER_BLAME) - before;
	assert_int_equal(given, 2 * WAIT);
	assert_int_equal(given, waited(first, barrier, 30) + waited(second, barrier, 30));
	assert_int_equal(blame(first, HEDDLE_TREE_ROOT, HEDDLE_METRIC_BARRIER_BLAME), by_first);
}

static void the_holder_is_to_blame_for_a_lock(void **state)
{
	(void)state;
	heddle__region_begin(first, work, 40);
	heddle__blame_hold(first, HEDDLE_SCOPE_PROCESS, LOCK, false, HEDDLE_BLAME_OPEN);
	heddle__region_begin(second, lock, 40);
	heddle__blame_wait(second, HEDDLE_SCOPE_PROCESS, LOCK);
	wait_a_little();
	heddle__blame_release(first, HEDDLE_SCOPE_PROCESS, LOCK);
	uint64_t by_holder = blame(first, region(work, 40), HEDDLE_METRIC_LOCK_BLAME);
	uint64_t before = no_culprit(HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME);
	wait_a_little();
	heddle__region_end(second, lock);
	heddle__blame_wait_over(second);
	heddle__region_begin(second, work, 41);
	heddle__blame_hold(second, HEDDLE_SCOPE_PROCESS, LOCK, false, HEDDLE_BLAME_OPEN);
	heddle__blame_release(second, HEDDLE_SCOPE_PROCESS, LOCK);
	heddle__region_end(second, work);
	heddle__region_end(first, work);
	assert_int_equal(by_holder, WAIT);
	assert_int_equal(blame(first, region(work, 40), HEDDLE_METRIC_IDLENESS), 0);
	/* Between the release and the end of the wait the lock has no holder. */
	uint64_t handed = blame(second, hand_off(region(work, 41)), HEDDLE_METRIC_LOCK_BLAME);
	assert_int_equal(handed, WAIT);
	assert_int_equal(by_holder + handed, waited(second, lock, 40));
	assert_int_equal(no_culprit(HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME), before);
}

/* Without samples, each region is charged with the waiting time during which it was innermost. */
static void what_is_done_with_the_lock_held_is_to_blame(void **state)
{
	(void)state;
	uint32_t inner = heddle__tree_child(region(work, 45), HEDDLE_NODE_META(HEDDLE_NODE_REGION, work->id), 46);
	heddle__region_begin(first, work, 45);
	heddle__blame_hold(first, HEDDLE_SCOPE_PROCESS, LOCK + 5, false, HEDDLE_BLAME_OPEN);
	heddle__region_begin(second, lock, 45);
	heddle__blame_wait(second, HEDDLE_SCOPE_PROCESS, LOCK + 5);
	heddle__region_begin(first, work, 46);
	wait_a_little();
	heddle__region_end(first, work);
	heddle__blame_release(first, HEDDLE_SCOPE_PROCESS, LOCK + 5);
	heddle__region_end(second, lock);
	heddle__blame_hold(second, HEDDLE_SCOPE_PROCESS, LOCK + 5, false, region(work, 47));
	heddle__blame_release(second, HEDDLE_SCOPE_PROCESS, LOCK + 5);
	heddle__region_end(first, work);
	assert_int_equal(blame(first, inner, HEDDLE_METRIC_LOCK_BLAME), WAIT);
	assert_int_equal(blame(first, inner, HEDDLE_METRIC_LOCK_BLAME) +
				 blame(first, region(work, 45), HEDDLE_METRIC_LOCK_BLAME) +
				 blame(second, hand_off(region(work, 47)), HEDDLE_METRIC_LOCK_BLAME),
		waited(second, lock, 45));
}

static void be_waited_for(uint64_t id, uint64_t place, struct heddle_slot *sampled)
{
	heddle__blame_hold(first, HEDDLE_SCOPE_PROCESS, id, false, region(work, place));
	heddle__region_begin(second, lock, place);
	heddle__blame_wait(second, HEDDLE_SCOPE_PROCESS, id);
	wait_a_little();
	if (sampled)
		heddle__blame_charge_held(first, sampled);
	heddle__blame_release(first, HEDDLE_SCOPE_PROCESS, id);
	heddle__region_end(second, lock);
	heddle__blame_hold(second, HEDDLE_SCOPE_PROCESS, id, false, region(work, place + 1));
	heddle__blame_release(second, HEDDLE_SCOPE_PROCESS, id);
}

/* Locks are held for less than a sampling period: the first sample takes over the blame of earlier holds. */
static void a_sample_takes_what_earlier_holds_were_given(void **state)
{
	(void)state;
	struct heddle_slot *sampled = heddle__slot(first, region(work, 59));
	heddle__events_give_time = false;
	be_waited_for(LOCK + 6, 55, NULL);
	be_waited_for(LOCK + 6, 55, NULL);
	uint64_t unsampled = blame(first, region(work, 55), HEDDLE_METRIC_LOCK_BLAME);
	assert_int_equal(unsampled, 2 * WAIT);
	be_waited_for(LOCK + 6, 55, sampled);
	heddle__events_give_time = true;
	uint64_t taken = blame(first, region(work, 59), HEDDLE_METRIC_LOCK_BLAME);
	uint64_t left = blame(first, region(work, 55), HEDDLE_METRIC_LOCK_BLAME);
	assert_int_equal(taken, unsampled + WAIT);
	assert_int_equal(taken, blame(first, region(work, 59), HEDDLE_METRIC_BLAME));
	assert_int_equal(left, blame(first, region(work, 55), HEDDLE_METRIC_BLAME));
	assert_int_equal(taken + left + blame(second, hand_off(region(work, 56)), HEDDLE_METRIC_LOCK_BLAME),
		waited(second, lock, 55));
}

/* A thread whose measurement is off is not charged; but no other thread held the lock. */
static void a_lock_held_by_who_is_off_has_no_culprit(void **state)
{
	(void)state;
	uint64_t before = no_culprit(HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME);
	heddle__apply_control(first, false);
	heddle__blame_hold(first, HEDDLE_SCOPE_PROCESS, LOCK + 7, false, HEDDLE_BLAME_OPEN);
	heddle__region_begin(second, lock, 65);
	heddle__blame_wait(second, HEDDLE_SCOPE_PROCESS, LOCK + 7);
	wait_a_little();
	heddle__blame_release(first, HEDDLE_SCOPE_PROCESS, LOCK + 7);
	uint64_t given = no_culprit(HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME) - before;
	heddle__region_end(second, lock);
	heddle__blame_hold(second, HEDDLE_SCOPE_PROCESS, LOCK + 7, false, region(work, 66));
	heddle__blame_release(second, HEDDLE_SCOPE_PROCESS, LOCK + 7);
	heddle__apply_control(first, true);
	assert_int_equal(given, WAIT);
	assert_int_equal(
		given + blame(second, hand_off(region(work, 66)), HEDDLE_METRIC_LOCK_BLAME), waited(second, lock, 65));
}

static void a_wait_given_up_is_the_holder_s_too(void **state)
{
	(void)state;
	heddle__region_begin(first, work, 50);
	heddle__blame_hold(first, HEDDLE_SCOPE_PROCESS, LOCK + 1, false, HEDDLE_BLAME_OPEN);
	heddle__region_begin(second, lock, 50);
	heddle__blame_wait(second, HEDDLE_SCOPE_PROCESS, LOCK + 1);
	wait_a_little();
	heddle__region_end(second, lock);
	heddle__blame_unwait(second);
	heddle__blame_release(first, HEDDLE_SCOPE_PROCESS, LOCK + 1);
	heddle__region_end(first, work);
	assert_int_equal(blame(first, region(work, 50), HEDDLE_METRIC_LOCK_BLAME), waited(second, lock, 50));
}

static void a_lock_that_nobody_has_has_no_culprit(void **state)
{
	(void)state;
	uint64_t before = no_culprit(HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME);
	heddle__region_begin(second, lock, 60);
	heddle__blame_wait(second, HEDDLE_SCOPE_PROCESS, LOCK + 2);
	wait_a_little();
	heddle__region_end(second, lock);
	heddle__blame_unwait(second);
	assert_int_equal(
		no_culprit(HEDDLE_STATE_NO_HOLDER, HEDDLE_METRIC_LOCK_BLAME) - before, waited(second, lock, 60));
}

/* A thread in the barrier of a team that has ended waits for work. */
static void after_its_group_s_end_a_waiter_is_idle(void **state)
{
	(void)state;
	static struct heddle_group group;
	heddle__task_begin(second, 0x1000, region(work, 70), &group, 0);
	heddle__region_begin(first, work, 70);
	heddle__region_begin(second, barrier, 70);
	wait_a_little();
	heddle__group_end(&group, 0);
	assert_int_equal(group.waiting, 0);
	wait_a_little();
	heddle__task_end(second, 0x1000, atomic_load(&group.ended));
	heddle__region_end(first, work);
	uint64_t in_barrier = blame(first, region(work, 70), HEDDLE_METRIC_BARRIER_BLAME);
	uint64_t idle = blame(first, region(work, 70), HEDDLE_METRIC_IDLE_BLAME);
	assert_int_equal(in_barrier, WAIT);
	assert_int_equal(idle, WAIT);
}

/* The runtime may signal the end of the barrier only after the end of the team. */
static void left_after_its_group_s_end_a_barrier_lasted_till_then(void **state)
{
	(void)state;
	static struct heddle_group group;
	struct heddle_slot *idle = heddle__slot(second, region(work, 75));
	uint32_t inside =
		heddle__tree_child(region(barrier, 75), HEDDLE_NODE_META(HEDDLE_NODE_REGION, barrier->id), 75);
	heddle__set_idle(second, idle);
	heddle__task_begin(second, 0x1000, region(barrier, 75), &group, 0);
	heddle__region_begin(first, work, 75);
	heddle__region_begin(second, barrier, 75);
	wait_a_little();
	heddle__group_end(&group, 0);
	wait_a_little();
	heddle__region_end(second, barrier);
	heddle__task_end(second, 0x1000, atomic_load(&group.ended));
	heddle__region_end(first, work);
	heddle__set_idle(second, NULL);
	uint64_t waited_inside = value_of(second, inside, HEDDLE_METRIC_WALL_TIME);
	assert_int_equal(idle->value[HEDDLE_METRIC_WALL_TIME], WAIT);
	assert_int_equal(blame(first, region(work, 75), HEDDLE_METRIC_BARRIER_BLAME), waited_inside);
}

/* A region within a barrier, such as a reduction: a thread that waits there does not work. */
static void what_a_wait_consists_of_is_part_of_it(void **state)
{
	(void)state;
	heddle__region_begin(first, work, 90);
	heddle__region_begin(second, barrier, 90);
	heddle__region_begin(second, work, 91);
	wait_a_little();
	heddle__region_end(second, work);
	heddle__region_end(second, barrier);
	heddle__region_end(first, work);
	assert_int_equal(blame(first, region(work, 90), HEDDLE_METRIC_BARRIER_BLAME), WAIT);
}

/* The block that a critical construct opens once it has acquired the lock is not part of the wait. */
static void a_wait_that_is_over_lasted_till_then(void **state)
{
	(void)state;
	heddle__region_begin(first, work, 100);
	heddle__blame_hold(first, HEDDLE_SCOPE_PROCESS, LOCK + 3, false, HEDDLE_BLAME_OPEN);
	heddle__region_begin(second, lock, 100);
	heddle__blame_wait(second, HEDDLE_SCOPE_PROCESS, LOCK + 3);
	wait_a_little();
	heddle__region_end(second, lock);
	heddle__blame_wait_over(second);
	wait_a_little();
	heddle__region_begin(second, work, 101);
	heddle__blame_hold(second, HEDDLE_SCOPE_PROCESS, LOCK + 3, false, HEDDLE_BLAME_OPEN);
	heddle__blame_release(first, HEDDLE_SCOPE_PROCESS, LOCK + 3);
	heddle__blame_release(second, HEDDLE_SCOPE_PROCESS, LOCK + 3);
	heddle__region_end(second, work);
	heddle__region_end(first, work);
	assert_int_equal(blame(first, region(work, 100), HEDDLE_METRIC_LOCK_BLAME), waited(second, lock, 100));
}

static void switched_off_nobody_is_to_blame(void **state)
{
	(void)state;
	heddle__region_begin(first, work, 80);
	heddle__apply_control(first, false);
	heddle__region_begin(second, barrier, 80);
	wait_a_little();
	heddle__region_end(second, barrier);
	heddle__apply_control(first, true);
	heddle__region_end(first, work);
	assert_int_equal(blame(first, region(work, 80), HEDDLE_METRIC_BLAME), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, join, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(who_works_is_to_blame_for_a_barrier),
		TEST(blame_is_given_to_what_was_done_meanwhile),
		TEST(without_workers_waiting_has_no_culprit),
		TEST(the_holder_is_to_blame_for_a_lock),
		TEST(what_is_done_with_the_lock_held_is_to_blame),
		TEST(a_sample_takes_what_earlier_holds_were_given),
		TEST(a_lock_held_by_who_is_off_has_no_culprit),
		TEST(a_wait_given_up_is_the_holder_s_too),
		TEST(a_lock_that_nobody_has_has_no_culprit),
		TEST(after_its_group_s_end_a_waiter_is_idle),
		TEST(left_after_its_group_s_end_a_barrier_lasted_till_then),
		TEST(what_a_wait_consists_of_is_part_of_it),
		TEST(a_wait_that_is_over_lasted_till_then),
		TEST(switched_off_nobody_is_to_blame),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
