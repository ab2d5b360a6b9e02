/* SPDX-License-Identifier: BSD-3-Clause */
/* Time-outs do not count time in which the waiting thread had no processor. */
#include "core/base/patience.h"
#include "tests/support/unit.h"

#define MS 1000000u

static uint64_t fake_ns;

static int fake_clock(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){(time_t)(fake_ns / 1000000000), (long)(fake_ns % 1000000000)};
	return 0;
}

/* Waits in steps of that length; returns their number until the time-out of two seconds. */
static int steps_of(uint64_t ns)
{
	struct heddle_patience patience;
	int steps = 1;
	heddle__clock_read = fake_clock;
	heddle__patience_renew(&patience);
	for (fake_ns += ns; heddle__patience_lasts(&patience, 2000 * MS); fake_ns += ns)
		steps++;
	return steps;
}

static void short_steps_count_as_they_are(void **state)
{
	(void)state;
	assert_int_equal(steps_of(10 * MS), 200);
	assert_int_equal(steps_of(50 * MS), 40);
}

static void of_long_steps_only_a_part_counts(void **state)
{
	(void)state;
	assert_int_equal(steps_of(1000 * MS), 34);
	assert_int_equal(steps_of((uint64_t)3600 * 1000 * MS), 34);
}

static void progress_renews(void **state)
{
	struct heddle_patience patience;
	(void)state;
	heddle__clock_read = fake_clock;
	heddle__patience_renew(&patience);
	for (int i = 0; i < 1000; i++) {
		fake_ns += 50 * MS;
		assert_true(heddle__patience_lasts(&patience, 60 * MS));
		heddle__patience_renew(&patience);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_steps_count_as_they_are),
		cmocka_unit_test(of_long_steps_only_a_part_counts),
		cmocka_unit_test(progress_renews),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
