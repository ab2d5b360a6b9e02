/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads flush, call exec and end the process, all at once: the last file is that of the end, and complete. */
#include "tests/support/unit.h"

#include <dirent.h>
#include <limits.h>

#include "core/process/process.h"
#include "tests/core/read_back.h"

static char directory[] = "/tmp/heddle-flush-XXXXXX";
static _Atomic bool stop;

/* Links Heddle's wrappers of thread creation, even if a sanitizer has a pthread_create of its own. */
__attribute__((used)) static int (*const with_wrappers)(thrd_t *, thrd_start_t, void *) = thrd_create;

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(directory), 1);
	return heddle__start() ? 0 : -1;
}

static void *flush_often(void *unused)
{
	while (!atomic_load(&stop)) {
		heddle__flush();
		usleep(500);
	}
	return unused;
}

static void *exec_in_vain(void *unused)
{
	while (!atomic_load(&stop)) {
		heddle__before_exec();
		heddle__after_failed_exec();
		usleep(500);
	}
	return unused;
}

/* Finds the only file in the directory; fails if there are others, such as an incomplete file. */
static void find_file(char *path, size_t size)
{
	int count = 0;
	DIR *entries = opendir(directory);
	for (struct dirent *entry; (entry = readdir(entries));) {
		if (entry->d_name[0] != '.')
			snprintf(path, size, "%s/%s", directory, entry->d_name);
		count++;
	}
	closedir(entries);
	assert_int_equal(count, 3);
}

static void the_end_writes_the_last_file(void **state)
{
	(void)state;
	char path[PATH_MAX];
	pthread_t threads[4];
	int error;
	if (UNDER_TSAN)
		skip(); /* by design, values are read while their threads change them; a count may come later */
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, i & 1 ? exec_in_vain : flush_often, NULL), 0);
	usleep(300000);
	assert_int_equal(atomic_load(&heddle__thread_self()->inside), 0);
	heddle__finish("exit");
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_OFF);
	usleep(20000);
	atomic_store(&stop, true);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_OFF);
	find_file(path, sizeof(path));
	struct read_back *back = read_back_open(path, &error);
	assert_int_equal(error, 0);
	assert_string_equal(read_back_ended_by(back), "exit");
	assert_true(read_back_threads(back) >= 5);
	read_back_close(back);
	unlink(path);
	assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_end_writes_the_last_file)};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
