/* SPDX-License-Identifier: BSD-3-Clause */
/* Late arrivals at barriers, with known answers. */
#include "profile/trace/trace_late.h"
#include "tests/profile/trace_programs.h"

static const struct profile_trace_part whole = {0, UINT64_MAX};

static void find_late(struct profile_trace_late *late, const struct traced *traced, size_t count)
{
	assert_int_equal(profile_trace_late_make(late, &traced->trace, &whole), 0);
	assert_int_equal(late->count, count);
}

/* The sum of the causes of the first item by this thread. */
static struct profile_trace_late_cause cause(const struct profile_trace_late *late, size_t thread)
{
	struct profile_trace_late_cause sum = {.thread = thread};
	for (size_t i = 0; i < late->cause_count; i++) {
		bool counts = late->causes[i].item == 0 && late->causes[i].thread == thread;
		sum.last += counts ? late->causes[i].last : 0;
		sum.caused_ns += counts ? late->causes[i].caused_ns : 0;
	}
	return sum;
}

#define FORK "visit 10 2\nattribute parallel 5\n"
#define PART "open 10 2\nattribute parallel 5\nattribute team-size 3\n"

static void the_last_thread_of_a_team_is_waited_for(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	/* Arrivals at 40, 110 and 60; at the second barrier at 200, 200 and 230. */
	trace_openmp(&traced, "late_team",
		"thread 0\n" FORK PART "begin 30 3\nend 72\nbegin 88 3\nend 32\nend 0\n"
		"thread 1\nopen 12 2\nattribute parallel 5\nattribute team-size 3\n"
		"begin 98 3\nend 5\nbegin 85 3\nend 40\nend 0\n"
		"thread 2\nopen 12 2\nattribute parallel 5\nattribute team-size 3\n"
		"begin 48 3\nend 53\nbegin 117 3\nend 3\nend 0\n");
	find_late(&late, &traced, 1);
	const struct profile_trace_lateness *sum = &late.items[0];
	assert_int_equal(sum->node, NODE_BARRIER);
	assert_int_equal(sum->count, 2);
	assert_int_equal(cause(&late, 0).last, 0);
	assert_int_equal(cause(&late, 1).last, 1);
	assert_int_equal(cause(&late, 2).last, 1);
	assert_int_equal(cause(&late, 1).caused_ns, 70 + 50);
	assert_int_equal(cause(&late, 2).caused_ns, 30 + 30);
	assert_int_equal(sum->waited_ns, 180);
	assert_int_equal(sum->longest_ns, 70);
	assert_int_equal(sum->longest_by, 1);
	assert_int_equal(sum->longest_at_ns, 110);
	profile_trace_late_free(&late);
	close_program(&traced);
}

/* A thread that executes a task at a barrier does not wait meanwhile. */
static void tasks_at_a_barrier_are_no_waiting(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	/* At the barrier from 20: a task from 30 to 60, and one from 90 to 130; the other thread arrives at 100. */
	trace_openmp(&traced, "late_tasks",
		"thread 0\n" FORK PART "begin 90 3\nend 35\nend 0\n"
		"thread 1\nopen 12 2\nattribute parallel 5\nattribute team-size 2\nbegin 8 3\n"
		"open 10 6\nattribute task 900\nend 30\nattribute task-end 900\n"
		"open 30 6\nattribute task 901\nend 40\nattribute task-end 901\nend 6\nend 0\n");
	/* The second task seems to end at 136, after the barrier's end at 135. */
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].waited_ns, 10 + 30);
	assert_int_equal(late.items[0].longest_ns, 40);
	profile_trace_late_free(&late);
	close_program(&traced);
}

