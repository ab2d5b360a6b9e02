/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of communicators that seem to end before the begins that they depend on, with known answers. */
#include "profile/trace/trace_causality.h"
#include "profile/trace/trace_shift.h"
#include "tests/profile/trace_programs.h"

/* Each rank has its own machine. The clocks of all machines except the first may be wrong by 19. */
static void open_ranks(struct traced *traced, const char *directory, const char *const *records, unsigned count)
{
	char name[32], profile[2048], text[4096];
	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%u.heddle", i);
		size_t length = (size_t)snprintf(profile, sizeof(profile), MPI_PROGRAM, 100 + i, i + 1);
		snprintf(profile + length, sizeof(profile) - length, "process host %u\nprocess machine x86_64\n", i);
		snprintf(text, sizeof(text), "%sgroup %llu 1 0 %u %u\nthread 0\nmark 0 thread-begin\n%s",
			i ? "offset 0 0 19\n" : "", (unsigned long long)MPI_WORLD(count), i, i, records[i]);
		write_process(directory, name, profile, text);
	}
	open_program(traced, directory);
}

static struct profile_trace_causality check(const char *directory, const char *const *records, unsigned count)
{
	struct traced traced;
	struct profile_trace_causality causality;
	open_ranks(&traced, directory, records, count);
	assert_int_equal(profile_trace_causality_check(&causality, &traced.trace), 0);
	close_program(&traced);
	return causality;
}

static void expect(const struct profile_trace_causality *found, uint64_t checked, uint64_t violated, uint64_t beyond,
	uint64_t largest_ns)
{
	assert_int_equal(found->collectives.checked, checked);
	assert_int_equal(found->collectives.violated, violated);
	assert_int_equal(found->collectives.beyond, beyond);
	assert_int_equal(found->collectives.largest_ns, largest_ns);
	assert_int_equal(found->barriers.checked, 0);
}

/* Communicators of all three ranks (2^40 * 3 + 77), and of the last two. */
#define OF_ALL "attribute communicator 3298534883405\n"
#define OF_TWO "attribute communicator 2199023255630\n"
#define IN(time, node, more, stays) "begin " #time " " #node "\n" more "end " #stays "\n"
#define ROOT(rank) "attribute root " #rank "\n"

/* The root begins at 150 and leaves at once; rank 0 leaves at 130, rank 2 at 160. */
static void nobody_has_a_broadcast_before_the_root_begins(void **state)
{
	(void)state;
	static const char *const records[] = {
		IN(100, 9, ROOT(1) OF_ALL, 30), IN(150, 9, ROOT(1) OF_ALL, 1), IN(155, 9, ROOT(1) OF_ALL, 5)};
	struct profile_trace_causality found = check("gather_bcast", records, 3);
	expect(&found, 1, 1, 1, 20);
	assert_false(found.partial);
}

/*
 * Rank 0 starts and completes accesses at 500 and 900; rank 1's waits for them end at 480 and 910. The post at 700 is
 * not checked: a library may let accesses complete before it.
 */
static void no_window_is_used_before_accesses_are_complete(void **state)
{
	(void)state;
	static const char *const records[] = {
		"begin 100 3\nmessage 10 awaited 1 1 0 0 0\nend 10\n"
		"begin 390 2\nmessage 0 granted 1 1 1 0 0\nmessage 20 awaited 1 1 0 0 1\nend 20\n"
		"begin 380 2\nmessage 0 granted 1 1 1 0 0\nend 20\n",
		"begin 300 3\nmessage 180 awaited 1 0 1 0 0\nend 180\n"
		"begin 220 2\nmessage 0 granted 1 0 0 0 0\nend 10\nbegin 90 3\nmessage 110 awaited 1 0 1 0 0\nend "
		"110\n"};
	struct profile_trace_causality found = check("gather_window", records, 2);
	assert_int_equal(found.messages.checked, 2);
	assert_int_equal(found.messages.violated, 1);
	assert_int_equal(found.messages.beyond, 1);
	assert_int_equal(found.messages.largest_ns, 20);
	assert_false(found.partial);
}

/* Rank 1 may leave before rank 2 begins. The root leaves at 190 and 405; the last rank begins at 200 and 400. */
static void the_root_has_no_reduction_before_all_begin(void **state)
{
	(void)state;
	static const char *const records[] = {IN(100, 10, ROOT(0) OF_ALL, 90) IN(10, 10, ROOT(0) OF_ALL, 205),
		IN(100, 10, ROOT(0) OF_ALL, 5) IN(100, 10, ROOT(0) OF_ALL, 5),
		IN(200, 10, ROOT(0) OF_ALL, 5) IN(195, 10, ROOT(0) OF_ALL, 5)};
	struct profile_trace_causality found = check("gather_reduce", records, 3);
	expect(&found, 2, 1, 0, 10);
}

