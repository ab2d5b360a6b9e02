/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads did in each column of a time line, and what was executed in each slice. */
#include "profile/trace/trace_activity.h"
#include "tests/profile/trace_programs.h"

static void make(struct profile_trace_activity *activity, const struct traced *traced, uint64_t from_ns, uint64_t to_ns)
{
	*activity = (struct profile_trace_activity){.part = {from_ns, to_ns}, .columns = 4, .slices = 2};
	assert_int_equal(profile_trace_activity_make(activity, &traced->trace, 2), 0);
}

static uint64_t of(const struct profile_trace_activity *activity, size_t thread, size_t column, unsigned kind)
{
	return profile_trace_activity_of(activity, thread, column)[kind];
}

static void time_is_divided_at_the_columns(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_activity activity;
	/* Thread 0 is in the region from 10, and in the barrier from 30 to 75. Thread 1 lives from 50 to 60. */
	trace_openmp(&traced, "columns",
		"thread 0\nmark 0 thread-begin\nbegin 10 2\nbegin 20 3\nend 45\nend 25\n"
		"thread 1 50\nmark 0 thread-begin\nmark 10 thread-end\nmark 20 thread-begin\nmark 5 off\nmark 10 on\n");
	make(&activity, &traced, 0, 100);
	assert_int_equal(of(&activity, 0, 0, HEDDLE_STATE_WORK), 25);
	assert_int_equal(of(&activity, 0, 1, HEDDLE_STATE_WORK), 5);
	assert_int_equal(of(&activity, 0, 1, HEDDLE_STATE_BARRIER_WAIT), 20);
	assert_int_equal(of(&activity, 0, 2, HEDDLE_STATE_BARRIER_WAIT), 25);
	assert_int_equal(of(&activity, 0, 3, HEDDLE_STATE_WORK), 25);
	assert_int_equal(of(&activity, 1, 1, HEDDLE_STATE_WORK), 0);
	assert_int_equal(of(&activity, 1, 2, HEDDLE_STATE_WORK), 10);
	assert_int_equal(of(&activity, 1, 3, HEDDLE_STATE_WORK), 5);
	assert_int_equal(of(&activity, 1, 3, HEDDLE_ACTIVITY_OFF), 10);
	assert_int_equal(activity.nodes[NODE_BARRIER], 20);
	assert_int_equal(activity.nodes[activity.node_count + NODE_BARRIER], 25);
	assert_int_equal(activity.nodes[NODE_PARALLEL], 20);
	profile_trace_activity_free(&activity);
	close_program(&traced);
}

static void a_part_has_columns_of_its_own(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_activity activity;
	trace_openmp(
		&traced, "part_columns", "thread 0\nmark 0 thread-begin\nbegin 10 2\nbegin 20 3\nend 45\nend 25\n");
	make(&activity, &traced, 28, 36);
	assert_int_equal(of(&activity, 0, 0, HEDDLE_STATE_WORK), 2);
	assert_int_equal(of(&activity, 0, 1, HEDDLE_STATE_BARRIER_WAIT), 2);
	assert_int_equal(of(&activity, 0, 3, HEDDLE_STATE_BARRIER_WAIT), 2);
	profile_trace_activity_free(&activity);
	close_program(&traced);
}

/* Where regions are not timed, a sample accounts for the time since the sample before it. */
static void samples_say_what_untimed_regions_did(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_activity activity;
	trace_openmp(&traced, "sampled",
		"thread 0\nmark 0 thread-begin\nbegin 0 -2\nsample 40 10 40\nsample 80 10 40\nend 100\n");
	make(&activity, &traced, 0, 100);
	assert_int_equal(activity.nodes[NODE_KERNEL], 50);
	assert_int_equal(activity.nodes[activity.node_count + NODE_KERNEL], 50);
	assert_int_equal(activity.nodes[NODE_PARALLEL], 0);
	profile_trace_activity_free(&activity);
	close_program(&traced);
}

#define SAMPLED_PROGRAM                                                                            \
	"process program /opt/cg\nprocess pid 100\nprocess sample_source perf task-clock\n"        \
	"module 1 1 - /nowhere/cg\nnode 0 ROOT 0 0 0\nnode 0 FRAME 0 1 1000\nnode 0 STATE 7 0 0\n" \
	"thread 0 -1 main\n"

/* The first sample accounts for 10 of 50; the second one for more than the time since the event before it. */
static void samples_leave_time_off_the_processor(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_activity activity;
	write_process("slept", "a.heddle", SAMPLED_PROGRAM,
		"thread 0\nmark 0 thread-begin\nsample 50 1 10\nsample 80 1 40\nmark 100 thread-end\n");
	open_program(&traced, "slept");
	make(&activity, &traced, 0, 100);
	assert_int_equal(of(&activity, 0, 0, HEDDLE_STATE_OFF_CPU), 25);
	assert_int_equal(of(&activity, 0, 1, HEDDLE_STATE_OFF_CPU), 15);
	assert_int_equal(of(&activity, 0, 1, HEDDLE_STATE_WORK), 10);
	assert_int_equal(of(&activity, 0, 2, HEDDLE_STATE_WORK), 25);
	profile_trace_activity_free(&activity);
	close_program(&traced);
}

/* Thread 0's last event is at 30, and the process ends at 100. Thread 1's chunk from 40 to 80 is missing. */
static void what_is_open_goes_on_and_what_is_missing_is_not_measured(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_activity activity;
	trace_openmp(&traced, "ends",
		"info 1000 0 0 0 100\nthread 0\nmark 0 thread-begin\nbegin 10 2\nbegin 20 3\n"
		"chunk 1 0 0 0\nstack 0 0\nmark 0 thread-begin\nbegin 10 2\nbegin 30 3\n"
		"chunk 1 2 80 0\nstack 0 0 2 3\nend 10\nmark 10 thread-end\n");
	make(&activity, &traced, 0, 100);
	assert_int_equal(of(&activity, 0, 1, HEDDLE_STATE_BARRIER_WAIT), 20);
	assert_int_equal(of(&activity, 0, 3, HEDDLE_STATE_BARRIER_WAIT), 25);
	assert_int_equal(of(&activity, 1, 1, HEDDLE_STATE_WORK), 15);
	assert_int_equal(of(&activity, 1, 1, HEDDLE_ACTIVITY_OFF), 10);
	assert_int_equal(of(&activity, 1, 2, HEDDLE_ACTIVITY_OFF), 25);
	assert_int_equal(of(&activity, 1, 3, HEDDLE_ACTIVITY_OFF), 5);
	assert_int_equal(of(&activity, 1, 3, HEDDLE_STATE_BARRIER_WAIT), 10);
	assert_int_equal(of(&activity, 1, 3, HEDDLE_STATE_WORK), 10);
	profile_trace_activity_free(&activity);
	close_program(&traced);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_divided_at_the_columns),
		cmocka_unit_test(a_part_has_columns_of_its_own),
		cmocka_unit_test(samples_say_what_untimed_regions_did),
		cmocka_unit_test(samples_leave_time_off_the_processor),
		cmocka_unit_test(what_is_open_goes_on_and_what_is_missing_is_not_measured),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
