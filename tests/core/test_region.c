/* SPDX-License-Identifier: BSD-3-Clause */
/* The shadow stack: what STARTs and ENDs in any order leave open; no tick of elapsed time is lost or counted twice. */
#include "tests/support/unit.h"

#include "core/threads/region.h"
#include "core/threads/task.h"
#include "tests/support/simulated.h"

static struct heddle_event events[] = {
	{"test", "test_a", "a", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_b", "b", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_wait", "wait", HEDDLE_CATEGORY_BARRIER, 0, true, false, 0, 0},
	{"test", "test_lock", "lock", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
	{"test", "test_block", "block", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0},
};
static const struct heddle_event *const a = &events[0], *const b = &events[1], *const barrier = &events[2];
static const struct heddle_event *const lock = &events[3], *const block = &events[4];
static struct heddle_thread *self;
static uint64_t first_ticks, first_sum;

enum { TASK_1 = 0x1000, TASK_2 = 0x2000, TASK_3 = 0x3000 };

static uint32_t child(uint32_t parent, const struct heddle_event *event, uint64_t place)
{
	return heddle__tree_child(parent, HEDDLE_NODE_META(HEDDLE_NODE_REGION, event->id), place);
}

static uint32_t context(uint64_t place)
{
	return heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), place);
}

static uint64_t visits(uint32_t node)
{
	return value_of(self, node, HEDDLE_METRIC_VISITS);
}

static uint64_t wall(uint32_t node)
{
	return value_of(self, node, HEDDLE_METRIC_WALL_TIME);
}

/* On the simulated machine no other time passes, and a tick is a nanosecond. */
#define A_LITTLE 200000u

static void wait_a_little(void)
{
	simulated_sleep(A_LITTLE);
}

/* Starts each test with an empty stack, and with all time charged. */
static int start(void **state)
{
	(void)state;
	if (!self) {
		self = be_measured();
		assert_int_equal(heddle__events_register(events, 5), 0);
		heddle__event_means_held_lock(lock);
		heddle__event_always_ends(block);
	}
	heddle__events_give_time = true;
	heddle__enter(self);
	assert_int_equal(self->stack.depth, 0);
	heddle__set_idle(self, heddle__slot(self, context(1)));
	first_ticks = self->last_ticks;
	first_sum = sum_of(self, HEDDLE_METRIC_WALL_TIME);
	return 0;
}

static int end(void **state)
{
	(void)state;
	heddle__stack_clear(&self->stack);
	heddle__set_idle(self, NULL);
	heddle__leave(self);
	return 0;
}

/* Elapsed time is conserved: the slots have all of it. */
static void assert_all_time_is_charged(void)
{
	heddle__charge_elapsed(self, heddle__measured_ticks());
	assert_int_equal(sum_of(self, HEDDLE_METRIC_WALL_TIME) - first_sum, self->last_ticks - first_ticks);
}

static void regions_nest(void **state)
{
	(void)state;
	uint32_t outer = child(HEDDLE_TREE_ROOT, a, 10), inner = child(outer, b, 11);
	uint64_t before = visits(outer);
	heddle__region_begin(self, a, 10);
	assert_int_equal(heddle__current_node(self), outer);
	wait_a_little();
	for (int i = 0; i < 3; i++) {
		heddle__region_begin(self, b, 11);
		assert_int_equal(heddle__current_node(self), inner);
		wait_a_little();
		heddle__region_end(self, b);
		assert_int_equal(heddle__current_node(self), outer);
	}
	heddle__region_end(self, a);
	assert_int_equal(heddle__current_node(self), HEDDLE_TREE_ROOT);
	assert_int_equal(visits(outer), before + 1);
	assert_int_equal(visits(inner), 3);
	assert_int_equal(wall(inner), 3 * A_LITTLE);
	assert_int_equal(wall(outer), A_LITTLE);
	assert_all_time_is_charged();
}

