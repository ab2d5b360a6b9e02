/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of `heddle run --live`: what it shows, what it leaves out if there is little room, and hostile names. */
#include "cli/base/terminal.h"
#include "cli/run/live_text.h"
#include "cli/run/live_top.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct heddle_live_figures usual = {
	.elapsed_ns = 83 * UINT64_C(1000000000),
	.cpu_ns = 302 * UINT64_C(1000000000),
	.samples = 302114,
	.busy = 3.87,
	.processors = 4,
	.processes = 1,
	.function = "multiply_row",
	.share = 0.41,
};

static char text[1536];

static const char *written(const struct heddle_live_figures *figures, size_t columns)
{
	return heddle__live_text(text, sizeof(text), figures, columns, true);
}

static void says_all(void **state)
{
	(void)state;
	assert_string_equal(
		written(&usual, 100), "heddle 1:23 · CPU 5:02 · 3.87 of 4 CPUs · 302,114 samples · 41 % multiply_row");
	assert_string_equal(heddle__live_text(text, sizeof(text), &usual, 100, false),
		"heddle 1:23, CPU 5:02, 3.87 of 4 CPUs, 302,114 samples, 41 % multiply_row");
	struct heddle_live_figures many = usual;
	many.processes = 12;
	many.elapsed_ns = 3723 * UINT64_C(1000000000);
	many.function = NULL;
	assert_string_equal(
		written(&many, 100), "heddle 1:02:03 · CPU 5:02 · 3.87 of 4 CPUs · 12 processes · 302,114 samples");
}

/* The line fits any width, and has the function if there is some room. */
static void fits(void **state)
{
	struct heddle_live_figures long_name = usual;
	char name[1200];
	(void)state;
	for (size_t i = 0; i + 2 < sizeof(name); i += 2)
		memcpy(name + i, "\xc3\xa4", 3); /* two bytes, one column */
	const char *names[] = {"f", "multiply_row", "a::name<of::a>::function_template<with, arguments>::call", name};
	for (size_t n = 0; n < 4; n++) {
		long_name.function = names[n];
		for (size_t columns = 19; columns < 200; columns++) {
			assert_true(heddle__columns(written(&long_name, columns)) <= columns);
			assert_int_equal(strncmp(text, "heddle 1:23", 11), 0);
			if (columns >= 40)
				assert_non_null(strstr(text, " 41 % "));
		}
	}
	assert_string_equal(written(&usual, 50), "heddle 1:23 · 3.87 of 4 CPUs · 41 % multiply_row");
}

/* The text has no byte that a terminal interprets, and no invalid character. */
static void replaces_control_characters(void **state)
{
	struct heddle_live_figures hostile = usual;
	(void)state;
	hostile.function = "a\033[2Jb\nc\tda\177\xc2\x9b"
			   "e\xff\xe2\x82";
	written(&hostile, 100);
	assert_non_null(strstr(text, "41 % a?[2Jb?c?da???e???"));
	hostile.function = "gr\xc3\xbc\xc3\x9f";
	assert_non_null(strstr(written(&hostile, 100), "gr\xc3\xbc\xc3\x9f"));
	assert_non_null(strstr(heddle__live_text(text, sizeof(text), &hostile, 100, false), "gr????"));
}

/* The latest samples have the greatest weight. */
static void top_follows(void **state)
{
	struct heddle_live_top top = {0};
	double share;
	(void)state;
	assert_null(heddle__live_top_first(&top, &share));
	heddle__live_top_add(&top, "old", 1000);
	heddle__live_top_add(&top, "other", 10);
	assert_string_equal(heddle__live_top_first(&top, &share), "old");
	for (int i = 0; i < 3; i++) {
		heddle__live_top_age(&top);
		heddle__live_top_add(&top, "new", 1000);
	}
	assert_string_equal(heddle__live_top_first(&top, &share), "new");
	assert_true(share > 0.9 && share < 0.95); /* 1750 of 1750 + 125 + 1.25 */
	for (int i = 0; i < 20; i++)
		heddle__live_top_age(&top);
	assert_null(heddle__live_top_first(&top, &share));
	heddle__live_top_free(&top);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_all),
		cmocka_unit_test(fits),
		cmocka_unit_test(replaces_control_characters),
		cmocka_unit_test(top_follows),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
