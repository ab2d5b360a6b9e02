/* SPDX-License-Identifier: BSD-3-Clause */
/* Files by rank: sums, the slowest rank, the order, and the part of a name that is shown. */
#include "analysis/file_table.h"
#include "tests/profile/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

/* Strings 1 to 6 are names; kinds are those of format/ids.h. */
#define NAMES                                                                                              \
	"process program prog\nstring /a/x/out\nstring /b/x/out\nstring /b/log\nstring (other files)\n"    \
	"string /b/log/\nstring MPI_COMM_WORLD\nnode 0 ROOT 0 0 0\nthread 1 0 main\nthread-field rank 1\n" \
	"exchange 6 2 1 3 5 50 700\n"

static char directory[600];

static void start_directory(const char *name)
{
	snprintf(directory, sizeof(directory), "%s", scratch(name));
	mkdir(directory, 0777);
}

static void add_file(const char *name, const char *text)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	assert_int_equal(write_profile_from_text(text, path), 0);
}

static void check_file(const struct heddle_file *file, const char *name, const char *shown, uint32_t ranks, uint64_t ns)
{
	assert_string_equal(file->name, name);
	assert_string_equal(file->shown, shown);
	assert_int_equal(file->ranks, ranks);
	assert_int_equal(heddle__file_ns(file), ns);
}

static void files_are_sums_of_ranks(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_load_options options = {.keep_threads = true};
	struct heddle_file_table table;
	start_directory("files");
	add_file("0.heddle", NAMES "exchange 1 0 7 0 1 0 10\nexchange 1 0 9 5 2 48 100\nexchange 1 0 11 5 2 48 50\n"
				   "exchange 1 0 8 0 1 0 20\nexchange 2 0 10 3 1 8 1\nexchange 3 0 13 0 1 0 3\n"
				   "exchange 4 0 10 3 1 8 5\nexchange 5 0 10 3 1 8 2\n");
	add_file("1.heddle", NAMES "exchange 1 0 7 0 1 0 10\nexchange 1 0 10 5 1 16 80\nexchange 1 0 12 5 1 16 90\n");
	assert_int_equal(profile_measurement_open(&measurement, directory, &options, NULL), 0);
	assert_int_equal(heddle__file_table_make(&table, &measurement), 0);
	assert_int_equal(table.count, 5);
	check_file(&table.files[0], "/a/x/out", "a/x/out", 2, 360);
	check_file(&table.files[1], "(other files)", "(other files)", 1, 5);
	check_file(&table.files[2], "/b/log", "log", 1, 3);
	check_file(&table.files[3], "/b/log/", "/b/log/", 1, 2);
	check_file(&table.files[4], "/b/x/out", "b/x/out", 1, 1);
	const struct heddle_file *first = &table.files[0];
	assert_int_equal(first->opens, 2);
	assert_int_equal(first->reads, 2);
	assert_int_equal(first->bytes_read, 48); /* counted once: what completes a read reports its bytes again */
	assert_int_equal(first->read_ns, 150);
	assert_int_equal(first->writes, 1);
	assert_int_equal(first->bytes_written, 16);
	assert_int_equal(first->write_ns, 170);
	assert_int_equal(first->open_ns, 40);
	assert_int_equal(first->slowest_ns, 170);
	assert_int_equal(heddle__file_bandwidth(first), (48 + 16) * 1000000000ull / 170);
	heddle__file_table_free(&table);
	profile_measurement_close(&measurement);
}

static void a_file_without_name_says_so(void **state)
{
	(void)state;
	struct profile_measurement measurement;
	struct profile_load_options options = {.keep_threads = true};
	struct heddle_file_table table;
	start_directory("no_name");
	add_file("0.heddle", "process program prog\nnode 0 ROOT 0 0 0\nthread 1 0 main\nthread-field rank 1\n"
			     "exchange 0 0 10 3 1 8 5\nexchange 0 0 10 3 1 8 5\n");
	assert_int_equal(profile_measurement_open(&measurement, directory, &options, NULL), 0);
	assert_int_equal(heddle__file_table_make(&table, &measurement), 0);
	assert_int_equal(table.count, 1);
	check_file(&table.files[0], "(no name)", "(no name)", 1, 10);
	heddle__file_table_free(&table);
	profile_measurement_close(&measurement);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_sums_of_ranks),
		cmocka_unit_test(a_file_without_name_says_so),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	remove_scratch();
	return failed;
}