/* Ranks 1 and 2 have a barrier of their own before that of all ranks; rank 0 has no record of it. */
static void those_of_some_ranks_count_apart(void **state)
{
	(void)state;
	static const char *const records[] = {IN(500, 8, OF_ALL, 10), IN(100, 7, OF_TWO, 150) IN(250, 8, OF_ALL, 10),
		IN(300, 7, OF_TWO, 5) IN(195, 8, OF_ALL, 5)};
	struct profile_trace_causality found = check("gather_some", records, 3);
	expect(&found, 2, 1, 1, 50);
}

/* A nonblocking reduction (role 6) begins at 100 and 300 and ends at 250 and 310, with a broadcast in between. */
static void those_that_go_on_end_later(void **state)
{
	(void)state;
	static const char *const records[] = {
		("begin 100 4\nmessage 0 joined 1 -1 6 0 1\nend 10\n"
		 "begin 10 9\nattribute root 0\nattribute communicator 2199023255629\nend 10\n"
		 "begin 70 6\nmessage 50 left 1 -1 13 0 1\nend 50\n"),
		("begin 300 4\nmessage 0 joined 1 -1 6 0 7\nend 5\n"
		 "begin 1 9\nattribute root 0\nattribute communicator 2199023255629\nend 1\n"
		 "begin 1 6\nmessage 2 left 1 -1 13 0 7\nend 2\n")};
	struct profile_trace_causality found = check("gather_goes_on", records, 2);
	expect(&found, 2, 1, 1, 50);
}

/* A barrier between rank 0 and ranks 1 and 2: 1 need not wait for 2. Rank 0 leaves at 180, and 2 arrives at 200. */
static void those_of_two_groups_come_after_the_other_one(void **state)
{
	(void)state;
	static const char *const records[] = {IN(100, 7, "attribute across 4\n" OF_ALL, 80),
		IN(100, 7, "attribute across 3\n" OF_ALL, 50), IN(200, 7, "attribute across 3\n" OF_ALL, 5)};
	struct profile_trace_causality found = check("gather_across", records, 3);
	expect(&found, 1, 1, 1, 20);
	assert_false(found.partial);
}

/* One member of the communicator was not measured: its collectives are not checked, and nothing waits for it. */
static void a_member_may_be_missing(void **state)
{
	(void)state;
	static char texts[2][4096];
	const char *const records[] = {texts[0], texts[1]};
	for (unsigned rank = 0; rank < 2; rank++)
		for (unsigned i = 0; i < 50; i++)
			strcat(texts[rank], IN(10, 7, OF_ALL, 10));
	struct profile_trace_causality found = check("gather_missing", records, 2);
	expect(&found, 0, 0, 0, 0);
	assert_true(found.partial);
}

/* After the correction, no effect is earlier than its cause. */
static void they_are_corrected(void **state)
{
	(void)state;
	static const char *const records[] = {IN(100, 9, ROOT(1) OF_ALL, 30) IN(20, 10, ROOT(0) OF_ALL, 5),
		IN(150, 9, ROOT(1) OF_ALL, 1) IN(100, 10, ROOT(0) OF_ALL, 1),
		IN(155, 9, ROOT(1) OF_ALL, 5) IN(95, 10, ROOT(0) OF_ALL, 5)};
	struct traced traced;
	struct profile_trace_causality causality;
	struct profile_trace_shifts shifts[3] = {{0}};
	open_ranks(&traced, "gather_corrected", records, 3);
	assert_int_equal(profile_trace_causality_shifts(&causality, &traced.trace, shifts), 0);
	expect(&causality, 2, 2, 2, 255 - 155);
	/* The ends of the broadcast and of the reduction on the first machine. */
	assert_true(profile_trace_shifted(&shifts[0], 130) > 150);
	assert_true(profile_trace_shifted(&shifts[0], 155) > 255);
	assert_int_equal(profile_trace_shifted(&shifts[1], 251), 251);
	for (size_t i = 0; i < 3; i++)
		free(shifts[i].items);
	close_program(&traced);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_has_a_broadcast_before_the_root_begins),
		cmocka_unit_test(the_root_has_no_reduction_before_all_begin),
		cmocka_unit_test(those_of_some_ranks_count_apart),
		cmocka_unit_test(those_that_go_on_end_later),
		cmocka_unit_test(those_of_two_groups_come_after_the_other_one),
		cmocka_unit_test(a_member_may_be_missing),
		cmocka_unit_test(no_window_is_used_before_accesses_are_complete),
		cmocka_unit_test(they_are_corrected),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
