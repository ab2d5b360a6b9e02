/* SPDX-License-Identifier: BSD-3-Clause */
/* The times at which phases were open. */
#include "profile/trace/trace_phases.h"
#include "tests/profile/trace_programs.h"

#include <errno.h>

/* Phase solve: from 10 to 30, from 40 to 60, with setup in it from 45 to 50, and from 70 to the end, at 90. */
static const char records[] =
	"thread 0\nbegin 10 8\nend 20\nbegin 10 8\nbegin 5 9\nend 5\nend 10\nbegin 10 8\nvisit 20 1\n"
	"begin 20 3\n"
	"thread 1\nbegin 100 3\nend 10\n"
	"thread 2\nbegin 15 8\nend 10\n";

struct seen {
	struct profile_trace_phase phases[10];
	size_t count;
};

static int note(void *context, const struct profile_trace_phase *phase)
{
	struct seen *seen = context;
	seen->phases[seen->count++] = *phase;
	return 0;
}

static void occurrences_have_times_and_depth(void **state)
{
	(void)state;
	struct traced traced;
	struct seen seen = {.count = 0};
	trace_openmp(&traced, "phases", records);
	assert_int_equal(profile_trace_phases(&traced.trace, 0, note, &seen), 0);
	assert_int_equal(seen.count, 4);
	assert_string_equal(seen.phases[0].name, "solve");
	assert_int_equal(seen.phases[0].from_ns, 10);
	assert_int_equal(seen.phases[0].to_ns, 30);
	assert_string_equal(seen.phases[1].name, "setup");
	assert_int_equal(seen.phases[1].depth, 1);
	assert_int_equal(seen.phases[1].from_ns, 45);
	assert_int_equal(seen.phases[1].to_ns, 50);
	assert_int_equal(seen.phases[2].from_ns, 40);
	assert_int_equal(seen.phases[3].from_ns, 70);
	assert_int_equal(seen.phases[3].to_ns, 90);
	close_program(&traced);
}

/* The lock is released, and then the outer phase ends: the phase inside continues in another path. */
static void a_phase_goes_on_when_what_is_around_it_ends(void **state)
{
	(void)state;
	struct traced traced;
	struct seen seen = {.count = 0};
	trace_openmp(&traced, "phase_moves",
		"thread 0\nbegin 10 5\nbegin 5 11\nstack 5 0 8\nbegin 5 9\nbegin 5 9\nstack 5 0 9 9\nend 10\nend 10\n");
	assert_int_equal(profile_trace_phases(&traced.trace, 0, note, &seen), 0);
	assert_int_equal(seen.count, 3);
	assert_string_equal(seen.phases[0].name, "solve");
	assert_int_equal(seen.phases[0].from_ns, 15);
	assert_int_equal(seen.phases[0].to_ns, 35);
	assert_string_equal(seen.phases[1].name, "setup");
	assert_int_equal(seen.phases[1].from_ns, 30);
	assert_int_equal(seen.phases[1].to_ns, 45);
	assert_int_equal(seen.phases[2].from_ns, 25);
	assert_int_equal(seen.phases[2].to_ns, 55);
	close_program(&traced);
}

static void expect_parts(const struct profile_trace_parts *parts, const struct profile_trace_part *wanted, size_t count)
{
	assert_int_equal(parts->count, count);
	assert_memory_equal(parts->items, wanted, count * sizeof(*wanted));
}

static void all_occurrences_are_the_parts_of_each_thread(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_parts parts[3] = {{0}};
	static const struct profile_trace_part first[] = {{10, 30}, {40, 60}, {70, 90}}, third[] = {{15, 25}};
	trace_openmp(&traced, "phase_parts", records);
	assert_int_equal(profile_trace_phase_parts(parts, &traced.trace, "solve", 0), 0);
	expect_parts(&parts[0], first, 3);
	expect_parts(&parts[1], first, 3); /* it has no solve itself: the times of the other threads count */
	expect_parts(&parts[2], third, 1);
	profile_trace_parts_free(parts, 3);
	close_program(&traced);
}

static void one_occurrence_is_counted_on_each_thread(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_parts parts[3] = {{0}};
	static const struct profile_trace_part second[] = {{40, 60}};
	trace_openmp(&traced, "phase_second", records);
	assert_int_equal(profile_trace_phase_parts(parts, &traced.trace, "solve", 2), 0);
	expect_parts(&parts[0], second, 1);
	expect_parts(&parts[2], second, 1);
	profile_trace_parts_free(parts, 3);
	close_program(&traced);
}

static void a_phase_that_nobody_begins_is_not_found(void **state)
{
	(void)state;
	struct traced traced;
	struct profile_trace_parts parts[3] = {{0}};
	trace_openmp(&traced, "phase_none", records);
	assert_int_equal(profile_trace_phase_parts(parts, &traced.trace, "solve", 4), -ENOENT);
	assert_int_equal(profile_trace_phase_parts(parts, &traced.trace, "solv", 0), -ENOENT);
	profile_trace_parts_free(parts, 3);
	close_program(&traced);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(occurrences_have_times_and_depth),
		cmocka_unit_test(a_phase_goes_on_when_what_is_around_it_ends),
		cmocka_unit_test(all_occurrences_are_the_parts_of_each_thread),
		cmocka_unit_test(one_occurrence_is_counted_on_each_thread),
		cmocka_unit_test(a_phase_that_nobody_begins_is_not_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
