/* SPDX-License-Identifier: BSD-3-Clause */
/* Ticks never go backwards, and are converted to nanoseconds by the right ratio. */
#include "tests/support/unit.h"

static int set_up(void **state)
{
	(void)state;
	heddle__clock_init();
	return 0;
}

static void ticks_never_go_back(void **state)
{
	(void)state;
	uint64_t before = heddle__ticks();
	for (int i = 0; i < 100000; i++) {
		uint64_t now = heddle__ticks();
		assert_true(now >= before);
		before = now;
	}
}

/* Each clock is read between two readings of the other: an interruption widens the bounds, and nothing fails. */
static void ticks_are_nanoseconds_within_one_percent(void **state)
{
	(void)state;
	uint64_t outer = heddle__clock_ns(CLOCK_MONOTONIC), ticks = heddle__ticks();
	uint64_t inner = heddle__clock_ns(CLOCK_MONOTONIC);
	struct timespec nap = {0, 50000000};
	nanosleep(&nap, NULL);
	uint64_t inner_end = heddle__clock_ns(CLOCK_MONOTONIC), span = heddle__ticks() - ticks;
	uint64_t outer_end = heddle__clock_ns(CLOCK_MONOTONIC);
	heddle__clock_calibrate();
	uint64_t ns = heddle__ticks_to_ns(span);
	assert_true(ns >= (inner_end - inner) / 100 * 99);
	assert_true(ns <= (outer_end - outer) / 100 * 101);
}

static void a_held_rate_stays(void **state)
{
	(void)state;
	struct timespec nap = {0, 2000000};
	if (!heddle__clock_is_tsc) {
		print_message("skipped: ticks are nanoseconds on this system, and have no rate\n");
		skip();
	}
	heddle__clock_hold();
	uint64_t rate = heddle__clock_rate();
	for (int i = 0; i < 20; i++) {
		nanosleep(&nap, NULL);
		heddle__clock_calibrate();
		assert_int_equal(heddle__clock_rate(), rate);
	}
	heddle__clock_release();
	bool changed = false;
	for (int i = 0; i < 20 && !changed; i++) {
		nanosleep(&nap, NULL);
		heddle__clock_calibrate();
		changed = heddle__clock_rate() != rate;
	}
	assert_true(changed);
}

/* A conversion to ticks and back is exact within a tick, which may be tens of nanoseconds. */
static void there_and_back_is_the_same(void **state)
{
	const uint64_t tick = heddle__clock_rate() >> 32;
	(void)state;
	for (uint64_t ns = 1000; ns < (uint64_t)1 << 56; ns *= 7) { /* two years */
		uint64_t back = heddle__ticks_to_ns(heddle__ns_to_ticks(ns));
		assert_true(back <= ns && ns - back <= ns / 1000 + 2 + tick);
	}
	assert_int_equal(heddle__ticks_to_ns(0), 0);
	assert_int_equal(heddle__ns_to_ticks(0), 0);
}

static void a_clock_that_is_not_there_reads_as_zero(void **state)
{
	(void)state;
	assert_int_equal(heddle__clock_ns((clockid_t)~0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_never_go_back),
		cmocka_unit_test(ticks_are_nanoseconds_within_one_percent),
		cmocka_unit_test(a_held_rate_stays),
		cmocka_unit_test(there_and_back_is_the_same),
		cmocka_unit_test(a_clock_that_is_not_there_reads_as_zero),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
