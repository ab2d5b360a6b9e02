/* SPDX-License-Identifier: BSD-3-Clause */
/* The source of a thread's samples changes by its number of switches per second of CPU time. */
#include "tests/support/unit.h"

#include <time.h>

#include "sampling/sources/switch_rate.h"

#define MS 1000000u

/* Updates the rate after each `step_ns` of CPU time and `each` switches. Returns the CPU time to a change, or 0. */
static uint64_t until_change(struct heddle_switch_rate *rate, uint64_t *switches, uint64_t *cpu_ns, uint64_t each,
	uint64_t step_ns, uint64_t most_ns)
{
	uint64_t start = *cpu_ns;
	while (*cpu_ns - start < most_ns) {
		*cpu_ns += step_ns;
		*switches += each;
		if (heddle__switch_rate_update(rate, *switches, *cpu_ns))
			return *cpu_ns - start;
	}
	return 0;
}

static void a_thread_that_seldom_switches_keeps_its_clock(void **state)
{
	struct heddle_switch_rate rate = {0};
	uint64_t switches = 0, cpu = 0;
	(void)state;
	assert_int_equal(until_change(&rate, &switches, &cpu, 32, 16 * MS, 10000 * MS), 0); /* 2,000 a second */
	assert_false(rate.often);
}

static void a_thread_that_switches_often_changes_at_once(void **state)
{
	struct heddle_switch_rate rate = {0};
	uint64_t switches = 0, cpu = 0;
	(void)state;
	assert_int_equal(until_change(&rate, &switches, &cpu, 40, 1 * MS, 10000 * MS), 1 * MS);
	assert_true(rate.often);
}

static void a_few_switches_say_nothing(void **state)
{
	struct heddle_switch_rate rate = {0};
	(void)state;
	assert_false(heddle__switch_rate_update(&rate, 31, 1 * MS));
	assert_false(rate.often);
}

static void what_was_long_ago_does_not_count(void **state)
{
	struct heddle_switch_rate rate = {0};
	uint64_t switches = 0, cpu = 0;
	(void)state;
	assert_int_equal(until_change(&rate, &switches, &cpu, 0, 16 * MS, 5000 * MS), 0);
	assert_true(until_change(&rate, &switches, &cpu, 160, 16 * MS, 5000 * MS) <= 32 * MS);
}

static void it_changes_back_later_the_second_time(void **state)
{
	struct heddle_switch_rate rate = {0};
	uint64_t switches = 0, cpu = 0, back[4];
	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_true(until_change(&rate, &switches, &cpu, 100, 4 * MS, 5000 * MS) > 0);
		back[i] = until_change(&rate, &switches, &cpu, 0, 4 * MS, 10000 * MS);
	}
	assert_true(back[0] > 0 && back[1] > back[0] && back[3] < 200 * MS);
}

static void between_the_two_limits_nothing_changes(void **state)
{
	struct heddle_switch_rate rate = {0};
	uint64_t switches = 0, cpu = 0;
	(void)state;
	assert_true(until_change(&rate, &switches, &cpu, 100, 4 * MS, 5000 * MS) > 0);
	assert_int_equal(until_change(&rate, &switches, &cpu, 8, 4 * MS, 5000 * MS), 0); /* 2,000 a second */
	assert_true(rate.often);
}

static void numbers_that_start_anew_are_a_new_start(void **state)
{
	struct heddle_switch_rate rate = {.switches = 1000000, .cpu_ns = 5000u * (uint64_t)MS};
	(void)state;
	assert_false(heddle__switch_rate_update(&rate, 3, 1 * MS));
	assert_int_equal(rate.switches, 3);
}

/* A virtual machine that is stopped until the sleep is over makes it end without a switch. */
static void the_kernel_counts_our_switches(void **state)
{
	struct timespec nap = {.tv_nsec = 1000};
	uint64_t before = heddle__own_switches();
	(void)state;
	for (int i = 0; i < 1000 && heddle__own_switches() < before + 10; i++)
		nanosleep(&nap, NULL);
	assert_true(heddle__own_switches() >= before + 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_seldom_switches_keeps_its_clock),
		cmocka_unit_test(a_thread_that_switches_often_changes_at_once),
		cmocka_unit_test(a_few_switches_say_nothing),
		cmocka_unit_test(what_was_long_ago_does_not_count),
		cmocka_unit_test(it_changes_back_later_the_second_time),
		cmocka_unit_test(between_the_two_limits_nothing_changes),
		cmocka_unit_test(numbers_that_start_anew_are_a_new_start),
		cmocka_unit_test(the_kernel_counts_our_switches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
