/* SPDX-License-Identifier: BSD-3-Clause */
/* The returned times add up to the time of all calls beyond the shortest call of their size, in any order. */
#include "core/threads/least_times.h"
#include "tests/support/unit.h"

static uint64_t beyond(struct heddle_least_times *least, uint32_t node, uint64_t size, const uint64_t *ticks, int count)
{
	uint64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum += heddle__beyond_least(least, node, size, ticks[i]);
	return sum;
}

static void any_order(void **state)
{
	static const uint64_t falling[] = {9, 5, 3}, rising[] = {3, 5, 9}, mixed[] = {5, 9, 3};
	static struct heddle_least_times least;
	(void)state;
	assert_int_equal(beyond(&least, 1, 100, falling, 3), 8);
	assert_int_equal(beyond(&least, 2, 100, rising, 3), 8);
	assert_int_equal(beyond(&least, 3, 100, mixed, 3), 8);
}

static void sizes_and_nodes_are_apart(void **state)
{
	static struct heddle_least_times least;
	(void)state;
	assert_int_equal(heddle__beyond_least(&least, 1, 0, 10), 0);
	assert_int_equal(heddle__beyond_least(&least, 1, 1, 100), 0);
	assert_int_equal(heddle__beyond_least(&least, 1, UINT64_MAX - 1, 1000), 0);
	assert_int_equal(heddle__beyond_least(&least, 2, 1, 200), 0);
	assert_int_equal(heddle__beyond_least(&least, 1, 1, 101), 1);
	for (uint32_t node = 10; node < 5000; node++)
		assert_int_equal(heddle__beyond_least(&least, node, 8, node), 0);
	for (uint32_t node = 10; node < 5000; node++)
		assert_int_equal(heddle__beyond_least(&least, node, 8, node + 7), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_order), cmocka_unit_test(sizes_and_nodes_are_apart)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
