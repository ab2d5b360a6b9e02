/* SPDX-License-Identifier: BSD-3-Clause */
/* Explicit tasks of the report: those reported at creation, and those that LLVM's runtimes report when they start. */
#include "tests/models/ompt/report_runtime.h"

static void a_created_task_runs_below_its_construct(void **state)
{
	(void)state;
	begin_region();
	current_task = OF_MASTER;
	task_begin(OF_MASTER, TASK, TASK_AT);
	assert_int_equal(heddle__current_node(master), region_1());
	as(worker);
	two(TASK_SWITCH, OF_WORKER, TASK);
	uint32_t task = node(region_1(), HEDDLE_OMPT_TASK, TASK_AT);
	assert_int_equal(heddle__current_node(worker), task);
	assert_int_equal(value_of(master, task, HEDDLE_METRIC_VISITS), 1);
	one(TASK_END, TASK);
	two(TASK_SWITCH, 0, OF_WORKER);
	assert_int_equal(heddle__current_node(worker), region_1());
	end_region();
}

/* LLVM's runtimes report a task when it starts, on the thread that runs it, and as its current task. */
static void a_started_task_runs_below_its_parent(void **state)
{
	(void)state;
	start_runtime(1);
	begin_region();
	as(worker);
	current_task = TASK;
	task_begin(OF_MASTER, TASK, TASK_AT);
	two(TASK_SWITCH, OF_WORKER, TASK);
	uint32_t task = node(region_1(), HEDDLE_OMPT_TASK, TASK_AT);
	assert_int_equal(heddle__current_node(worker), task);
	current_task = CHILD;
	task_begin(TASK, CHILD, OTHER_AT);
	two(TASK_SWITCH, TASK, CHILD);
	assert_int_equal(heddle__current_node(worker), node(task, HEDDLE_OMPT_TASK, OTHER_AT));
	two(TASK_SWITCH, CHILD, TASK);
	one(TASK_END, CHILD);
	assert_int_equal(heddle__current_node(worker), task);
	two(TASK_SWITCH, TASK, OF_WORKER);
	one(TASK_END, TASK);
	assert_int_equal(heddle__current_node(worker), region_1());
	end_region();
}

/* A parent that has ended is found by its frame, which the runtime keeps; the region replaces an unknown parent. */
static void a_started_task_runs_below_its_parent_that_has_ended(void **state)
{
	(void)state;
	start_runtime(1);
	begin_region();
	current_task = TASK;
	task_begin(OF_MASTER, TASK, TASK_AT);
	two(TASK_SWITCH, OF_MASTER, TASK);
	two(TASK_SWITCH, TASK, OF_MASTER);
	one(TASK_END, TASK);
	as(worker);
	current_task = CHILD;
	task_begin(TASK, CHILD, OTHER_AT);
	two(TASK_SWITCH, OF_WORKER, CHILD);
	uint32_t task = node(region_1(), HEDDLE_OMPT_TASK, TASK_AT);
	assert_int_equal(heddle__current_node(worker), node(task, HEDDLE_OMPT_TASK, OTHER_AT));
	two(TASK_SWITCH, CHILD, OF_WORKER);
	one(TASK_END, CHILD);
	current_region = REGION;
	current_task = CHILD + 1; /* its creator's frame now belongs to another task */
	task_begin(TASK + 8, CHILD + 1, OTHER_AT);
	two(TASK_SWITCH, OF_WORKER, CHILD + 1);
	assert_int_equal(heddle__current_node(worker), node(region_1(), HEDDLE_OMPT_TASK, OTHER_AT));
	two(TASK_SWITCH, CHILD + 1, OF_WORKER);
	one(TASK_END, CHILD + 1);
	end_region();
}

/* Runtimes before 4.0 do not report switches. */
static void a_started_task_needs_no_switch(void **state)
{
	(void)state;
	withheld[TASK_SWITCH] = true;
	start_runtime(1);
	begin_region();
	current_task = TASK;
	current_region = REGION;
	task_begin(OF_MASTER, TASK, TASK_AT);
	assert_int_equal(heddle__current_node(master), node(region_1(), HEDDLE_OMPT_TASK, TASK_AT));
	current_task = OF_MASTER;
	one(TASK_END, TASK);
	assert_int_equal(heddle__current_node(master), region_1());
	end_region();
}

static void a_task_that_starts_on_a_thread_that_is_off_is_not_counted(void **state)
{
	(void)state;
	start_runtime(1);
	begin_region();
	as(worker);
	uint32_t task = node(region_1(), HEDDLE_OMPT_TASK, TASK_AT);
	uint64_t before = value_of(worker, task, HEDDLE_METRIC_VISITS);
	for (uint64_t on = 0; on <= 1; on++) {
		heddle__thread_control(worker, on);
		current_task = TASK + on;
		task_begin(OF_MASTER, TASK + on, TASK_AT);
		two(TASK_SWITCH, OF_WORKER, TASK + on);
		assert_int_equal(heddle__current_node(worker), task);
		two(TASK_SWITCH, TASK + on, OF_WORKER);
		one(TASK_END, TASK + on);
		assert_int_equal(value_of(worker, task, HEDDLE_METRIC_VISITS), before + on);
	}
	end_region();
}