static void a_region_may_be_open_within_itself(void **state)
{
	(void)state;
	uint32_t outer = child(HEDDLE_TREE_ROOT, a, 15);
	heddle__region_begin(self, a, 15);
	heddle__region_begin(self, a, 15);
	assert_int_equal(heddle__current_node(self), child(outer, a, 15));
	heddle__region_end(self, a);
	assert_int_equal(heddle__current_node(self), outer);
	heddle__region_end(self, a);
	assert_int_equal(self->stack.depth, 0);
}

static void an_end_without_its_start_changes_nothing(void **state)
{
	(void)state;
	heddle__region_end(self, a);
	assert_int_equal(self->stack.depth, 0);
	heddle__region_begin(self, a, 20);
	heddle__region_end(self, b);
	heddle__region_end(self, barrier);
	assert_int_equal(self->stack.depth, 1);
	assert_int_equal(heddle__current_node(self), child(HEDDLE_TREE_ROOT, a, 20));
	heddle__region_end(self, a);
	assert_int_equal(self->stack.depth, 0);
	assert_all_time_is_charged();
}

static void an_end_closes_what_was_opened_above_its_start(void **state)
{
	(void)state;
	heddle__region_begin(self, barrier, 30);
	uint32_t around = heddle__current_node(self);
	heddle__region_begin(self, a, 31);
	heddle__region_begin(self, b, 32);
	heddle__region_end(self, a);
	assert_int_equal(heddle__current_node(self), around);
	heddle__region_end(self, b);
	assert_int_equal(heddle__current_node(self), around);
	heddle__region_end(self, barrier);
	assert_int_equal(self->stack.depth, 0);
	assert_all_time_is_charged();
}

static void regions_too_deep_to_keep_leave_the_others_right(void **state)
{
	(void)state;
	enum { TOO_MANY = HEDDLE_REGION_LIMIT + 50 };
	for (uint32_t i = 0; i < TOO_MANY; i++)
		heddle__region_begin(self, i & 1 ? b : a, 40);
	assert_int_equal(self->stack.depth, HEDDLE_REGION_LIMIT);
	uint32_t innermost = heddle__current_node(self);
	for (uint32_t i = TOO_MANY; i-- > HEDDLE_REGION_LIMIT;) {
		assert_int_equal(heddle__current_node(self), innermost);
		heddle__region_end(self, i & 1 ? b : a);
	}
	for (uint32_t i = HEDDLE_REGION_LIMIT; i-- > 0;) {
		assert_int_equal(self->stack.depth, i + 1);
		heddle__region_end(self, i & 1 ? b : a);
	}
	assert_int_equal(self->stack.depth, 0);
	assert_int_equal(heddle__current_node(self), HEDDLE_TREE_ROOT);
	assert_all_time_is_charged();
}

static void phases_too_deep_to_keep_end_in_turn(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < HEDDLE_REGION_LIMIT + 3; i++)
		heddle__phase_begin(self, 5, 0);
	for (uint32_t i = 0; i < HEDDLE_REGION_LIMIT + 3; i++)
		assert_true(heddle__phase_end(self, 5));
	assert_int_equal(self->stack.depth, 0);
	assert_false(heddle__phase_end(self, 5));
}

static void a_task_s_regions_stay_open_while_another_task_runs(void **state)
{
	(void)state;
	heddle__task_switch(self, TASK_1, context(50), self, 0);
	heddle__region_begin(self, a, 51);
	uint32_t in_task_1 = heddle__current_node(self);
	assert_int_equal(in_task_1, child(context(50), a, 51));
	heddle__task_switch(self, TASK_2, context(60), NULL, 0);
	assert_int_equal(heddle__current_node(self), context(60));
	heddle__region_end(self, a); /* not open in this task */
	assert_int_equal(heddle__current_node(self), context(60));
	heddle__region_begin(self, b, 61);
	wait_a_little();
	assert_int_equal(heddle__current_task(&self->stack)->task.name, TASK_2);
	heddle__task_switch(self, TASK_1, context(50), self, 0);
	assert_int_equal(heddle__current_node(self), in_task_1);
	assert_int_equal(heddle__current_task(&self->stack)->task.name, TASK_1);
	assert_int_equal(heddle__current_task(&self->stack)->place, (uintptr_t)self);
	assert_null(heddle__find_task(&self->stack, TASK_2));
	wait_a_little();
	heddle__region_end(self, a);
	assert_int_equal(heddle__current_node(self), context(50));
	heddle__task_end(self, TASK_1, 0);
	assert_int_equal(self->stack.depth, 0);
	assert_int_equal(wall(child(context(60), b, 61)), A_LITTLE);
	assert_int_equal(wall(in_task_1), A_LITTLE);
	assert_all_time_is_charged();
}

