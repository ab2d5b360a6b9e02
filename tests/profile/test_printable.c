/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of profiles: control characters of every kind become '?'; all other text is unchanged. */
#include "profile/base/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_made(const char *text, const char *wanted)
{
	char *copy = strdup(text);
	assert_non_null(copy);
	profile_make_printable(copy);
	assert_string_equal(copy, wanted);
	assert_true(profile_is_printable(copy));
	assert_int_equal(profile_is_printable(text), strcmp(text, wanted) == 0);
	free(copy);
}

static void controls_are_replaced(void **state)
{
	(void)state;
	assert_made("", "");
	assert_made("a\033[31mb\r\n\t\x01\x7f", "a?[31mb?????");
	assert_made("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "???\xc2\xa0");
	assert_made("\xe2\x80\xa8\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c.", "??????.");
}

static void text_stays(void **state)
{
	(void)state;
	assert_made("plain text", "plain text");
	assert_made(
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5", /* around the
													    others */
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 \xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5");
	assert_made("latin \xe9\xff\xc3", "latin \xe9\xff\xc3");
}

static void assert_kind(const char *text, enum profile_character wanted, size_t wanted_bytes)
{
	size_t bytes;
	assert_int_equal(profile_character_at(text, strlen(text), &bytes), wanted);
	assert_int_equal(bytes, wanted_bytes);
}

static void bytes_that_are_no_characters(void **state)
{
	static const char *const none[] = {"\x80", "\x9b", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
		"\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3!", "\xe2\x82!"};
	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_kind(none[i], HEDDLE_CHARACTER_NONE, 1);
	assert_kind("\xc3", HEDDLE_CHARACTER_PART, 1);
	assert_kind("\xe2\x82", HEDDLE_CHARACTER_PART, 2);
	assert_kind("\xf0\x9f\x98", HEDDLE_CHARACTER_PART, 3);
	assert_kind("\xf4\x8f\xbf\xbf", HEDDLE_CHARACTER_PRINTABLE, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_are_replaced),
		cmocka_unit_test(text_stays),
		cmocka_unit_test(bytes_that_are_no_characters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
