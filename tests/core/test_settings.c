/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Settings from the environment and from arguments: valid values are used; for an invalid one, one line names it and
 * the default is used.
 */
#include "tests/support/unit.h"

#include <fcntl.h>

#include "core/base/log.h"
#include "core/base/settings.h"

static char said[4096];

static void read_arguments(const char *arguments)
{
	FILE *file = tmpfile();
	assert_non_null(file);
	for (const char *at = arguments; *at; at += strlen(at) + 1)
		fwrite(at, 1, strlen(at) + 1, file);
	assert_int_equal(fflush(file), 0);
	lseek(fileno(file), 0, SEEK_SET);
	heddle__settings_read_arguments(fileno(file));
	fclose(file);
}

/*
 * Reads the settings, with what is written to standard error stored in `said`. `arguments`: each ended by a null byte,
 * with an empty one after the last; NULL: those of this program.
 */
static void read_settings_with(const char *arguments)
{
	char name[] = "/tmp/heddle-settings-XXXXXX";
	int file = mkstemp(name), before = dup(STDERR_FILENO);
	assert_true(file >= 0 && before >= 0);
	unlink(name);
	dup2(file, STDERR_FILENO);
	heddle__log_init();
	heddle__settings_read();
	if (arguments)
		read_arguments(arguments);
	dup2(before, STDERR_FILENO);
	close(before);
	ssize_t n = pread(file, said, sizeof(said) - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	close(file);
}

static void read_settings(void)
{
	read_settings_with(NULL);
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
	setenv("HEDDLE_OUTPUT", "/elsewhere", 1); /* later changes by the program have no effect */
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

/* These are few enough for the sixteen lines that a process may print. */
static void a_bad_value_is_named_in_one_line_and_the_default_holds(void **state)
{
	(void)state;
	static const char *const bad[] = {"-1", "100001", "99999999999999999999", "12x", " "};
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

static void arguments_win_over_the_environment(void **state)
{
	(void)state;
	setenv("HEDDLE_SAMPLE_HZ", "10", 1);
	setenv("HEDDLE_SAMPLE_CLOCK", "wall", 1);
	read_settings_with("prog\0--heddle-sample-hz=1000\0data\0--heddle-events=a=b\0--heddle-paused\0"
			   "--heddle-output=/tmp/some where\0--heddle-models=c,upc\0");
	assert_string_equal(said, "");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 1000);
	assert_string_equal(heddle__setting_text(HEDDLE_SETTING_EVENTS), "a=b");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_START_PAUSED), 1);
	assert_string_equal(heddle__setting_text(HEDDLE_SETTING_OUTPUT), "/tmp/some where");
	assert_false(heddle__setting_lists(HEDDLE_SETTING_MODELS, "openmp"));
	assert_string_equal(heddle__setting_text(HEDDLE_SETTING_SAMPLE_CLOCK), "wall");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_VERBOSE), 0);
}

static void each_setting_has_an_argument(void **state)
{
	(void)state;
#define X(name, variable, option, argument, kind, low, high, initial, help) \
	{variable, (option)[1] == '-' ? (option) + 2 : "output", HEDDLE_SETTING_KIND_##kind, HEDDLE_SETTING_##name},
	static const struct {
		const char *variable, *name;
		enum heddle_setting_kind kind;
		enum heddle_setting setting;
	} settings[] = {HEDDLE_SETTINGS(X)};
#undef X
	static const char *const values[] = {
		"3", "wall", "upc", "somewhere", "something", "anything", "64K", "5s", "10s:20s", "1"};
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		const char *value = values[settings[i].kind];
		if (settings[i].kind == HEDDLE_SETTING_KIND_CHOICE)
			value = settings[i].setting == HEDDLE_SETTING_SAMPLE_SOURCE ? "perf"
				: settings[i].setting == HEDDLE_SETTING_TRACE_FULL  ? "drop"
				: settings[i].setting == HEDDLE_SETTING_INST_TIME   ? "all"
										    : value;
		char arguments[128] = "prog";
		snprintf(arguments + 5, sizeof(arguments) - 5, "--heddle-%s=%s", settings[i].name, value);
		read_settings_with(arguments);
		assert_string_equal(said, "");
		assert_string_equal(heddle__setting_text(settings[i].setting), value);
	}
}

static void the_last_argument_wins_and_a_flag_can_be_switched_off(void **state)
{
	(void)state;
	setenv("HEDDLE_VERBOSE", "1", 1);
	read_settings_with("prog\0--heddle-sample-hz=1\0--heddle-sample-hz=2\0--heddle-verbose=0\0");
	assert_string_equal(said, "");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 2);
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_VERBOSE), 0);
}

