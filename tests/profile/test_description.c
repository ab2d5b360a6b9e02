/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of user events' arguments, from descriptions with arbitrary contents. */
#include "format/ids.h"
#include "profile/file/description.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *name_of(const char *description, uint32_t argument)
{
	static char name[256];
	return profile_argument_name(name, sizeof(name), description, argument);
}

static void the_words_before_a_conversion_are_its_name(void **state)
{
	(void)state;
	assert_string_equal(name_of("step=%d residual=%g", 1), "step");
	assert_string_equal(name_of("step=%d residual=%g", 2), "residual");
	assert_string_equal(name_of("time (s): %.3f, of %-8.*lu", 1), "time (s)");
	assert_string_equal(name_of("time (s): %.3f, of %-8.*lu", 3), "of");
	assert_string_equal(name_of("(row %lld)[%hhx]", 1), "row");
	assert_string_equal(name_of("file %s line %d", 2), "line");
	assert_string_equal(name_of("full to %d%%, %% of %Lf", 2), "%%, %% of");
}

static void without_words_there_is_a_number(void **state)
{
	(void)state;
	assert_string_equal(name_of("%d %d", 2), "argument 2");
	assert_string_equal(name_of("", 1), "argument 1");
	assert_string_equal(name_of("step", 1), "argument 1");
	assert_string_equal(name_of("step=%d", 7), "argument 7");
	assert_string_equal(name_of("width=%*d", 1), "argument 1");
	assert_string_equal(name_of("failed: %m at %d", 1), "at");
}

static void a_bad_format_is_printed_raw(void **state)
{
	static const char *const bad[] = {
		"step=%n", "%d %n", "100%", "%", "%1$d", "%2$*1$d", "%y", "%l", "%-", "%.", "%*", "% ", "%d%"};
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_string_equal(name_of(bad[i], 1), bad[i]);
	assert_string_equal(name_of("%2$d", 2), "%2$d, argument 2");
	assert_string_equal(name_of("\033[2J%n\n", 1), "?[2J%n?");
}

static void arguments_of_an_end_say_so(void **state)
{
	(void)state;
	assert_string_equal(name_of("step=%d residual=%g", HEDDLE_ARGUMENT_OF_END + 2), "residual at end");
	assert_string_equal(name_of("%d", HEDDLE_ARGUMENT_OF_END + 1), "argument 1 at end");
	assert_string_equal(name_of("%n", HEDDLE_ARGUMENT_OF_END + 1), "%n at end");
}

static void a_string_follows_its_description(void **state)
{
	bool further;
	(void)state;
	assert_string_equal(name_of("step=%d by %s" HEDDLE_TEXT_BEGINS "%d of %n", 2), "by");
	assert_string_equal(
		profile_argument_string("step=%d by %s" HEDDLE_TEXT_BEGINS "%d of %n", &further), "%d of %n");
	assert_false(further);
	assert_string_equal(name_of("by %s" HEDDLE_TEXT_IS_ANOTHER, 1), "by");
	assert_string_equal(profile_argument_string("by %s" HEDDLE_TEXT_IS_ANOTHER, &further), "");
	assert_true(further);
	assert_string_equal(profile_argument_string("by %s" HEDDLE_TEXT_BEGINS, &further), "");
	assert_false(further);
	assert_null(profile_argument_string("by %s", &further));
	assert_null(profile_argument_string("", &further));
}

static void long_descriptions_are_cut(void **state)
{
	(void)state;
	char name[8], *description = malloc(1u << 20);
	memset(description, 'x', 1u << 20);
	memcpy(description + (1u << 20) - 3, "%d", 3);
	assert_string_equal(profile_argument_name(name, sizeof(name), description, 1), "xxxxxxx");
	memcpy(description + (1u << 20) - 3, "%n", 3);
	assert_string_equal(profile_argument_name(name, sizeof(name), description, 2), "xxxxxxx");
	free(description);
}

static void random_formats_do_no_harm(void **state)
{
	static const char letters[] = "%%%%dsnlh$*.-0129 x=";
	(void)state;
	srand(1);
	for (int round = 0; round < 100000; round++) {
		size_t length = (size_t)rand() % 20;
		char *description = malloc(length + 1);
		for (size_t i = 0; i < length; i++)
			description[i] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		description[length] = '\0';
		assert_true(strlen(name_of(description, 1 + (uint32_t)rand() % 4)) > 0);
		free(description);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_words_before_a_conversion_are_its_name),
		cmocka_unit_test(without_words_there_is_a_number),
		cmocka_unit_test(a_bad_format_is_printed_raw),
		cmocka_unit_test(arguments_of_an_end_say_so),
		cmocka_unit_test(a_string_follows_its_description),
		cmocka_unit_test(long_descriptions_are_cut),
		cmocka_unit_test(random_formats_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
