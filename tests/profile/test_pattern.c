/* SPDX-License-Identifier: BSD-3-Clause */
/* Patterns for names: what matches, what does not; and no pattern takes long. */
#include "tests/support/unit.h"

#include "format/pattern.h"

static void a_name_stands_for_itself(void **state)
{
	(void)state;
	assert_true(heddle__pattern_matches("main", "main"));
	assert_false(heddle__pattern_matches("main", "mai"));
	assert_false(heddle__pattern_matches("main", "main_"));
	assert_true(heddle__pattern_matches("", ""));
	assert_false(heddle__pattern_matches("", "x"));
	assert_true(heddle__pattern_matches("a,b", "a,b")); /* a comma outside braces */
}

static void a_star_is_any_text(void **state)
{
	(void)state;
	assert_true(heddle__pattern_matches("libomp.so*", "libomp.so.5"));
	assert_true(heddle__pattern_matches("libomp.so*", "libomp.so"));
	assert_false(heddle__pattern_matches("libomp.so*", "libomp.s"));
	assert_true(heddle__pattern_matches("*.omp_outlined*", "main.omp_outlined"));
	assert_true(heddle__pattern_matches("*.omp_outlined*", "a.omp_out.omp_outlined_debug__"));
	assert_false(heddle__pattern_matches("*.omp_outlined*", "main_omp_outlined"));
	assert_true(heddle__pattern_matches("a*b*c", "aXbYbZc"));
	assert_false(heddle__pattern_matches("a*b*c", "aXcYb"));
}

static void a_cross_is_a_digit(void **state)
{
	(void)state;
	assert_true(heddle__pattern_matches("f._omp_fn.#*", "f._omp_fn.12"));
	assert_false(heddle__pattern_matches("f._omp_fn.#*", "f._omp_fn."));
	assert_false(heddle__pattern_matches("f#", "f#"));
	assert_false(heddle__pattern_matches("f#", "fx"));
}

static void braces_hold_alternatives(void **state)
{
	(void)state;
	assert_true(heddle__pattern_matches("{user,upc}_main", "upc_main"));
	assert_false(heddle__pattern_matches("{user,upc}_main", "userupc_main"));
	assert_false(heddle__pattern_matches("{user,upc}_main", "_main"));
	assert_true(heddle__pattern_matches("x{,s,g}y", "xy"));
	assert_true(heddle__pattern_matches("x{,s,g}y", "xgy"));
	assert_false(heddle__pattern_matches("x{,s,g}y", "xsgy"));
	assert_true(heddle__pattern_matches("x{,.#*}", "x.3.clone"));
	assert_true(heddle__pattern_matches("{*_,}end", "end"));
	assert_true(heddle__pattern_matches("{*_,}end", "put_end"));
	assert_false(heddle__pattern_matches("{*_,}end", "putend"));
	assert_true(heddle__pattern_matches("{ab,abc}cd", "abcd"));
	assert_true(heddle__pattern_matches("{ab,abc}cd", "abccd"));
}

/* Patterns are read from files, which are not trusted. */
static void a_hostile_pattern_does_no_harm(void **state)
{
	static const char *const patterns[] = {"{", "}", "{,", ",}", "{{a,b}", "{*,*}{*,*}{*,*}{*,*}{*,*}{*,*}b", "#}",
		"*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"};
	char text[4097], longer[HEDDLE_PATTERN_LIMIT + 3];
	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		assert_false(heddle__pattern_matches(patterns[i], text));
	memset(longer, '*', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_false(heddle__pattern_matches(longer, text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_stands_for_itself),
		cmocka_unit_test(a_star_is_any_text),
		cmocka_unit_test(a_cross_is_a_digit),
		cmocka_unit_test(braces_hold_alternatives),
		cmocka_unit_test(a_hostile_pattern_does_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