/* A worker reports the end of its last barrier when its next region begins; team numbers are reused. */
static void a_late_end_of_the_last_barrier_counts_for_its_region(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	trace_openmp(&traced, "late_end",
		"thread 0\n" FORK PART "begin 40 3\nend 50\nend 0\n" /* 50 to 100 */
		"visit 100 2\nattribute parallel 5\nopen 100 2\nattribute parallel 5\nattribute team-size 2\n"
		"begin 100 3\nend 50\nend 0\n"                                                   /* 300 to 350 */
		"thread 1\nopen 12 2\nattribute parallel 5\nattribute team-size 2\nbegin 78 3\n" /* 90 */
		"end 112\nend 0\nopen 0 2\nattribute parallel 5\nattribute team-size 2\n"        /* 202 */
		"begin 8 3\nend 200\nend 0\n");                                                  /* 210 */
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].count, 2);
	assert_int_equal(cause(&late, 1).caused_ns, 40);
	assert_int_equal(cause(&late, 0).caused_ns, 90);
	profile_trace_late_free(&late);
	close_program(&traced);
}

static void ranks_meet_at_their_nth_barrier(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	/* The second thread's clock is 20 ahead: it seems to arrive after the first one has left. */
	static const char *const records[] = {
		"thread 0\nmark 0 thread-begin\nbegin 100 2\nend 10\nbegin 90 2\nend 200\n",  /* 100, 200 */
		"thread 0\nmark 0 thread-begin\nbegin 120 2\nend 10\nbegin 250 2\nend 30\n"}; /* 120, 380 */
	trace_upc(&traced, "late_ranks", records, 2);
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].count, 2);
	assert_int_equal(cause(&late, 0).last, 0);
	assert_int_equal(cause(&late, 1).last, 2);
	assert_int_equal(late.items[0].waited_ns, 20 + 180);
	profile_trace_late_free(&late);
	close_program(&traced);
}

/* Threads wait in a collective that none leaves before all have entered it, as at a barrier; not in other ones. */
static void threads_meet_in_collectives_of_all(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	static const char *const records[] = {"thread 0\nmark 0 thread-begin\nbegin 100 8\nattribute meets 1\nend 220\n"
					      "begin 80 8\nend 10\n",
		"thread 0\nmark 0 thread-begin\nbegin 300 8\nattribute meets 1\nend 10\nbegin 300 8\nend 10\n"};
	trace_upc(&traced, "late_collective", records, 2);
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].kind, HEDDLE_WAIT_MUTUAL);
	assert_int_equal(late.items[0].count, 1);
	assert_int_equal(cause(&late, 1).last, 1);
	assert_int_equal(late.items[0].waited_ns, 200);
	profile_trace_late_free(&late);
	close_program(&traced);
}

/* Each barrier of the second thread begins with a chunk: the chunk's stack and a visit stand for its begin. */
static void arrivals_at_the_begin_of_a_chunk_count(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	static const char *const records[] = {
		"thread 0\nbegin 100 2\nend 60\nbegin 40 2\nend 80\nbegin 20 2\nend 50\n",   /* 100, 200, 300 */
		"thread 0\nchunk 150 2\nvisit 0 2\nend 20\nchunk 100 2\nvisit 0 2\nend 20\n" /* 150, 270 */
		"begin 50 2\nend 10\n"};                                                     /* 340 */
	trace_upc(&traced, "late_chunks", records, 2);
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].count, 3);
	assert_int_equal(cause(&late, 1).last, 3);
	assert_int_equal(late.items[0].waited_ns, 50 + 70 + 40);
	profile_trace_late_free(&late);
	close_program(&traced);
}

/* Between notify and wait, a thread works: it waits only from its call of wait on. */
static void a_split_phase_barrier_is_arrived_at_by_notify(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	static const char *const records[] = {
		"thread 0\nbegin 100 3\nend 1\nbegin 99 4\nend 105\n", /* notify 100, wait 200 to 305 */
		"thread 0\nbegin 300 3\nend 1\nbegin 9 4\nend 1\n",    /* notify 300, wait 310 */
		"thread 0\nbegin 10 3\nend 1\nbegin 389 4\nend 1\n"};  /* notify 10, wait 400: too late to wait */
	trace_upc(&traced, "late_split", records, 3);
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].count, 1);
	assert_int_equal(cause(&late, 1).last, 1);
	assert_int_equal(late.items[0].waited_ns, 100);
	profile_trace_late_free(&late);
	close_program(&traced);
}

