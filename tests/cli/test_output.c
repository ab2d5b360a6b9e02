/* SPDX-License-Identifier: BSD-3-Clause */
/* cli/output.c: the output directory is created, checked, quoted for a shell, and never one that has a measurement. */
#include "cli/output.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/heddle-test-XXXXXX";
static struct heddle_output output;

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(directory) != NULL && chdir(directory) == 0 && freopen("/dev/null", "w", stderr) != NULL ? 0
														: -1;
}

static int tear_down(void **state)
{
	(void)state;
	return chdir("/") == 0 ? rmdir(directory) : -1;
}

static void touch(const char *name)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fclose(file);
}

static void is_made_with_parents(void **state)
{
	(void)state;
	assert_int_equal(heddle__output_check(&output, "a/b/c/", "./p", NULL), 0);
	assert_int_equal(access("a/b/c", W_OK), 0);
	assert_true(output.absolute[0] == '/');
	assert_false(heddle__output_holds_profiles(&output));
	assert_int_equal(rmdir("a/b/c"), 0); /* succeeds because the trial file was removed */
	assert_int_equal(rmdir("a/b"), 0);
	assert_int_equal(rmdir("a"), 0);
}

static void measurement_is_not_overwritten(void **state)
{
	(void)state;
	assert_int_equal(mkdir("m", 0755), 0);
	touch("m/notes.txt");
	assert_int_equal(heddle__output_check(&output, "m", "./p", NULL), 0);
	touch("m/x.heddle");
	assert_int_equal(heddle__output_check(&output, "m", "./p", NULL), -EEXIST);
	unlink("m/notes.txt");
	unlink("m/x.heddle");
	heddle__output_remove_if_empty(&output); /* not created by this check, so it stays */
	assert_int_equal(rmdir("m"), 0);
}

static void file_in_the_way(void **state)
{
	(void)state;
	touch("f");
	assert_int_equal(heddle__output_check(&output, "f", "./p", NULL), -ENOTDIR);
	assert_int_equal(heddle__output_check(&output, "f/g", "./p", NULL), -ENOTDIR);
	assert_int_equal(unlink("f"), 0);
}

static void default_has_program_and_process(void **state)
{
	(void)state;
	assert_int_equal(heddle__output_check(&output, NULL, "../x/my prog", NULL), 0);
	assert_int_equal(heddle__output_resolve(&output, 42), -ENOENT);
	assert_int_equal(heddle__output_make(&output, 42), 0);
	assert_int_equal(access("heddle-my prog-42", W_OK), 0);
	assert_int_equal(heddle__output_resolve(&output, 42), 0);
	assert_string_equal(output.quoted, "'heddle-my prog-42'");
	heddle__output_remove_if_empty(&output);
	assert_int_equal(access("heddle-my prog-42", F_OK), -1);
}

static void quotes_are_quoted(void **state)
{
	(void)state;
	assert_int_equal(heddle__output_check(&output, "it's", "./p", NULL), 0);
	assert_int_equal(heddle__output_resolve(&output, 1), 0);
	assert_string_equal(output.quoted, "'it'\\''s'");
	heddle__output_remove_if_empty(&output);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_made_with_parents),
		cmocka_unit_test(measurement_is_not_overwritten),
		cmocka_unit_test(file_in_the_way),
		cmocka_unit_test(default_has_program_and_process),
		cmocka_unit_test(quotes_are_quoted),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