static void a_task_s_end_takes_what_is_above_it_along(void **state)
{
	(void)state;
	heddle__region_begin(self, a, 70);
	heddle__task_switch(self, TASK_1, context(70), NULL, 0);
	heddle__task_switch(self, TASK_2, context(71), NULL, 0);
	heddle__task_switch(self, TASK_3, context(72), NULL, 0);
	heddle__task_end(self, TASK_2, 0);
	assert_int_equal(heddle__current_task(&self->stack)->task.name, TASK_1);
	heddle__task_end(self, TASK_3, 0); /* has already ended */
	assert_int_equal(heddle__current_task(&self->stack)->task.name, TASK_1);
	heddle__task_end(self, TASK_1, 0);
	assert_null(heddle__current_task(&self->stack));
	assert_int_equal(heddle__current_node(self), child(HEDDLE_TREE_ROOT, a, 70));
	heddle__region_end(self, a);
	assert_int_equal(self->stack.depth, 0);
	assert_all_time_is_charged();
}

/* A worker learns of the end of its region only at the next fork: the time in between is idle. */
static void time_after_a_task_s_real_end_is_not_its_own(void **state)
{
	(void)state;
	uint32_t task = context(80), idle = context(1);
	heddle__task_switch(self, TASK_1, task, NULL, 0);
	heddle__region_begin(self, barrier, 81);
	uint64_t began = self->last_ticks, idle_before = wall(idle);
	wait_a_little();
	uint64_t ended = heddle__measured_ticks();
	wait_a_little();
	wait_a_little();
	heddle__task_end(self, TASK_1, ended);
	assert_int_equal(wall(child(task, barrier, 81)), ended - began);
	assert_all_time_is_charged();
	assert_int_equal(wall(idle) - idle_before, 2 * A_LITTLE);
}

static void a_real_end_before_the_last_event_takes_nothing_back(void **state)
{
	(void)state;
	heddle__task_switch(self, TASK_1, context(90), NULL, 0);
	uint64_t ended = heddle__measured_ticks();
	wait_a_little();
	heddle__region_begin(self, barrier, 91);
	wait_a_little();
	heddle__task_end(self, TASK_1, ended);
	assert_int_equal(wall(child(context(90), barrier, 91)), 0);
	assert_all_time_is_charged();
}

static void phases_end_by_name_and_only_the_innermost(void **state)
{
	(void)state;
	uint32_t meta = HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0);
	assert_false(heddle__phase_end(self, 1));
	heddle__phase_begin(self, 1, 5000);
	uint32_t outer = heddle__tree_child(HEDDLE_TREE_ROOT, meta, 1);
	assert_int_equal(heddle__current_node(self), outer);
	assert_int_equal(self->stack.regions[0].cfa, 5000);
	heddle__phase_begin(self, 2, 4000);
	assert_false(heddle__phase_end(self, 1));
	assert_int_equal(heddle__current_node(self), heddle__tree_child(outer, meta, 2));
	heddle__region_begin(self, a, 100); /* never ended: left open inside the phase */
	assert_true(heddle__phase_end(self, 2));
	assert_int_equal(heddle__current_node(self), outer);
	assert_int_equal(visits(outer), 1);
	heddle__task_switch(self, TASK_1, context(100), NULL, 0);
	assert_false(heddle__phase_end(self, 1)); /* not of this task */
	heddle__task_end(self, TASK_1, 0);
	assert_true(heddle__phase_end(self, 1));
	assert_int_equal(self->stack.depth, 0);
	assert_all_time_is_charged();
}

