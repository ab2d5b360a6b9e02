/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings from the environment: good values count, bad ones are named in one line and the default holds. */
#include "tests/support/unit.h"

#include <fcntl.h>

#include "core/log.h"
#include "core/settings.h"

static char said[4096];

/* Read the settings with standard error going to a file, and that into `said`. */
static void read_settings(void)
{
	char name[] = "/tmp/heddle-settings-XXXXXX";
	int file = mkstemp(name), before = dup(STDERR_FILENO);
	assert_true(file >= 0 && before >= 0);
	unlink(name);
	dup2(file, STDERR_FILENO);
	heddle__log_init();
	heddle__settings_read();
	dup2(before, STDERR_FILENO);
	close(before);
	ssize_t n = pread(file, said, sizeof(said) - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	close(file);
}

static int forget_all(void **state)
{
	(void)state;
#define X(name, variable, ...) unsetenv(variable);
	HEDDLE_SETTINGS(X)
#undef X
	return 0;
}

static int lines_said(void)
{
	int lines = 0;
	for (const char *at = said; *at; at++)
		lines += *at == '\n';
	return lines;
}

static void what_is_not_set_or_empty_has_its_default(void **state)
{
	(void)state;
	setenv("HEDDLE_SAMPLE_HZ", "", 1);
	read_settings();
	assert_string_equal(said, "");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 0);
	assert_string_equal(heddle__setting_text(HEDDLE_SETTING_SAMPLE_CLOCK), "cpu");
	assert_string_equal(heddle__setting_text(HEDDLE_SETTING_OUTPUT), "");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_START_PAUSED), 0);
}

static void good_values_count(void **state)
{
	(void)state;
	char output[] = "/tmp/some where";
	setenv("HEDDLE_SAMPLE_HZ", "100000", 1);
	setenv("HEDDLE_SAMPLE_CLOCK", "wall", 1);
	setenv("HEDDLE_OUTPUT", output, 1);
	setenv("HEDDLE_FLUSH_SECONDS", "0", 1);
	read_settings();
	assert_string_equal(said, "");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 100000);
	assert_string_equal(heddle__setting_text(HEDDLE_SETTING_SAMPLE_CLOCK), "wall");
	setenv("HEDDLE_OUTPUT", "/elsewhere", 1); /* the program's own business from now on */
	assert_string_equal(heddle__setting_text(HEDDLE_SETTING_OUTPUT), output);
}

static void a_flag_is_off_when_empty_or_zero(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		long on;
	} flags[] = {{"1", 1}, {"yes", 1}, {"0", 0}, {"", 0}, {"00", 1}};
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		setenv("HEDDLE_VERBOSE", flags[i].text, 1);
		read_settings();
		assert_int_equal(heddle__setting_number(HEDDLE_SETTING_VERBOSE), flags[i].on);
		assert_string_equal(said, "");
	}
}

/* Few enough for the sixteen lines that a process may say. */
static void a_bad_value_is_named_in_one_line_and_the_default_holds(void **state)
{
	(void)state;
	static const char *const bad[] = {"-1", "100001", "99999999999999999999", "12x", "x", " "};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		setenv("HEDDLE_SAMPLE_HZ", bad[i], 1);
		read_settings();
		assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 0);
		assert_int_equal(lines_said(), 1);
		assert_memory_equal(said, "heddle: ", 8);
		assert_non_null(strstr(said, "HEDDLE_SAMPLE_HZ="));
		assert_non_null(strstr(said, bad[i]));
	}
}

static void a_word_that_is_no_choice_is_named(void **state)
{
	(void)state;
	static const char *const bad[] = {"cp", "cpu|wall", "CPU"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		setenv("HEDDLE_SAMPLE_CLOCK", bad[i], 1);
		read_settings();
		assert_string_equal(heddle__setting_text(HEDDLE_SETTING_SAMPLE_CLOCK), "cpu");
		assert_int_equal(lines_said(), 1);
	}
}

static void a_list_holds_whole_words(void **state)
{
	(void)state;
	setenv("HEDDLE_MODELS", "openmp,c", 1);
	read_settings();
	assert_true(heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp"));
	assert_true(heddle__setting_lists(HEDDLE_SETTING_MODELS, "c"));
	assert_false(heddle__setting_lists(HEDDLE_SETTING_MODELS, "upc"));
	assert_false(heddle__setting_lists(HEDDLE_SETTING_MODELS, "open"));
	assert_false(heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp,c"));
	assert_false(heddle__setting_lists(HEDDLE_SETTING_MODELS, ""));
	unsetenv("HEDDLE_MODELS");
	read_settings();
	assert_true(heddle__setting_lists(HEDDLE_SETTING_MODELS, "upc"));
}

static void a_list_with_a_word_that_means_nothing_is_named(void **state)
{
	(void)state;
	setenv("HEDDLE_MODELS", "c,opnemp", 1);
	read_settings();
	assert_int_equal(lines_said(), 1);
	assert_true(heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_is_not_set_or_empty_has_its_default, forget_all),
		cmocka_unit_test_setup(good_values_count, forget_all),
		cmocka_unit_test_setup(a_flag_is_off_when_empty_or_zero, forget_all),
		cmocka_unit_test_setup(a_bad_value_is_named_in_one_line_and_the_default_holds, forget_all),
		cmocka_unit_test_setup(a_word_that_is_no_choice_is_named, forget_all),
		cmocka_unit_test_setup(a_list_holds_whole_words, forget_all),
		cmocka_unit_test_setup(a_list_with_a_word_that_means_nothing_is_named, forget_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
