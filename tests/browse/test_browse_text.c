/* SPDX-License-Identifier: BSD-3-Clause */
/* How names are sent to a terminal, what a search finds, and that each key has one meaning. */
#include "cli/browse/browse_keys.h"
#include "cli/browse/browse_text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_shown(const char *text, bool utf8, const char *expected)
{
	char shown[256];
	heddle__browse_escape(shown, sizeof(shown), text, strlen(text), utf8, false);
	assert_string_equal(shown, expected);
}

static void test_printable_text_stays(void **state)
{
	(void)state;
	assert_shown("omp parallel @cg.c:52", true, "omp parallel @cg.c:52");
	assert_shown("na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac", true, "na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac");
}

static void test_control_characters_are_escaped(void **state)
{
	(void)state;
	assert_shown("a\033[31mb\a\r\n\t\x7f", true, "a\\x1b[31mb\\x07\\r\\n\\t\\x7f");
	assert_shown("\xc2\x9b"
		     "31m",
		true, "\\u009b31m"); /* CSI as one character */
	assert_shown("\xe2\x80\xae"
		     "evil",
		true,
		"\\u202e"
		"evil"); /* right-to-left override */
	assert_shown("\xe2\x80\x8b"
		     "\xef\xbb\xbf",
		true, "\\u200b\\ufeff"); /* invisible characters */
}

static void test_what_is_no_utf8_is_escaped(void **state)
{
	(void)state;
	assert_shown("\xff\xc3", true, "\\xff\\xc3");
	assert_shown("\xc0\x9b", true, "\\xc0\\x9b");          /* an overlong form of ESC */
	assert_shown("\xed\xa0\x80", true, "\\xed\\xa0\\x80"); /* a surrogate */
	assert_shown("\xf4\x90\x80\x80", true, "\\xf4\\x90\\x80\\x80");
	assert_shown("\xe6\x97", true, "\\xe6\\x97");
}

static void test_only_ascii_without_utf8(void **state)
{
	(void)state;
	assert_shown("\xc3\xa9\xf0\x9f\x98\x80\xff", false, "\\u00e9\\U0001f600\\xff");
}

static void test_what_does_not_fit_is_left_out(void **state)
{
	char shown[6];
	(void)state;
	heddle__browse_escape(shown, sizeof(shown), "abc\033d", 5, true, false);
	assert_string_equal(shown, "abc");
	heddle__browse_escape(shown, sizeof(shown), "abcdefgh", 2, true, false);
	assert_string_equal(shown, "ab");
}

static void test_tabs_of_source(void **state)
{
	char shown[64];
	(void)state;
	heddle__browse_escape(shown, sizeof(shown), "a\tb\r", 4, true, true);
	assert_string_equal(shown, "a       b");
}

static void test_small_letters_match_capital_ones(void **state)
{
	(void)state;
	assert_true(heddle__browse_matches("MPI_Barrier", 11, "barrier"));
	assert_false(heddle__browse_matches("mpi_barrier", 11, "Barrier"));
	assert_false(heddle__browse_matches("MPI_Barrier", 7, "barrier"));
	assert_false(heddle__browse_matches("anything", 8, ""));
}

static void test_each_key_has_one_meaning(void **state)
{
	(void)state;
	for (const struct heddle_browse_binding *one = heddle__browse_bindings; one->help; one++)
		for (size_t i = 0; i < sizeof(one->keys) / sizeof(*one->keys); i++)
			if (one->keys[i])
				assert_int_equal(heddle__browse_action_of(one->keys[i]), one->action);
	assert_int_equal(heddle__browse_action_of('x'), HEDDLE_ACTION_NONE);
	assert_int_equal(heddle__browse_action_of(0), HEDDLE_ACTION_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printable_text_stays),
		cmocka_unit_test(test_control_characters_are_escaped),
		cmocka_unit_test(test_what_is_no_utf8_is_escaped),
		cmocka_unit_test(test_only_ascii_without_utf8),
		cmocka_unit_test(test_what_does_not_fit_is_left_out),
		cmocka_unit_test(test_tabs_of_source),
		cmocka_unit_test(test_small_letters_match_capital_ones),
		cmocka_unit_test(test_each_key_has_one_meaning),
	};
	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
