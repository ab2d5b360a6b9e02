/* SPDX-License-Identifier: BSD-3-Clause */
/* cli/base/program.c: finds a program as execvp would, and reads ELF files. */
#include "cli/base/program.h"

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

static void put_file(const char *name, const char *text, mode_t mode)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	assert_int_equal(chmod(name, mode), 0);
}

static int set_up(void **state)
{
	(void)state;
	if (mkdtemp(directory) == NULL || chdir(directory) != 0 || mkdir("a", 0755) != 0 || mkdir("b", 0755) != 0)
		return -1;
	put_file("a/plain", "x", 0644);
	put_file("b/plain", "x", 0755);
	put_file("a/only", "x", 0644);
	put_file("here", "x", 0755);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink("a/plain");
	unlink("b/plain");
	unlink("a/only");
	unlink("here");
	rmdir("a");
	rmdir("b");
	return chdir("/") == 0 ? rmdir(directory) : -1;
}

static void expect_find(const char *name, int result, const char *path)
{
	struct heddle_program program;

	assert_int_equal(heddle__program_find(name, &program), result);
	assert_string_equal(program.path, path);
}

static void search_follows_path(void **state)
{
	(void)state;
	setenv("PATH", "a:b", 1);
	expect_find("plain", 0, "b/plain");     /* a is not executable there, so the search continues */
	expect_find("only", -EACCES, "a/only"); /* the error if nothing better is found */
	expect_find("nothing", -ENOENT, "nothing");
	expect_find("here", -ENOENT, "here");
	expect_find("", -ENOENT, "");
	setenv("PATH", "a::b", 1);
	expect_find("here", 0, "./here"); /* an empty entry means the current directory */
	setenv("PATH", "a:", 1);
	expect_find("here", 0, "./here");
}

static void slash_means_no_search(void **state)
{
	(void)state;
	setenv("PATH", "b", 1);
	expect_find("./plain", -ENOENT, "./plain");
	expect_find("a/plain", -EACCES, "a/plain");
	expect_find("./a", -EISDIR, "./a");
	expect_find("here/x", -ENOENT, "here/x");
}

static void long_names_are_not_cut_into_others(void **state)
{
	char name[PATH_MAX + 10];

	(void)state;
	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	setenv("PATH", "a:b", 1);
	assert_int_equal(heddle__program_find(name, &(struct heddle_program){0}), -ENOENT);
}

static void own_executable_is_dynamic(void **state)
{
	struct heddle_program program = {0};

	(void)state;
	snprintf(program.path, sizeof program.path, "/proc/self/exe");
	heddle__program_inspect(&program);
	assert_true(program.elf);
	assert_true(program.interpreted);
	assert_false(program.foreign);
	assert_false(program.needs_libgomp);
}

static void text_is_no_elf(void **state)
{
	struct heddle_program program = {.path = "here"};

	(void)state;
	heddle__program_inspect(&program);
	assert_false(program.elf);
	assert_false(heddle__elf_defines("here", "main"));
	assert_false(heddle__elf_defines("nowhere", "main"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search_follows_path),
		cmocka_unit_test(slash_means_no_search),
		cmocka_unit_test(long_names_are_not_cut_into_others),
		cmocka_unit_test(own_executable_is_dynamic),
		cmocka_unit_test(text_is_no_elf),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
