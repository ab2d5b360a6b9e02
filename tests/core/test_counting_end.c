/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts up to the end of measurement are in the profile, however late it is written. */
#include "tests/support/unit.h"

#include <dirent.h>
#include <limits.h>
#include <sys/mman.h>

#include "core/counters/counting.h"
#include "core/process/keeper.h"
#include "core/process/process.h"
#include "tests/core/read_back.h"

#define PAGES 300u

static char directory[] = "/tmp/heddle-counting-XXXXXX";

void __real_heddle__keeper_stop(void);
void __wrap_heddle__keeper_stop(void);

/* Delays the end after the clock has stopped: on a busy machine, other threads run before the counters are read. */
void __wrap_heddle__keeper_stop(void)
{
	usleep(200000);
	__real_heddle__keeper_stop();
}

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_METRICS", "page-faults", 1);
	setenv("HEDDLE_OUTPUT", mkdtemp(directory), 1);
	return heddle__start() ? 0 : -1;
}

static void touch(size_t pages)
{
	size_t size = pages * 4096;
	volatile char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(block, MAP_FAILED);
	madvise((void *)block, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		block[i * 4096] = 1;
	munmap((void *)block, size);
}

static void find_file(char *path, size_t size)
{
	DIR *entries = opendir(directory);
	for (struct dirent *entry; (entry = readdir(entries));)
		if (entry->d_name[0] != '.')
			snprintf(path, size, "%s/%s", directory, entry->d_name);
	closedir(entries);
}

static void counts_before_a_late_write_are_there(void **state)
{
	char path[PATH_MAX] = "";
	uint64_t sum = 0;
	int error;
	(void)state;
	touch(PAGES);
	heddle__finish("exit");
	find_file(path, sizeof(path));
	struct read_back *back = read_back_open(path, &error);
	assert_int_equal(error, 0);
	for (uint32_t node = 0; node < read_back_nodes(back); node++) /* the reader numbers counters last */
		sum += read_back_value(back, 0, HEDDLE_METRIC_COUNT, node);
	read_back_close(back);
	assert_in_range(sum, PAGES - 4, 10 * PAGES);
	unlink(path);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(counts_before_a_late_write_are_there)};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
