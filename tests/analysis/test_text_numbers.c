/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers for people: three digits, and commas in large ones. */
#include "analysis/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect_time(uint64_t ns, const char *wanted)
{
	char text[32];
	assert_string_equal(heddle__format_time(text, sizeof(text), ns), wanted);
}

static void times_have_three_digits(void **state)
{
	(void)state;
	expect_time(0, "0 ns");
	expect_time(999, "999 ns");
	expect_time(1234567, "1.23 ms");
	expect_time(999499999999, "999 s");
}

static void long_times_have_commas(void **state)
{
	(void)state;
	expect_time(999500000000, "1,000 s");
	expect_time(27226400000000, "27,226 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_have_three_digits),
		cmocka_unit_test(long_times_have_commas),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