static void with_samples_only_waits_take_time(void **state)
{
	(void)state;
	heddle__events_give_time = false;
	heddle__set_idle(self, NULL);
	uint64_t before = sum_of(self, HEDDLE_METRIC_WALL_TIME);
	heddle__region_begin(self, a, 110);
	wait_a_little();
	assert_int_equal(sum_of(self, HEDDLE_METRIC_WALL_TIME), before);
	uint64_t began = heddle__measured_ticks();
	heddle__region_begin(self, barrier, 111);
	wait_a_little();
	uint32_t waiting = heddle__current_node(self);
	heddle__region_end(self, barrier);
	uint64_t passed = heddle__measured_ticks() - began;
	wait_a_little();
	heddle__region_end(self, a);
	assert_int_equal(wall(waiting), A_LITTLE);
	assert_int_equal(passed, A_LITTLE);
	assert_int_equal(sum_of(self, HEDDLE_METRIC_WALL_TIME), before + wall(waiting));
}

static void nothing_is_counted_while_paused(void **state)
{
	(void)state;
	heddle__pause();
	heddle__region_begin(self, a, 120);
	heddle__event_count(self, b, 121);
	heddle__phase_begin(self, 3, 0);
	for (int i = 0; i < 100; i++)
		wait_a_little();
	assert_true(heddle__phase_end(self, 3));
	heddle__continue();
	uint32_t node = heddle__current_node(self);
	assert_int_equal(node, child(HEDDLE_TREE_ROOT, a, 120));
	assert_int_equal(visits(node) + visits(child(node, b, 121)), 0);
	heddle__event_count(self, b, 121);
	assert_int_equal(visits(child(node, b, 121)), 1);
	heddle__region_end(self, a);
	assert_int_equal(wall(node), 0);
	assert_all_time_is_charged();
}

static void take(uint64_t id, uint64_t place)
{
	uint32_t depth = self->stack.depth;
	heddle__region_begin(self, lock, place);
	heddle__hold_lock(heddle__pushed_at(&self->stack, depth), id, (struct heddle_opener){0});
}

static void locks_are_released_in_any_order(void **state)
{
	(void)state;
	uint32_t around = child(HEDDLE_TREE_ROOT, a, 200);
	uint32_t first = child(around, lock, 201), second = child(first, lock, 202);
	uint32_t second_alone = child(around, lock, 202), inner = child(second_alone, b, 203);
	heddle__region_begin(self, a, 200);
	take(0x7001, 201);
	take(0x7002, 202);
	assert_int_equal(heddle__current_node(self), second);
	heddle__region_begin(self, b, 203);
	wait_a_little();
	assert_true(heddle__release_lock(self, lock, 0x7001));
	assert_int_equal(self->stack.depth, 3);
	assert_int_equal(heddle__current_node(self), inner); /* open regions get the paths without the lock */
	uint64_t before = wall(inner);
	wait_a_little();
	heddle__region_end(self, b);
	assert_int_equal(wall(inner) - before, A_LITTLE);
	assert_int_equal(heddle__current_node(self), second_alone);
	assert_false(heddle__release_lock(self, lock, 0x7001));
	assert_true(heddle__release_lock(self, lock, 0x7002));
	assert_int_equal(self->stack.depth, 1);
	heddle__region_end(self, a);
	assert_int_equal(visits(first), 1);
	assert_int_equal(visits(second), 1);
	assert_int_equal(visits(second_alone) + visits(inner), 0);
	assert_all_time_is_charged();
}

