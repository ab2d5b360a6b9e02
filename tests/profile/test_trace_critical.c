/* SPDX-License-Identifier: BSD-3-Clause */
/* The critical path, with known answers. The sum of its parts is always the length of the run. */
#include "profile/trace/trace_critical.h"
#include "tests/profile/trace_programs.h"

static const struct profile_trace_part whole = {0, UINT64_MAX};

static void check_sums(const struct profile_trace_critical *critical, uint64_t length)
{
	uint64_t nodes = 0, threads = 0, states = 0, at = 0;
	for (size_t i = 0; i < critical->node_count; i++)
		nodes += critical->of_node[i];
	for (size_t t = 0; t < critical->thread_count; t++)
		threads += critical->of_thread[t];
	for (size_t i = 0; i < critical->thread_count * HEDDLE_STATE_COUNT; i++)
		states += critical->of_state[i];
	for (size_t i = 0; i < critical->count; i++) {
		if (i)
			assert_int_equal(critical->path[i].from_ns, at);
		at = critical->path[i].to_ns;
	}
	assert_int_equal(nodes, length);
	assert_int_equal(threads, length);
	assert_int_equal(states, length);
}

static void find_path(struct profile_trace_critical *critical, const struct traced *traced)
{
	assert_int_equal(profile_trace_critical_make(critical, &traced->trace, &whole), 0);
	check_sums(critical, traced->trace.end_ns);
}

static void expect_path(
	const struct profile_trace_critical *critical, const struct profile_trace_stretch *path, size_t count)
{
	assert_int_equal(critical->count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(critical->path[i].thread, path[i].thread);
		assert_int_equal(critical->path[i].from_ns, path[i].from_ns);
		assert_int_equal(critical->path[i].to_ns, path[i].to_ns);
	}
}

#define EXPECT_PATH(critical, ...)                                         \
	do {                                                               \
		const struct profile_trace_stretch path[] = __VA_ARGS__;   \
		expect_path(critical, path, sizeof(path) / sizeof(*path)); \
	} while (0)

#define FORK(time) \
	"visit " #time " 2\nattribute parallel 5\nopen " #time " 2\nattribute parallel 5\nattribute team-size 3\n"
#define JOIN(time) "open " #time " 2\nattribute parallel 5\nattribute team-size 3\n"

