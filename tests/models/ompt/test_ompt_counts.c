/* SPDX-License-Identifier: BSD-3-Clause */
/* Events without duration, and measurement control. */
#include "tests/models/ompt/played_runtime.h"

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
		assert_int_equal(master->stack.depth, 1);
		assert_int_equal(visits(master, heddle__tree_child(created, meta, 0)),
			kinds[i].status == ompt_task_complete ? 4 : 1);
	}
	end_region();
}

/* The effect of `end` on the process is tested with real runs. */
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
	assert_int_equal(count_of(HEDDLE_OMPT_CONTROL_TOOL, 0), 6); /* the second pause came during the first */
}

/* The tasks of its teams still have a path, for threads whose measurement is on. */
static void a_thread_that_is_off_counts_no_constructs(void **state)
{
	(void)state;
	ompt_data_t task = {0}, helpers = {0};
	uint32_t region = node(HEDDLE_TREE_ROOT, HEDDLE_OMPT_PARALLEL, REGION_1);
	uint32_t created = node(region, HEDDLE_OMPT_TASK, TASK_AT);
	uint64_t before = visits(master, region), others = visits(worker, region);
	as(master);
	heddle__thread_control(master, false);
	begin_region();
	task_create(&of_master, &task, TASK_AT);
	as(worker);
	assert_int_equal(heddle__current_node(worker), region);
	task_schedule(&of_worker, ompt_task_switch, &task);
	assert_int_equal(heddle__current_node(worker), created);
	task_schedule(&task, ompt_task_complete, &of_worker);
	end_region();
	parallel_begin(NULL, &helpers, (uintptr_t)set_callback);
	parallel_end(&helpers, NULL);
	assert_int_equal(visits(master, region), before);
	assert_int_equal(visits(worker, region), others);
	assert_int_equal(visits(master, created), 0);
	assert_int_equal(count_of(HEDDLE_OMPT_HELPERS, 0), 0);
	heddle__thread_control(master, true);
	begin_region();
	task_create(&of_master, &task, TASK_AT);
	end_region();
	parallel_begin(NULL, &helpers, (uintptr_t)set_callback);
	parallel_end(&helpers, NULL);
	assert_int_equal(visits(master, region), before + 1);
	assert_int_equal(visits(master, created), 1);
	assert_int_equal(count_of(HEDDLE_OMPT_HELPERS, 0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(events_without_duration_are_counted),
		TEST(what_happens_to_tasks_is_counted_at_their_place),
		TEST(omp_control_tool_starts_and_pauses),
		TEST(a_thread_that_is_off_counts_no_constructs),
	};
	return cmocka_run_group_tests(tests, start_runtime, NULL);
}