/* A lock may be released by another function, and after the loop in which it was acquired. */
static void a_lock_is_held_beyond_what_was_around(void **state)
{
	(void)state;
	const struct heddle_activation function = {
		.meta = HEDDLE_NODE_META(HEDDLE_NODE_FUNCTION, 0), .place = 210, .function = 210};
	heddle__activation_begin(self, &function);
	take(0x7003, 211);
	heddle__region_begin(self, b, 212);
	uint32_t held = heddle__tree_node(heddle__current_node(self))->parent;
	heddle__activation_end(self, &function);
	assert_int_equal(self->stack.depth, 1);
	assert_int_equal(heddle__current_node(self), held);
	assert_true(heddle__release_lock(self, lock, 0x7003));
	heddle__region_begin(self, a, 213);
	take(0x7004, 214);
	heddle__region_begin(self, b, 215);
	heddle__region_end(self, a);
	assert_int_equal(self->stack.depth, 1);
	assert_int_equal(heddle__current_node(self), child(HEDDLE_TREE_ROOT, lock, 214));
	assert_true(heddle__release_lock(self, lock, 0x7004));
	assert_int_equal(self->stack.depth, 0);
	assert_all_time_is_charged();
}

static uint32_t phase_below(uint32_t parent, uint32_t name)
{
	return heddle__tree_child(parent, HEDDLE_NODE_META(HEDDLE_NODE_PHASE, 0), name);
}

static void end_phase(uint32_t name)
{
	assert_true(heddle__phase_end(self, name));
}

static void end_user_event(uint32_t name)
{
	assert_int_equal(heddle__user_event_end(self, name, NULL, NULL), HEDDLE_ENDED);
}

/*
 * A phase ends in a block and with a lock held: both continue below the paths that they have without the phase. `b` is
 * left open and dropped.
 */
static void end_in_block(uint32_t name, void (*ends)(uint32_t name))
{
	uint32_t around = child(HEDDLE_TREE_ROOT, a, name), held = child(around, lock, 301);
	uint32_t inner = child(held, block, 303), within = child(child(phase_below(around, name), lock, 301), b, 302);
	heddle__region_begin(self, a, name);
	heddle__phase_begin(self, name, 0);
	take(0x7100, 301);
	heddle__region_begin(self, b, 302);
	heddle__region_begin(self, block, 303);
	assert_int_equal(heddle__current_node(self), child(within, block, 303));
	wait_a_little();
	ends(name);
	assert_int_equal(self->stack.depth, 3);
	assert_int_equal(heddle__current_node(self), inner);
	wait_a_little();
	heddle__region_end(self, block);
	assert_int_equal(wall(inner), A_LITTLE);
	assert_int_equal(wall(child(within, block, 303)), A_LITTLE);
	assert_int_equal(visits(child(within, block, 303)), 1);
	assert_int_equal(visits(inner), 0);
	assert_int_equal(heddle__current_node(self), held);
	assert_true(heddle__release_lock(self, lock, 0x7100));
	assert_int_equal(heddle__current_node(self), around);
	heddle__region_end(self, a);
	assert_int_equal(self->stack.depth, 0);
	assert_all_time_is_charged();
}

static void a_phase_ends_in_a_block(void **state)
{
	(void)state;
	end_in_block(30, end_phase);
}

static void a_user_event_ends_in_a_block(void **state)
{
	(void)state;
	end_in_block(31, end_user_event);
}

/* The phase ends while measurement is off: paths are those of what is open when measurement continues. */
static void a_phase_ends_in_a_block_while_off(void **state)
{
	(void)state;
	heddle__phase_begin(self, 32, 0);
	heddle__region_begin(self, block, 310);
	heddle__apply_control(self, false);
	heddle__region_begin(self, block, 311);
	end_phase(32);
	assert_int_equal(self->stack.depth, 2);
	heddle__apply_control(self, true);
	assert_int_equal(heddle__current_node(self), child(child(HEDDLE_TREE_ROOT, block, 310), block, 311));
	heddle__region_end(self, block);
	heddle__region_end(self, block);
	assert_int_equal(self->stack.depth, 0);
}

