/* SPDX-License-Identifier: BSD-3-Clause */
/* Welch's t-test against published numbers. */
#include "analysis/significance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void assert_near(double got, double wanted, double within)
{
	if (!(fabs(got - wanted) <= within))
		fail_msg("%.10g, wanted %.10g", got, wanted);
}

/* Student's sleep data (1908), as R's t.test(extra ~ group, sleep) prints it. */
static void students_sleep_data(void **state)
{
	(void)state;
	static const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
	static const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
	struct heddle_difference got = heddle__compare(first, COUNT(first), second, COUNT(second));
	assert_true(got.tested);
	assert_near(got.before, 0.75, 1e-12);
	assert_near(got.after, 2.33, 1e-12);
	assert_near(got.p, 0.07939414, 1e-8);
	assert_near(got.change - got.margin, -0.2054832, 1e-6);
	assert_near(got.change + got.margin, 3.3654832, 1e-6);
}

/* With equal variances and counts it is Student's test, with 2 and 4 degrees of freedom, which tables have. */
static void few_runs(void **state)
{
	(void)state;
	static const double a[] = {-1, 1}, b[] = {5.0848695, 7.0848695}; /* 4.3026527 standard errors apart */
	struct heddle_difference got = heddle__compare(a, 2, b, 2);
	assert_near(got.margin, 4.302652730 * sqrt(2), 1e-6);
	assert_near(got.p, 0.05, 1e-6);
	static const double c[] = {1, 2, 3}, d[] = {11, 12, 13};
	got = heddle__compare(c, 3, d, 3);
	assert_near(got.margin, 2.776445105 * sqrt(2.0 / 3), 1e-6);
	assert_near(got.p, 0.000255, 0.00002);
}

static void what_never_scatters_differs_or_not(void **state)
{
	(void)state;
	static const double same[] = {5, 5, 5}, other[] = {6, 6};
	assert_near(heddle__compare(same, 3, same, 3).p, 1, 0);
	assert_near(heddle__compare(same, 3, other, 2).p, 0, 0);
	assert_near(heddle__compare(same, 3, other, 2).margin, 0, 0);
}

static void one_run_a_side_is_no_test(void **state)
{
	(void)state;
	static const double a[] = {5, 6}, b[] = {100};
	struct heddle_difference got = heddle__compare(a, 2, b, 1);
	assert_false(got.tested);
	assert_near(got.change, 94.5, 1e-12);
	assert_near(got.p, 1, 0);
}

/* Samples of one distribution: about one pair in twenty is significant, whatever the counts. */
static void chance_is_called_chance(void **state)
{
	(void)state;
	uint64_t random = 42;
	int significant = 0;
	for (int i = 0; i < 20000; i++) {
		double values[7] = {0};
		for (int v = 0; v < 7; v++)
			for (int k = 0; k < 12; k++) { /* the sum of twelve is nearly normal */
				random = random * 6364136223846793005u + 1442695040888963407u;
				values[v] += (double)(random >> 40) / (1 << 24);
			}
		significant += heddle__compare(values, 3, values + 3, 4).p < 0.05;
	}
	assert_near(significant / 20000.0, 0.05, 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(students_sleep_data),
		cmocka_unit_test(few_runs),
		cmocka_unit_test(what_never_scatters_differs_or_not),
		cmocka_unit_test(one_run_a_side_is_no_test),
		cmocka_unit_test(chance_is_called_chance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
