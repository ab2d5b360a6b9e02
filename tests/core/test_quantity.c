/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes and times in the syntax of settings. */
#include "tests/support/unit.h"

#include "format/quantity.h"

static void expect_size(const char *text, uint64_t wanted)
{
	uint64_t bytes = 0;
	assert_true(heddle__read_size(text, &bytes));
	assert_int_equal(bytes, wanted);
}

static void sizes_have_units(void **state)
{
	(void)state;
	expect_size("4096", 4096);
	expect_size("256K", 256u << 10);
	expect_size("8m", 8u << 20);
	expect_size("1G", 1u << 30);
	expect_size("0", 0);
}

static void other_texts_are_no_sizes(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "K", "8X", "8MB", "-1", " 1", "1 ", "99999999999", "0x10", "1.5M"};
	uint64_t bytes;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(heddle__read_size(bad[i], &bytes));
}

static void expect_time(const char *text, uint64_t wanted)
{
	uint64_t ns = 1;
	assert_true(heddle__read_time(text, &ns));
	assert_int_equal(ns, wanted);
}

static void times_have_units(void **state)
{
	(void)state;
	expect_time("5s", 5000000000u);
	expect_time("300ms", 300000000u);
	expect_time("15us", 15000u);
	expect_time("15ns", 15);
	expect_time("1.2s", 1200000000u);
	expect_time("0.0000000019s", 1);
	expect_time("1.5us", 1500);
}

static void other_texts_are_no_times(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"", "5", "s", ".5s", "5x", "5n", "5mss", "5 s", "1.2.3s", "1s:2s", "99999999999999999999"};
	uint64_t ns;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(heddle__read_time(bad[i], &ns));
}

static void a_window_has_two_times(void **state)
{
	(void)state;
	uint64_t from, to;
	assert_true(heddle__read_window("10s:20s", &from, &to));
	assert_int_equal(from, 10000000000u);
	assert_int_equal(to, 20000000000u);
	assert_true(heddle__read_window("100ms:", &from, &to));
	assert_int_equal(from, 100000000u);
	assert_true(to == UINT64_MAX);
	assert_false(heddle__read_window("20s:10s", &from, &to));
	assert_false(heddle__read_window("5s:5s", &from, &to));
	assert_false(heddle__read_window("5s", &from, &to));
	assert_false(heddle__read_window("1:2", &from, &to));
	assert_false(heddle__read_window(":5s", &from, &to));
	assert_false(heddle__read_window("1s:2s:3s", &from, &to));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_have_units),
		cmocka_unit_test(other_texts_are_no_sizes),
		cmocka_unit_test(times_have_units),
		cmocka_unit_test(other_texts_are_no_times),
		cmocka_unit_test(a_window_has_two_times),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
