/* SPDX-License-Identifier: BSD-3-Clause */
/* cli/base/words.c: splits words as a shell does, and lists grow. */
#include "cli/base/words.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* `wanted`: the expected words, each ended by a null byte. */
static void expect_split(const char *text, const char *wanted, size_t count)
{
	struct heddle_words words = {0};

	assert_int_equal(heddle__words_split(&words, text), 0);
	assert_int_equal(words.count, count);
	for (size_t i = 0; i < count; i++, wanted += strlen(wanted) + 1)
		assert_string_equal(words.at[i], wanted);
	assert_true(count == 0 || words.at[count] == NULL);
	assert_false(words.failed);
	heddle__words_free(&words);
}

static void blanks_separate(void **state)
{
	(void)state;
	expect_split("", "", 0);
	expect_split(" \t\n", "", 0);
	expect_split("gcc", "gcc\0", 1);
	expect_split("  ccache\tgcc \n -m64 ", "ccache\0gcc\0-m64\0", 3);
}

static void quotes_and_backslashes_keep_together(void **state)
{
	(void)state;
	expect_split("'my cc' -DA=\"x y\" a\\ b", "my cc\0-DA=x y\0a b\0", 3);
	expect_split("'' \"\"", "\0\0", 2);
	expect_split("a'b'\"c\"d", "abcd\0", 1);
	expect_split("'a\\b' \"a\\b\" \"a\\\"b\\\\\" \\'", "a\\b\0a\\b\0a\"b\\\0'\0", 4);
	expect_split("\"it's\" '\"'", "it's\0\"\0", 2);
	expect_split("$HOME `x` *", "$HOME\0`x`\0*\0", 3);
	expect_split("end\\", "end\\\0", 1);
}

static void an_open_quote_is_an_error(void **state)
{
	(void)state;
	static const char *const open[] = {"'", "\"", "gcc 'x", "gcc \"x\\\"", "'a' 'b"};
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		struct heddle_words words = {0};
		assert_int_equal(heddle__words_split(&words, open[i]), -EINVAL);
		heddle__words_free(&words);
	}
}

static void what_is_quoted_is_split_back(void **state)
{
	static const char *const texts[] = {
		"plain/a-b:3", "my dir", "it's", "", "$HOME `x` \\ \"q\"", "a\nb", "~", "*"};
	const size_t count = sizeof(texts) / sizeof(*texts);
	struct heddle_words quoted = {0}, back = {0};
	char line[256] = "";

	(void)state;
	for (size_t i = 0; i < count; i++) {
		heddle__words_add_quoted(&quoted, texts[i]);
		strcat(strcat(line, quoted.at[i]), " ");
	}
	assert_string_equal(quoted.at[0], texts[0]);
	assert_string_equal(quoted.at[1], "'my dir'");
	assert_int_equal(heddle__words_split(&back, line), 0);
	assert_int_equal(back.count, count);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(back.at[i], texts[i]);
	heddle__words_free(&quoted);
	heddle__words_free(&back);
}

static void lists_grow(void **state)
{
	(void)state;
	struct heddle_words words = {0}, twice = {0};

	for (int i = 0; i < 1000; i++) {
		heddle__words_add_format(&words, "word %d", i);
		assert_null(words.at[words.count]);
	}
	heddle__words_add_all(&twice, &words);
	heddle__words_add_all(&twice, &words);
	assert_int_equal(twice.count, 2000);
	assert_string_equal(twice.at[1999], "word 999");
	heddle__words_free(&words);
	heddle__words_free(&twice);
	assert_int_equal(twice.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_separate),
		cmocka_unit_test(quotes_and_backslashes_keep_together),
		cmocka_unit_test(an_open_quote_is_an_error),
		cmocka_unit_test(what_is_quoted_is_split_back),
		cmocka_unit_test(lists_grow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