static void a_bad_argument_is_named_in_one_line_and_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *word, *says;
	} bad[] = {
		{"--heddle-sample-hz=often", "--heddle-sample-hz=often is not a valid value; using 10"},
		{"--heddle-trace-buffer=4095", "--heddle-trace-buffer=4095 is not a valid value; using 256K"},
		{"--heddle-sample-hz", "--heddle-sample-hz needs a value: --heddle-sample-hz=N"},
		{"--heddle-sample", "--heddle-sample is not a setting"},
		{"--heddle-sample_hz=5", "--heddle-sample_hz is not a setting"},
		{"--heddle-", "--heddle- is not a setting"},
	};
	setenv("HEDDLE_SAMPLE_HZ", "10", 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char arguments[128] = "prog";
		snprintf(arguments + 5, sizeof(arguments) - 5, "%s", bad[i].word);
		read_settings_with(arguments);
		assert_int_equal(lines_said(), 1);
		assert_non_null(strstr(said, bad[i].says));
		assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 10);
	}
}

static void what_is_not_for_heddle_is_left_alone(void **state)
{
	(void)state;
	read_settings_with("--heddle-sample-hz=1\0-heddle-sample-hz=2\0x--heddle-sample-hz=3\0--\0"
			   "--heddle-sample-hz=4\0");
	assert_string_equal(said, "");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 0);
}

static void options_behind_long_arguments_are_found(void **state)
{
	(void)state;
	char arguments[20000] = "prog";
	memset(arguments + 5, 'x', 9000);
	snprintf(arguments + 9006, 100, "--heddle-sample-hz=7");
	memset(arguments + 9100, 'y', 9000);
	arguments[9027] = 'z'; /* one word up to the y's */
	memset(arguments + 9028, 'z', 72);
	read_settings_with(arguments);
	assert_string_equal(said, "");
	assert_int_equal(heddle__setting_number(HEDDLE_SETTING_SAMPLE_HZ), 7);
}

static void arguments_for_heddle_are_taken_out(void **state)
{
	(void)state;
	char program[] = "prog", rate[] = "--heddle-sample-hz=1", data[] = "data", flag[] = "--heddle-paused",
	     unknown[] = "--heddle-nonesuch", end[] = "--", behind[] = "--heddle-verbose";
	char *words[] = {program, rate, data, flag, unknown, end, behind, NULL}, **argv = words;
	int argc = 7;
	heddle__settings_strip_arguments(&argc, &argv);
	assert_int_equal(argc, 4);
	assert_ptr_equal(argv, words);
	assert_ptr_equal(argv[0], program);
	assert_ptr_equal(argv[1], data);
	assert_ptr_equal(argv[2], end);
	assert_ptr_equal(argv[3], behind);
	assert_null(argv[4]);

	/* Another thread with the same array and its own count. */
	argc = 7;
	heddle__settings_strip_arguments(&argc, &argv);
	assert_int_equal(argc, 4);
	assert_ptr_equal(argv[3], behind);
}

static void nothing_is_taken_out_of_nothing(void **state)
{
	(void)state;
	char program[] = "--heddle-paused", data[] = "data";
	char *words[] = {program, data}, **argv = words,
	     **none = NULL; /* no NULL at the end: Heddle must not write there */
	int argc = 2, zero = 0;
	heddle__settings_strip_arguments(NULL, NULL);
	heddle__settings_strip_arguments(&argc, NULL);
	heddle__settings_strip_arguments(NULL, &argv);
	heddle__settings_strip_arguments(&argc, &none);
	heddle__settings_strip_arguments(&zero, &argv);
	assert_int_equal(zero, 0);
	heddle__settings_strip_arguments(&argc, &argv);
	assert_int_equal(argc, 2);
	assert_ptr_equal(words[0], program);
	assert_ptr_equal(words[1], data);
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
		cmocka_unit_test_setup(arguments_win_over_the_environment, forget_all),
		cmocka_unit_test_setup(each_setting_has_an_argument, forget_all),
		cmocka_unit_test_setup(the_last_argument_wins_and_a_flag_can_be_switched_off, forget_all),
		cmocka_unit_test_setup(a_bad_argument_is_named_in_one_line_and_changes_nothing, forget_all),
		cmocka_unit_test_setup(what_is_not_for_heddle_is_left_alone, forget_all),
		cmocka_unit_test_setup(options_behind_long_arguments_are_found, forget_all),
		cmocka_unit_test_setup(arguments_for_heddle_are_taken_out, forget_all),
		cmocka_unit_test_setup(nothing_is_taken_out_of_nothing, forget_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
