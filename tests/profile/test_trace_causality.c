/* SPDX-License-Identifier: BSD-3-Clause */
/* Causes that seem to be later than their effects, with known answers. Times are those of the first process's clock. */
#include "profile/trace/trace_causality.h"
#include "tests/profile/trace_programs.h"

#define START "thread 0\nmark 0 thread-begin\n"
/* The clock of the second machine is 5 s ahead. */
#define MEASURED(error) "offset 5000000000 -5000000000 " error "\n"
#define AHEAD "thread 0 5000000000\nmark 0 thread-begin\n"

/* Makes one process, with one UPC thread, on each of the hosts, and checks their traces. */
static struct profile_trace_causality check(
	const char *directory, const char *const *records, const char *const *hosts, unsigned count)
{
	char name[32], profile[2048];
	struct traced traced;
	struct profile_trace_causality causality;
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%u.heddle", i);
		size_t length = (size_t)snprintf(profile, sizeof(profile), UPC_PROGRAM, 100 + i, i + 1);
		snprintf(profile + length, sizeof(profile) - length, "process host %s\nprocess machine x86_64\n",
			hosts[i]);
		write_process(directory, name, profile, records[i]);
	}
	open_program(&traced, directory);
	assert_int_equal(profile_trace_causality_check(&causality, &traced.trace), 0);
	close_program(&traced);
	return causality;
}

static const char *const three_hosts[] = {"a", "b", "c"};

static void expect(const struct profile_trace_violations *found, uint64_t checked, uint64_t violated, uint64_t beyond,
	uint64_t largest_ns)
{
	assert_int_equal(found->checked, checked);
	assert_int_equal(found->violated, violated);
	assert_int_equal(found->beyond, beyond);
	assert_int_equal(found->largest_ns, largest_ns);
}

/* Arrivals at 100 and 150, ends at 160 and 155. */
static void a_barrier_ends_after_all_have_arrived(void **state)
{
	(void)state;
	static const char *const records[] = {
		START "begin 100 2\nend 60\n", MEASURED("10") AHEAD "begin 150 2\nend 5\n"};
	struct profile_trace_causality found = check("right", records, three_hosts, 2);
	expect(&found.barriers, 1, 0, 0, 0);
	expect(&found.locks, 0, 0, 0, 0);
	assert_false(found.partial);
}

/* The first thread leaves 20 before the second one arrives; at the next barrier, at the same time as it arrives. */
static void the_error_bound_says_what_may_be(void **state)
{
	(void)state;
	static const char *const within[] = {START "begin 100 2\nend 30\nbegin 70 2\nend 10\n",
		MEASURED("20") AHEAD "begin 150 2\nend 5\nbegin 55 2\nend 5\n"};
	static const char *const beyond[] = {START "begin 100 2\nend 30\nbegin 70 2\nend 10\n",
		MEASURED("19") AHEAD "begin 150 2\nend 5\nbegin 55 2\nend 5\n"};
	struct profile_trace_causality found = check("within", within, three_hosts, 2);
	expect(&found.barriers, 2, 1, 0, 20);
	found = check("beyond", beyond, three_hosts, 2);
	expect(&found.barriers, 2, 1, 1, 20);
}

/* No offset was measured: the clocks are 5 s apart, and each barrier is violated by about that time. */
static void barriers_are_matched_by_number(void **state)
{
	(void)state;
	static const char *const records[] = {START "begin 100 2\nend 60\nbegin 40 2\nend 30\nbegin 70 2\nend 20\n",
		AHEAD "begin 150 2\nend 5\nbegin 65 2\nend 5\nbegin 75 2\nend 10\n"};
	struct profile_trace_causality found = check("apart", records, three_hosts, 2);
	expect(&found.barriers, 3, 3, 3, 4999999990);
}

/* A split-phase barrier lasts from its notify to the end of its wait. The third thread is there from 50 to 290. */
static void a_split_barrier_begins_and_ends_with_its_halves(void **state)
{
	(void)state;
	static const char *const records[] = {START "begin 100 3\nend 1\nbegin 99 4\nend 105\n",
		MEASURED("1") AHEAD "begin 300 3\nend 1\nbegin 9 4\nend 1\n",
		MEASURED("1") AHEAD "begin 50 2\nend 240\n"};
	struct profile_trace_causality found = check("split", records, three_hosts, 3);
	expect(&found.barriers, 1, 1, 1, 10);
}

