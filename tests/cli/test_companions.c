/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cli/run/companions.c: a rank whose program ends when another rank has just printed the summary leaves no file, its
 * own or that of a killed rank. The other rank removes the job's mark between two looks of this one.
 */
#include "cli/run/companions.h"
#include "format/kernel_clock.h"

#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/heddle-test-XXXXXX";
static int looks, sleeps;
static bool sets_end; /* the other rank sets the time of the end, and is killed */

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left);

static void set_end(void)
{
	char link[sizeof(directory) + 16], text[24];
	snprintf(link, sizeof(link), "%s/.end-7", directory);
	snprintf(text, sizeof(text), "%" PRIu64, heddle__kernel_clock_ns(CLOCK_MONOTONIC) + 20000000);
	unlink(link);
	assert_int_equal(symlink(text, link), 0);
}

/* The mark exists at the first look only. */
int __wrap_access(const char *path, int mode)
{
	if (looks++ == 1) {
		remove(path);
		if (sets_end)
			set_end();
	}
	return __real_access(path, mode);
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	(void)clock;
	(void)flags;
	(void)time;
	(void)left;
	sleeps++;
	return 0;
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

/* Rank 1 of 2 ends while the directory has the job's mark. */
static void end_late(void)
{
	struct heddle_output output = {.job = "7", .made_here = true};
	struct heddle_ranks ranks = {.rank = 1, .count = 2, .launched = true};
	struct heddle_companions companions;
	strcpy(output.absolute, directory);
	char *mark = heddle__output_mark(&output);
	assert_non_null(mark);
	FILE *file = fopen(mark, "w");
	assert_non_null(file);
	fclose(file);
	looks = 0;
	assert_false(heddle__companions_end(&output, &ranks, (struct heddle_rank_end){.lost = true}, &companions));
	assert_true(looks > 1);
	free(mark);
}

static void a_late_rank_leaves_no_file(void **state)
{
	(void)state;
	end_late();
	assert_int_equal(count_files(), 0);
}

/* On a busy machine the time may have passed before this rank reads it. */
static void the_time_of_the_end_of_a_killed_rank_is_removed(void **state)
{
	(void)state;
	sets_end = true;
	while (sleeps == 0)
		end_late();
	assert_int_equal(count_files(), 0);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_late_rank_leaves_no_file),
		cmocka_unit_test(the_time_of_the_end_of_a_killed_rank_is_removed),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
