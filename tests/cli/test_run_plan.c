/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs that `heddle scale --run` makes, and how many are enough. */
#include "cli/scale/run_plan.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void combinations_are_read(void **state)
{
	(void)state;
	struct heddle_plan plan = {0};
	assert_int_equal(heddle__plan_read(&plan, "-n 1,2 -t 1,2,4"), 0);
	assert_int_equal(plan.count, 6);
	assert_int_equal(plan.configurations[5].ranks, 2);
	assert_int_equal(plan.configurations[5].threads, 4);
	heddle__plan_free(&plan);
	assert_int_equal(heddle__plan_read(&plan, "-t 8"), 0);
	assert_int_equal(plan.count, 1);
	assert_int_equal(plan.configurations[0].ranks, 0);
	heddle__plan_free(&plan);
}

static void others_are_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {"", "-n", "-n 0", "-n 1,", "-n ,1", "-n 1,1", "-n -1", "-n 1 -n 2", "-x 1",
		"1,2", "-n 1;2", "-t 99999999999999999999", "-n '1", "-t 1 2"};
	struct heddle_plan plan = {0};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (heddle__plan_read(&plan, bad[i]) != -EINVAL)
			fail_msg("'%s' is not refused", bad[i]);
		heddle__plan_free(&plan);
	}
}

/* Every second round is in reverse order. */
static void rounds_are_interleaved(void **state)
{
	(void)state;
	struct heddle_plan plan = {0};
	assert_int_equal(heddle__plan_read(&plan, "-t 1,2,4"), 0);
	assert_int_equal(heddle__plan_at(&plan, 0, 0)->threads, 1);
	assert_int_equal(heddle__plan_at(&plan, 0, 2)->threads, 4);
	assert_int_equal(heddle__plan_at(&plan, 1, 0)->threads, 4);
	assert_int_equal(heddle__plan_at(&plan, 2, 0)->threads, 1);
	heddle__plan_free(&plan);
}

static unsigned runs_until_over(const struct heddle_plan *plan, const double *seconds, unsigned count)
{
	struct heddle_plan_configuration of = {0};
	for (unsigned i = 0; i < count && !of.over; i++)
		heddle__plan_add(plan, &of, seconds[i]);
	return of.over ? of.runs : 0;
}

static void narrow_intervals_end_it(void **state)
{
	(void)state;
	struct heddle_plan plan = {.narrow = 0.02}, limited = {.seconds = 2.5}, none = {0};
	const double even[] = {1, 1, 1, 1, 1, 1}, uneven[] = {1, 1, 1.5, 1, 1, 1}, near[] = {1, 1.01, 0.99, 1, 1, 1};
	assert_int_equal(runs_until_over(&plan, even, 6), 3); /* never only two, however similar they are */
	assert_int_equal(runs_until_over(&plan, uneven, 6), 0);
	/* 3 runs: 4.30 * 0.01 / sqrt(3) = 2.5 %; 4: 3.18 * 0.0082 / 2 = 1.3 %. */
	assert_int_equal(runs_until_over(&plan, near, 6), 4);
	assert_int_equal(runs_until_over(&limited, even, 6), 3);
	assert_int_equal(runs_until_over(&none, even, 6), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(combinations_are_read),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(rounds_are_interleaved),
		cmocka_unit_test(narrow_intervals_end_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