/* After a loss, barriers have no number: the second one of one thread is not the second one of the other. */
static void nothing_is_said_after_a_loss(void **state)
{
	(void)state;
	static const char *const records[] = {START "begin 100 2\nend 60\nbegin 40 2\nend 30\nbegin 170 2\nend 20\n",
		MEASURED("1") AHEAD "begin 150 2\nend 5\nmark 10 dropped\nbegin 250 2\nend 10\n"};
	struct profile_trace_causality found = check("loss", records, three_hosts, 2);
	expect(&found.barriers, 1, 0, 0, 0);
	assert_true(found.partial);
	/* A trace whose first records, with the thread's begin, are missing. */
	static const char *const later[] = {START "begin 100 2\nend 60\nbegin 40 2\nend 30\n",
		MEASURED("1") "thread 0 5000000000\nbegin 250 2\nend 10\n"};
	found = check("later", later, three_hosts, 2);
	expect(&found.barriers, 0, 0, 0, 0);
	assert_true(found.partial);
}

static void one_machine_has_one_clock(void **state)
{
	(void)state;
	static const char *const records[] = {START "begin 100 2\nend 30\n", START "begin 150 2\nend 5\n"};
	static const char *const hosts[] = {"a", "a"};
	struct profile_trace_causality found = check("machine", records, hosts, 2);
	expect(&found.barriers, 0, 0, 0, 0);
}

#define LOCK(from, to) "begin " from " 5\nend " to "\nattribute lock 77\n"
#define UNLOCK(from) "begin " from " 6\nattribute lock 77\nend 1\nattribute lock 77\n"

/* The first thread holds the lock from 110 to 150; the second one acquires it at 149, 151 or 130. */
static void two_ranks_never_have_a_lock(void **state)
{
	(void)state;
	static const char *const gets_at_149[] = {
		START LOCK("100", "10") UNLOCK("40"), MEASURED("1") AHEAD LOCK("100", "49") UNLOCK("40")};
	static const char *const gets_at_151[] = {
		START LOCK("100", "10") UNLOCK("40"), MEASURED("1") AHEAD LOCK("100", "51") UNLOCK("40")};
	static const char *const gets_at_130[] = {
		START LOCK("100", "10") UNLOCK("40"), MEASURED("1") AHEAD LOCK("100", "30") UNLOCK("5")};
	struct profile_trace_causality found = check("lock_within", gets_at_149, three_hosts, 2);
	expect(&found.locks, 1, 1, 0, 1);
	found = check("lock_right", gets_at_151, three_hosts, 2);
	expect(&found.locks, 1, 0, 0, 0);
	found = check("lock_inside", gets_at_130, three_hosts, 2);
	expect(&found.locks, 1, 1, 1, 20);
}

/* A thread acquires the lock at the time at which the other thread begins to release it. */
static void a_lock_may_be_acquired_when_its_release_begins(void **state)
{
	(void)state;
	static const char *const first_waits[] = {
		START LOCK("100", "50") UNLOCK("40"), MEASURED("1") AHEAD LOCK("100", "10") UNLOCK("40")};
	static const char *const second_waits[] = {
		START LOCK("100", "10") UNLOCK("40"), MEASURED("1") AHEAD LOCK("100", "50") UNLOCK("40")};
	struct profile_trace_causality found = check("first_waits", first_waits, three_hosts, 2);
	expect(&found.locks, 1, 0, 0, 0);
	found = check("second_waits", second_waits, three_hosts, 2);
	expect(&found.locks, 1, 0, 0, 0);
	/* The second thread seems to release the lock at the time at which it acquires it. */
	static const char *const no_time[] = {
		START LOCK("100", "50") UNLOCK("40"), MEASURED("1") AHEAD LOCK("100", "50") UNLOCK("0")};
	found = check("no_time", no_time, three_hosts, 2);
	expect(&found.locks, 1, 0, 0, 0);
	/* The third thread acquires the lock at 180, 10 before the first one releases it. */
	static const char *const third_is_early[] = {START LOCK("100", "50") UNLOCK("40"),
		MEASURED("1") AHEAD LOCK("100", "10") UNLOCK("40"), MEASURED("1") AHEAD LOCK("100", "80") UNLOCK("40")};
	found = check("third_is_early", third_is_early, three_hosts, 3);
	expect(&found.locks, 2, 1, 1, 10);
}

/* The second thread's second attempt succeeds, at 149; the first one failed, and has no lock. */
static void successful_attempts_are_checked(void **state)
{
	(void)state;
	static const char *const records[] = {START LOCK("100", "10") UNLOCK("40"),
		MEASURED("1") AHEAD "begin 80 7\nattribute lock 77\nend 10\nbegin 30 7\nend 29\nattribute lock 77\n"};
	struct profile_trace_causality found = check("attempt", records, three_hosts, 2);
	expect(&found.locks, 1, 1, 0, 1);
}

#define COLLECTIVE(from, to) "begin " from " 8\nattribute meets 1\nend " to "\n"

