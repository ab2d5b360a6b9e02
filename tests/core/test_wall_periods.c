/* SPDX-License-Identifier: BSD-3-Clause */
/* Elapsed time of samples by a wall clock, where signals arrive late: a period keeps its length. */
#include "core/process/thread_life.h"
#include "core/threads/elapsed.h"
#include "tests/support/unit.h"

#define PERIOD 1000u

static struct heddle_thread *sampled(void)
{
	static struct heddle_thread thread;
	memset(&thread, 0, sizeof(thread));
	thread.sampled.period_ticks = PERIOD;
	return &thread;
}

static uint64_t sample(struct heddle_thread *thread, uint64_t periods, uint64_t now)
{
	return heddle__elapsed_of_sample(thread, periods, 0, now);
}

static void the_first_period_is_as_long_as_it_was(void **state)
{
	struct heddle_thread *thread = sampled();
	(void)state;
	assert_int_equal(sample(thread, 1, 300), 300);
	assert_int_equal(sample(thread, 1, 1300), PERIOD);
}

/* A thread in a wait gets its processor back at 5900, and works when the next signal is due, at 6000. */
static void a_signal_after_a_late_one_counts_whole(void **state)
{
	struct heddle_thread *thread = sampled();
	(void)state;
	assert_int_equal(sample(thread, 1, 1000), PERIOD);
	assert_int_equal(sample(thread, 4, 5900), 4 * PERIOD);
	assert_int_equal(sample(thread, 1, 6000), PERIOD);
	assert_int_equal(sample(thread, 1, 7000), PERIOD);
}

static void no_more_is_charged_than_passed(void **state)
{
	struct heddle_thread *thread = sampled();
	uint64_t sum = 0;
	(void)state;
	for (uint64_t now = 400; now <= 100000; now += 400)
		sum += sample(thread, 1, now);
	assert_int_equal(sum, 100000);
}

static void periods_without_a_signal_are_the_next_ones(void **state)
{
	struct heddle_thread *thread = sampled();
	(void)state;
	assert_int_equal(sample(thread, 1, 1000), PERIOD);
	assert_int_equal(sample(thread, 1, 90000), 89000);
	assert_int_equal(sample(thread, 1, 91000), PERIOD);
}

static void cpu_time_is_its_own_elapsed_time(void **state)
{
	struct heddle_thread *thread = sampled();
	(void)state;
	thread->sampled.period_ticks = 0;
	assert_int_equal(heddle__elapsed_of_sample(thread, 1, 5000, 100), heddle__ns_to_ticks(5000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_period_is_as_long_as_it_was),
		cmocka_unit_test(a_signal_after_a_late_one_counts_whole),
		cmocka_unit_test(no_more_is_charged_than_passed),
		cmocka_unit_test(periods_without_a_signal_are_the_next_ones),
		cmocka_unit_test(cpu_time_is_its_own_elapsed_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