/* The runtime recycles the structures of tasks. */
static void memory_does_not_grow_with_the_number_of_started_tasks(void **state)
{
	uint64_t mapped = 0;
	(void)state;
	start_runtime(1);
	begin_region();
	for (uint64_t task = 100; task < 200000; task++) {
		current_task = task;
		task_begin(task % 8 ? task - 1 : OF_MASTER, task, TASK_AT);
		two(TASK_SWITCH, OF_MASTER, task);
		two(TASK_SWITCH, task, OF_MASTER);
		one(TASK_END, task);
		if (task == 100000)
			mapped = heddle__memory_mapped();
	}
	assert_int_equal(heddle__memory_mapped(), mapped);
	end_region();
}

/* Code of LLVM's compilers calls the function of an undeferred task itself: no switch is reported. */
static void an_undeferred_task_is_current_until_its_end(void **state)
{
	(void)state;
	start_runtime(1);
	begin_region();
	uint32_t task = node(region_1(), HEDDLE_OMPT_TASK, TASK_AT), child = node(task, HEDDLE_OMPT_TASK, OTHER_AT);
	uint64_t before = value_of(master, task, HEDDLE_METRIC_VISITS);
	current_task = TASK;
	task_begin(OF_MASTER, TASK, TASK_AT);
	assert_int_equal(heddle__current_node(master), task);
	current_task = CHILD;
	task_begin(TASK, CHILD, OTHER_AT);
	assert_int_equal(heddle__current_node(master), child);
	one(TASK_END, CHILD);
	assert_int_equal(heddle__current_node(master), task);
	one(TASK_END, TASK);
	assert_int_equal(heddle__current_node(master), region_1());
	assert_int_equal(value_of(master, task, HEDDLE_METRIC_VISITS), before + 1);
	end_region();
}

/* In a region with one thread, LLVM's runtimes return the implicit task while an explicit one is current. */
static void an_undeferred_task_need_not_be_named(void **state)
{
	struct heddle_inquiry inquiry;
	(void)state;
	for (int asked = 0; asked < 2; asked++) {
		withheld[TASK_SWITCH] = asked;
		start_runtime(1);
		begin_region();
		uint32_t task = node(region_1(), HEDDLE_OMPT_TASK, TASK_AT);
		current_task = OF_MASTER;
		current_region = REGION;
		current_state = 1;
		task_begin(OF_MASTER, TASK, TASK_AT);
		assert_int_equal(heddle__current_node(master), task);
		heddle__inquire(master, &inquiry);
		assert_int_equal(inquiry.base, task);
		one(TASK_END, TASK);
		heddle__inquire(master, &inquiry);
		assert_int_equal(inquiry.base, region_1());
		assert_int_equal(heddle__current_node(master), region_1());
		end_region();
	}
}

/* Each part of an untied task is reported as start and end of the same task. */
static void an_untied_task_is_counted_once(void **state)
{
	(void)state;
	start_runtime(1);
	begin_region();
	uint32_t task = node(region_1(), HEDDLE_OMPT_TASK, TASK_AT);
	uint64_t before = value_of(master, task, HEDDLE_METRIC_VISITS) + value_of(worker, task, HEDDLE_METRIC_VISITS);
	for (int part = 0; part < 4; part++) {
		as(part % 2 ? worker : master);
		uint64_t suspended = part % 2 ? OF_WORKER : OF_MASTER;
		current_task = TASK;
		task_begin(OF_MASTER, TASK, TASK_AT);
		two(TASK_SWITCH, suspended, TASK);
		assert_int_equal(heddle__current_node(heddle__self), task);
		two(TASK_SWITCH, TASK, suspended);
		one(TASK_END, TASK);
	}
	assert_int_equal(value_of(master, task, HEDDLE_METRIC_VISITS) + value_of(worker, task, HEDDLE_METRIC_VISITS),
		before + 1);
	end_region();
}

#define LEVELS 64
#define EXACT 4 /* nested tasks of a recursion, up to this many, have their own nodes */

static void recursive_tasks_have_four_nodes(void **state)
{
	uint32_t nodes[LEVELS];
	(void)state;
	start_runtime(1);
	begin_region();
	for (uint64_t level = 0; level < LEVELS; level++) {
		current_task = 100 + level;
		task_begin(level ? current_task - 1 : OF_MASTER, current_task, TASK_AT);
		nodes[level] = heddle__current_node(master);
		assert_int_equal(nodes[level] == nodes[level ? level - 1 : 0], level == 0 || level >= EXACT);
	}
	assert_int_equal(nodes[0], node(region_1(), HEDDLE_OMPT_TASK, TASK_AT));
	for (uint64_t level = LEVELS; level-- > 0;) {
		assert_int_equal(heddle__current_node(master), nodes[level]);
		one(TASK_END, 100 + level);
	}
	end_region();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_teardown(name, check_balance)
		TEST(a_created_task_runs_below_its_construct),
		TEST(a_started_task_runs_below_its_parent),
		TEST(a_started_task_runs_below_its_parent_that_has_ended),
		TEST(a_started_task_needs_no_switch),
		TEST(a_task_that_starts_on_a_thread_that_is_off_is_not_counted),
		TEST(memory_does_not_grow_with_the_number_of_started_tasks),
		TEST(an_undeferred_task_is_current_until_its_end),
		TEST(an_undeferred_task_need_not_be_named),
		TEST(an_untied_task_is_counted_once),
		TEST(recursive_tasks_have_four_nodes),
	};
	return cmocka_run_group_tests(tests, start, NULL);
}