/* Serial until 10; then thread 1 is the last one at the barrier; then serial again. */
static void the_path_goes_through_the_last_thread_of_a_barrier(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	trace_openmp(&traced, "path_barrier",
		"thread 0\nmark 0 thread-begin\n" FORK(
			10) "begin 40 3\nend 65\nend 0\nvisit 85 1\nmark 85 thread-end\n"
			    "thread 1\n" JOIN(14) "begin 96 3\nend 10\nend 0\n"                         /* 110 */
						  "thread 2\n" JOIN(12) "begin 48 3\nend 60\nend 0\n"); /* 60 */
	find_path(&critical, &traced);
	assert_int_equal(traced.trace.end_ns, 200);
	EXPECT_PATH(&critical, {{0, 0, 10}, {1, 10, 110}, {0, 110, 200}});
	assert_int_equal(critical.changes, 2);
	assert_int_equal(critical.of_thread[1], 100);
	assert_int_equal(critical.of_node[NODE_PARALLEL], 96);
	assert_int_equal(critical.of_node[NODE_BARRIER], 5); /* the first thread, until it could continue */
	assert_int_equal(critical.of_state[HEDDLE_STATE_BARRIER_WAIT], 5);
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

static void the_path_goes_to_who_released_the_lock(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	/* Thread 1 has the lock from 20 to 120; thread 0 waits from 30 to 125, and ends last. */
	trace_openmp(&traced, "path_lock",
		"thread 0\nmark 0 thread-begin\n" FORK(
			10) "begin 20 4\nattribute lock 77\nend 95\nbegin 0 5\nend 50\n"
			    "attribute lock 77\nbegin 5 3\nend 0\nend 0\nmark 5 thread-end\n"
			    "thread 1\n" JOIN(12) "begin 8 5\nend 100\nattribute lock 77\nbegin 20 3\nend 42\nend 0\n");
	find_path(&critical, &traced);
	assert_int_equal(traced.trace.end_ns, 185);
	EXPECT_PATH(&critical, {{0, 0, 10}, {1, 10, 120}, {0, 120, 185}});
	assert_int_equal(critical.of_node[NODE_LOCK_WAIT], 5);
	assert_int_equal(critical.of_node[NODE_LOCK], 100 + 50);
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

/* The runtime reports the release at 130, but the waiting thread has already reported at 125 that it has the lock. */
static void the_path_goes_to_who_reports_the_release_late(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	trace_openmp(&traced, "path_late_release",
		"thread 0\nmark 0 thread-begin\n" FORK(
			10) "begin 20 4\nattribute lock 77\nend 95\nbegin 0 5\nend 50\n"
			    "attribute lock 77\nbegin 5 3\nend 0\nend 0\nmark 5 thread-end\n"
			    "thread 1\n" JOIN(12) "begin 6 4\nattribute lock 77\nend 2\nbegin 0 5\nend 110\n"
						  "attribute lock 77\nbegin 10 3\nend 42\nend 0\n");
	find_path(&critical, &traced);
	assert_int_equal(traced.trace.end_ns, 185);
	EXPECT_PATH(&critical, {{0, 0, 10}, {1, 10, 125}, {0, 125, 185}});
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

/* A wait cannot be caused by a lock that was released before the wait began. */
static void a_lock_that_was_free_does_not_change_the_path(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	trace_openmp(&traced, "path_free_lock",
		"thread 0\nmark 0 thread-begin\n" FORK(
			10) "begin 100 4\nattribute lock 77\nend 5\nbegin 0 5\nend 50\n"
			    "attribute lock 77\nbegin 5 3\nend 0\nend 0\nmark 5 thread-end\n"
			    "thread 1\n" JOIN(12) "begin 8 5\nend 40\nattribute lock 77\nbegin 20 3\nend 90\nend 0\n");
	find_path(&critical, &traced);
	EXPECT_PATH(&critical, {{0, 0, 175}});
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

/* The creator waits for its tasks; the last one to end began after its creation. */
static void the_path_goes_through_the_task_that_ended_last(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	trace_openmp(&traced, "path_tasks",
		"thread 0\nmark 0 thread-begin\n" FORK(
			10) "visit 20 6\nattribute task-create 900\n"               /* 30 */
			    "begin 25 7\nend 120\n"                                 /* waits from 35 to 155 */
			    "begin 5 3\nend 20\nend 0\nmark 0 thread-end\n"         /* 160 to 180 */
			    "thread 1\n" JOIN(12) "begin 3 3\n"                     /* waits at the barrier from 15 */
						  "open 18 6\nattribute task 900\n" /* runs from 33 */
						  "end 117\nattribute task-end 900\nend 20\nend 0\n"); /* to 150 */
	find_path(&critical, &traced);
	assert_int_equal(traced.trace.end_ns, 180);
	EXPECT_PATH(&critical, {{0, 0, 30}, {1, 30, 150}, {0, 150, 180}});
	assert_int_equal(critical.of_node[NODE_TASK], 117);
	assert_int_equal(critical.of_node[NODE_TASKWAIT], 5);
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

static void the_path_crosses_processes_at_barriers_and_locks(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	static const char *const records[] = {/* Barrier at 50; the lock's release from 120 to 122; end at 127. */
		"thread 0\nmark 0 thread-begin\nbegin 50 2\nend 52\nbegin 18 6\nattribute lock 9\nend 2\nmark 5 "
		"thread-end\n",
		/* Barrier at 100, as the last one; waits for the lock from 105 to 125; ends at 300. */
		"thread 0\nmark 1 thread-begin\nbegin 99 2\nend 1\nbegin 4 5\nattribute lock 9\nend 20\nattribute lock "
		"9\n"
		"mark 175 thread-end\n"};
	trace_upc(&traced, "path_upc", records, 2);
	find_path(&critical, &traced);
	assert_int_equal(traced.trace.end_ns, 300);
	EXPECT_PATH(&critical, {{1, 0, 100}, {0, 100, 120}, {1, 120, 300}});
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

static void a_part_has_its_own_length_of_the_path(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	struct profile_trace_part part = {50, 150};
	trace_openmp(&traced, "path_part",
		"thread 0\nmark 0 thread-begin\n" FORK(10) "begin 40 3\nend 65\nend 0\nmark 85 thread-end\n"
							   "thread 1\n" JOIN(14) "begin 96 3\nend 10\nend 0\n");
	assert_int_equal(profile_trace_critical_make(&critical, &traced.trace, &part), 0);
	check_sums(&critical, 100);
	EXPECT_PATH(&critical, {{1, 50, 110}, {0, 110, 150}});
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

static void a_trace_without_events_has_no_path(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_critical critical;
	trace_openmp(&traced, "path_none", "");
	find_path(&critical, &traced);
	assert_int_equal(critical.count, 0);
	profile_trace_critical_free(&critical);
	close_program(&traced);
}

/* For any records, the path has no gap and its sum is right. */
static void the_sum_holds_for_any_records(void **state)
{
	(void)state;
	static const char *const lines[] = {"begin %d 3\n", "begin %d 4\nattribute lock 7\n", "end %d\n", "end %d\n",
		"end %d\nattribute lock 7\n", "visit %d 2\nattribute parallel 5\n",
		"open %d 2\nattribute parallel 5\nattribute team-size 3\n", "visit %d 6\nattribute task-create 9\n",
		"open %d 6\nattribute task 9\n", "end %d\nattribute task-end 9\n", "begin %d 7\n", "mark %d off\n",
		"mark %d on\n", "mark %d thread-end\n", "mark %d thread-begin\n", "sample %d 10 5\n"};
	unsigned seed = 1;
	for (int round = 0; round < 200; round++) {
		char text[8000], name[32];
		size_t used = 0;
		struct traced traced;
		struct profile_trace_critical critical;
		for (int thread = 0; thread < 3; thread++) {
			int depth = 0;
			used += (size_t)sprintf(text + used, "thread %d\n", thread);
			for (int i = 0; i < 40; i++) {
				seed = seed * 1103515245 + 12345;
				const char *line = lines[seed >> 16 & 15];
				int opens = *line == 'b' || *line == 'o', ends = *line == 'e';
				if (ends && !depth)
					continue;
				depth += opens - ends;
				used += (size_t)sprintf(text + used, line, seed >> 24 & 31);
			}
		}
		snprintf(name, sizeof(name), "path_any_%d", round);
		trace_openmp(&traced, name, text);
		find_path(&critical, &traced);
		profile_trace_critical_free(&critical);
		close_program(&traced);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_goes_through_the_last_thread_of_a_barrier),
		cmocka_unit_test(the_path_goes_to_who_released_the_lock),
		cmocka_unit_test(the_path_goes_to_who_reports_the_release_late),
		cmocka_unit_test(a_lock_that_was_free_does_not_change_the_path),
		cmocka_unit_test(the_path_goes_through_the_task_that_ended_last),
		cmocka_unit_test(the_path_crosses_processes_at_barriers_and_locks),
		cmocka_unit_test(a_part_has_its_own_length_of_the_path),
		cmocka_unit_test(a_trace_without_events_has_no_path),
		cmocka_unit_test(the_sum_holds_for_any_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
