/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cli/run/companions.c: a rank whose program ends when another rank has just printed the summary leaves no file. The
 * other rank removes the job's mark between two looks of this one.
 */
#include "cli/run/companions.h"
#include "format/job_marks.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/heddle-test-XXXXXX";
static int looks;

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);

/* The mark exists at the first look only. */
int __wrap_access(const char *path, int mode)
{
	if (looks++ == 1)
		remove(path);
	return __real_access(path, mode);
}

static int count_files(void)
{
	DIR *entries = opendir(directory);
	const struct dirent *entry;
	int count = 0;
	assert_non_null(entries);
	while ((entry = readdir(entries)) != NULL)
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(entries);
	return count;
}

static void a_late_rank_leaves_no_file(void **state)
{
	struct heddle_output output = {.job = "7", .made_here = true};
	struct heddle_ranks ranks = {.rank = 1, .count = 2, .launched = true};
	struct heddle_companions companions;
	(void)state;
	assert_non_null(mkdtemp(directory));
	strcpy(output.absolute, directory);
	char *mark = heddle__output_mark(&output);
	assert_non_null(mark);
	FILE *file = fopen(mark, "w");
	assert_non_null(file);
	fclose(file);
	assert_false(heddle__companions_end(&output, &ranks, (struct heddle_rank_end){.lost = true}, &companions));
	assert_true(looks > 1);
	assert_int_equal(count_files(), 0);
	assert_int_equal(rmdir(directory), 0);
	free(mark);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_rank_leaves_no_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
