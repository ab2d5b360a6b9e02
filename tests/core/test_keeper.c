/* SPDX-License-Identifier: BSD-3-Clause */
/* The keeper stops and starts on request; a single thread does its work while it is stopped. */
#include "tests/support/unit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/modules/module.h"
#include "core/modules/module_provisional.h"
#include "core/modules/module_ranges.h"
#include "core/process/keeper.h"
#include "core/process/process.h"
#include "core/threads/control.h"
#include "core/threads/thread.h"

static char directory[] = "/tmp/heddle-keeper-XXXXXX";
static pthread_barrier_t barrier;

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(directory), 1);
	setenv("HEDDLE_FLUSH_SECONDS", "86400", 1);
	bool started = heddle__start();
	rmdir(directory); /* no profile is written */
	return started ? 0 : -1;
}

static int threads(void)
{
	struct stat about;
	return stat("/proc/self/task", &about) ? -1 : (int)about.st_nlink - 2;
}

static void it_leaves_and_returns(void **state)
{
	struct heddle_alone alone, inner;
	(void)state;
	heddle__keeper_start();
	assert_int_equal(threads(), 2);
	heddle__keeper_leave(&alone);
	assert_int_equal(threads(), 1);
	heddle__keeper_start(); /* as the creation of another thread does */
	assert_int_equal(threads(), 1);
	heddle__keeper_leave(&inner);
	heddle__keeper_return(&inner);
	assert_int_equal(threads(), 1);
	heddle__keeper_return(&alone);
	assert_int_equal(threads(), 2);
}

static void it_does_not_return_in_a_handler(void **state)
{
	struct heddle_alone alone;
	sigset_t set, before;
	(void)state;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	heddle__keeper_leave(&alone);
	heddle__keeper_return(&alone);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	while (threads() > 1) /* a handler does not wait for the keeper's end; a keeper that returned would stay */
		usleep(100);
	heddle__keeper_start();
	assert_int_equal(threads(), 2);
}

static void *wait_twice(void *unused)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return unused;
}

/* Loads a library. Returns true if a sample at `pc` makes it known. */
static bool learns_at(uintptr_t pc, const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	assert_non_null(library);
	uintptr_t code = (uintptr_t)dlsym(library, "variant");
	assert_true(heddle__module_find(code)->id >= HEDDLE_FIRST_PROVISIONAL);
	heddle__keeper_stand_in(heddle__thread_self(), pc);
	bool known = heddle__module_find(code)->id < HEDDLE_FIRST_PROVISIONAL;
	dlclose(library);
	return known;
}

static void a_lone_thread_learns_of_modules(void **state)
{
	pthread_t thread;
	uintptr_t here = (uintptr_t)&set_up;
	(void)state;
	heddle__keeper_give_way();
	assert_int_equal(threads(), 1);
	assert_false(learns_at((uintptr_t)dlsym(RTLD_DEFAULT, "malloc_usable_size"), LIBRARY_A)); /* may hold a lock */
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, wait_twice, NULL);
	pthread_barrier_wait(&barrier);
	assert_false(learns_at(here, LIBRARY_A)); /* the other thread may hold a lock */
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	while (threads() > 1)
		usleep(100);
	assert_true(learns_at(here, LIBRARY_A));
	assert_true(learns_at(here, LIBRARY_B));
}

static void it_gives_way_for_good(void **state)
{
	(void)state;
	heddle__keeper_start();
	assert_int_equal(threads(), 1);
	assert_false(heddle__keeper_give_way());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_leaves_and_returns),
		cmocka_unit_test(it_does_not_return_in_a_handler),
		cmocka_unit_test(a_lone_thread_learns_of_modules),
		cmocka_unit_test(it_gives_way_for_good),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