/* The first thread leaves the collective 20 before the second one enters it. The one before it does not synchronize. */
static void collectives_are_checked_if_all_meet_there(void **state)
{
	(void)state;
	static const char *const records[] = {START
		"begin 10 8\nend 10\n" COLLECTIVE("80", "30") "begin 70 2\nend 10\n",
		MEASURED("19") AHEAD "begin 40 8\nend 10\n" COLLECTIVE("100", "5") "begin 40 2\nend 20\n"};
	struct profile_trace_causality found = check("collective", records, three_hosts, 2);
	expect(&found.collectives, 1, 1, 1, 20);
	expect(&found.barriers, 1, 0, 0, 0);
}

/* The error bound grows with the time since the only measurement: by 100 us after a second. */
static void the_bound_grows_after_the_last_measurement(void **state)
{
	(void)state;
	static const char *const soon[] = {
		START "begin 9000000 2\nend 1000\n", MEASURED("5") AHEAD "begin 9050000 2\nend 5\n"};
	static const char *const late[] = {
		START "begin 999900000 2\nend 1000\n", MEASURED("5") AHEAD "begin 999950000 2\nend 5\n"};
	struct profile_trace_causality found = check("soon", soon, three_hosts, 2);
	expect(&found.barriers, 1, 1, 1, 49000);
	found = check("late", late, three_hosts, 2);
	expect(&found.barriers, 1, 1, 0, 49000);
}

/*
 * The first thread seems to acquire the lock at 110, the second one to hold it from 112 to 114. If the second one were
 * the later holder, it would be 34 too early; as the earlier holder, it makes the first thread only 4 too early.
 */
static void the_order_of_locks_is_the_likelier_one(void **state)
{
	(void)state;
	static const char *const records[] = {
		START LOCK("100", "10") UNLOCK("36"), MEASURED("5") AHEAD LOCK("100", "12") UNLOCK("2")};
	struct profile_trace_causality found = check("likelier", records, three_hosts, 2);
	expect(&found.locks, 1, 1, 0, 4);
}

/* Each thread seems to acquire the lock before its release by the other one, behind a barrier: waiters continue. */
static void a_wrong_order_of_locks_ends_somewhere(void **state)
{
	(void)state;
	static const char *const records[] = {START LOCK("100", "10") "begin 100 2\nend 500\n" UNLOCK("10"),
		MEASURED("1") AHEAD LOCK("200", "10") UNLOCK("10") "begin 100 2\nend 500\n"};
	struct profile_trace_causality found = check("wrong_order", records, three_hosts, 2);
	expect(&found.barriers, 1, 0, 0, 0);
}

/* The release was lost: it is unknown how long the first thread held the lock. */
static void a_lost_release_is_no_violation(void **state)
{
	(void)state;
	static const char *const records[] = {START LOCK("100", "10") "mark 5 dropped\n" UNLOCK("400"),
		MEASURED("1") AHEAD LOCK("100", "51") UNLOCK("40")};
	struct profile_trace_causality found = check("lock_lost", records, three_hosts, 2);
	expect(&found.locks, 0, 0, 0, 0);
}

/* What begins or ends where a chunk is full may be only in the stack of the next chunk. */
static void chunks_change_nothing(void **state)
{
	(void)state;
	static const char *const records[] = {START
		"begin 100 2\nend 60\n" LOCK("5", "5") "chunk 10 6\nvisit 0 6\nattribute lock 77\nend 5\n"
						       "begin 15 2\nchunk 100\nbegin 50 3\nend 1\nbegin 9 4\nend 5\n",
		MEASURED("1") AHEAD "chunk 150 2\nvisit 0 2\nend 20\n" LOCK("10", "10") UNLOCK(
			"5") "begin 94 2\nend 20\nchunk 5 3\nvisit 0 3\nend 10\nchunk 75 4\nvisit 0 4\nchunk 30\n"};
	struct profile_trace_causality found = check("chunks", records, three_hosts, 2);
	expect(&found.barriers, 3, 0, 0, 0);
	expect(&found.locks, 1, 0, 0, 0);
	assert_false(found.partial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_barrier_ends_after_all_have_arrived),
		cmocka_unit_test(the_error_bound_says_what_may_be),
		cmocka_unit_test(barriers_are_matched_by_number),
		cmocka_unit_test(a_split_barrier_begins_and_ends_with_its_halves),
		cmocka_unit_test(nothing_is_said_after_a_loss),
		cmocka_unit_test(one_machine_has_one_clock),
		cmocka_unit_test(two_ranks_never_have_a_lock),
		cmocka_unit_test(a_lock_may_be_acquired_when_its_release_begins),
		cmocka_unit_test(successful_attempts_are_checked),
		cmocka_unit_test(collectives_are_checked_if_all_meet_there),
		cmocka_unit_test(the_bound_grows_after_the_last_measurement),
		cmocka_unit_test(the_order_of_locks_is_the_likelier_one),
		cmocka_unit_test(a_wrong_order_of_locks_ends_somewhere),
		cmocka_unit_test(chunks_change_nothing),
		cmocka_unit_test(a_lost_release_is_no_violation),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