static void only_barriers_of_the_part_count(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	struct profile_trace_part part = {150, 400};
	static const char *const records[] = {
		"thread 0\nbegin 100 2\nend 10\nbegin 90 2\nend 10\nbegin 290 2\nend 10\n",
		"thread 0\nbegin 105 2\nend 5\nbegin 90 2\nend 10\nbegin 290 2\nend 10\n"};
	trace_upc(&traced, "late_part", records, 2);
	assert_int_equal(profile_trace_late_make(&late, &traced.trace, &part), 0);
	assert_int_equal(late.count, 1);
	assert_int_equal(late.items[0].count, 1);
	profile_trace_late_free(&late);
	close_program(&traced);
}

/* Dropped barriers are not counted: the next barrier of the rank is the one at which the other ranks are. */
static void ranks_that_lost_records_join_the_barrier_at_hand(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	static const char *const records[] = {
		"thread 0\nbegin 100 2\nend 10\nbegin 90 2\nend 10\nbegin 90 2\nend 10\n", /* 100, 200, 300 */
		"thread 0\nbegin 105 2\nend 5\nmark 100 dropped\nbegin 95 2\nend 5\n"};    /* 105, 305 */
	trace_upc(&traced, "late_dropped", records, 2);
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].count, 2);
	assert_int_equal(late.items[0].waited_ns, 5 + 5);
	profile_trace_late_free(&late);
	close_program(&traced);
}

#define LOCK "attribute lock 9\n"

/* Each holder makes those wait that want its lock, while it has it; the gap until the next one has it is nobody's. */
static void a_lock_is_waited_for_while_another_rank_has_it(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_late late;
	static const char *const records[] = {/* has it from 110 to 400 */
		"thread 0\nmark 0 thread-begin\nbegin 100 5\n" LOCK "end 10\n" LOCK "begin 290 6\n" LOCK "end 5\n",
		/* from 420 to 500 */
		"thread 0\nmark 0 thread-begin\nbegin 150 5\n" LOCK "end 270\n" LOCK "begin 80 6\n" LOCK "end 5\n",
		/* from 520 to 600 */
		"thread 0\nmark 0 thread-begin\nbegin 160 5\n" LOCK "end 360\n" LOCK "begin 80 6\n" LOCK "end 5\n",
		/* tries to have it, without success */
		"thread 0\nmark 0 thread-begin\nbegin 300 7\n" LOCK "end 10\n"};
	trace_upc(&traced, "late_lock", records, 4);
	find_late(&late, &traced, 1);
	assert_int_equal(late.items[0].kind, HEDDLE_WAIT_LOCK);
	assert_int_equal(late.items[0].count, 2);
	assert_int_equal(late.items[0].waited_ns, 250 + 240 + 80);
	assert_int_equal(late.items[0].longest_ns, 250);
	assert_int_equal(cause(&late, 0).caused_ns, 250 + 240);
	assert_int_equal(cause(&late, 1).caused_ns, 80);
	profile_trace_late_free(&late);
	close_program(&traced);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lock_is_waited_for_while_another_rank_has_it),
		cmocka_unit_test(the_last_thread_of_a_team_is_waited_for),
		cmocka_unit_test(tasks_at_a_barrier_are_no_waiting),
		cmocka_unit_test(a_late_end_of_the_last_barrier_counts_for_its_region),
		cmocka_unit_test(ranks_meet_at_their_nth_barrier),
		cmocka_unit_test(threads_meet_in_collectives_of_all),
		cmocka_unit_test(arrivals_at_the_begin_of_a_chunk_count),
		cmocka_unit_test(a_split_phase_barrier_is_arrived_at_by_notify),
		cmocka_unit_test(only_barriers_of_the_part_count),
		cmocka_unit_test(ranks_that_lost_records_join_the_barrier_at_hand),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