/* A phase is charged until its end, wherever that is: this one begins in one region and ends in another. */
static void a_phase_outlives_the_region_that_it_began_in(void **state)
{
	(void)state;
	uint32_t around = child(HEDDLE_TREE_ROOT, a, 320), phase = phase_below(around, 33);
	uint32_t began = phase_below(child(around, block, 321), 33);
	heddle__region_begin(self, a, 320);
	heddle__region_begin(self, block, 321);
	heddle__phase_begin(self, 33, 0);
	heddle__region_begin(self, b, 322); /* never ended */
	heddle__phase_begin(self, 34, 0);
	heddle__region_end(self, block);
	assert_int_equal(self->stack.depth, 3);
	assert_int_equal(heddle__current_node(self), phase_below(phase, 34));
	end_user_event(34);
	wait_a_little();
	heddle__region_begin(self, block, 323);
	assert_int_equal(heddle__current_node(self), child(phase, block, 323));
	end_phase(33);
	assert_int_equal(heddle__current_node(self), child(around, block, 323));
	heddle__region_end(self, block);
	heddle__region_end(self, a);
	assert_int_equal(self->stack.depth, 0);
	assert_int_equal(visits(began), 1);
	assert_int_equal(visits(phase), 0);
	assert_int_equal(wall(phase), A_LITTLE);
	assert_all_time_is_charged();
}

/* A phase that begins in a task ends with it, even if the thread switched to another task meanwhile. */
static void a_phase_ends_with_its_task(void **state)
{
	(void)state;
	heddle__task_switch(self, TASK_1, context(330), NULL, 0);
	heddle__region_begin(self, block, 331);
	heddle__phase_begin(self, 35, 0);
	heddle__task_switch(self, TASK_2, context(332), NULL, 0);
	heddle__region_end(self, block); /* not of this task */
	assert_false(heddle__phase_end(self, 35));
	heddle__region_begin(self, block, 333);
	heddle__phase_begin(self, 36, 0);
	heddle__region_end(self, block);
	assert_int_equal(heddle__current_node(self), phase_below(context(332), 36));
	heddle__task_switch(self, TASK_1, context(330), NULL, 0);
	assert_int_equal(heddle__current_node(self), phase_below(child(context(330), block, 331), 35));
	heddle__region_end(self, block);
	assert_int_equal(heddle__current_node(self), phase_below(context(330), 35));
	heddle__task_end(self, TASK_1, 0);
	assert_int_equal(self->stack.depth, 0);
	assert_false(heddle__phase_end(self, 35));
	assert_all_time_is_charged();
}

/* Another task cannot release a task's locks; they are removed when the task ends. */
static void a_lock_is_its_task_s(void **state)
{
	(void)state;
	heddle__task_switch(self, TASK_1, context(220), NULL, 0);
	take(0x7005, 221);
	heddle__task_switch(self, TASK_2, context(222), NULL, 0);
	assert_false(heddle__release_lock(self, lock, 0x7005));
	take(0x7006, 223);
	heddle__task_end(self, TASK_2, 0);
	assert_int_equal(self->stack.depth, 2);
	assert_false(heddle__release_lock(self, lock, 0x7006));
	assert_true(heddle__release_lock(self, lock, 0x7005));
	heddle__task_end(self, TASK_1, 0);
	assert_int_equal(self->stack.depth, 0);
	assert_all_time_is_charged();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
		TEST(regions_nest),
		TEST(a_region_may_be_open_within_itself),
		TEST(an_end_without_its_start_changes_nothing),
		TEST(an_end_closes_what_was_opened_above_its_start),
		TEST(a_task_s_regions_stay_open_while_another_task_runs),
		TEST(a_task_s_end_takes_what_is_above_it_along),
		TEST(time_after_a_task_s_real_end_is_not_its_own),
		TEST(a_real_end_before_the_last_event_takes_nothing_back),
		TEST(phases_end_by_name_and_only_the_innermost),
		TEST(with_samples_only_waits_take_time),
		TEST(nothing_is_counted_while_paused),
		TEST(regions_too_deep_to_keep_leave_the_others_right),
		TEST(phases_too_deep_to_keep_end_in_turn),
		TEST(locks_are_released_in_any_order),
		TEST(a_lock_is_held_beyond_what_was_around),
		TEST(a_lock_is_its_task_s),
		TEST(a_phase_ends_in_a_block),
		TEST(a_user_event_ends_in_a_block),
		TEST(a_phase_ends_in_a_block_while_off),
		TEST(a_phase_outlives_the_region_that_it_began_in),
		TEST(a_phase_ends_with_its_task),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
