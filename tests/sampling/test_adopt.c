/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads found in a list of the kernel's, which is a moment old: living ones keep their contexts, dead ones lose them.
 */
#include "tests/support/unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "core/process.h"
#include "sampling/adopt.h"

static char directory[] = "/tmp/heddle-adopt-XXXXXX";
static pthread_barrier_t barrier;

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(directory), 1);
	bool started = heddle__start();
	rmdir(directory); /* nothing is written */
	pthread_barrier_init(&barrier, NULL, 2);
	return started ? 0 : -1;
}

static void *wait_twice(void *tid)
{
	*(pid_t *)tid = gettid();
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return NULL;
}

/* The kernel may know a thread for a moment after it was joined. */
static void join(pthread_t thread, pid_t tid)
{
	pthread_join(thread, NULL);
	while (!tgkill(getpid(), tid, 0))
		sched_yield();
}

/* A context as the keeper makes one; no timer is armed. */
static struct heddle_thread *adopted(pid_t tid)
{
	static struct heddle_sampler_thread sampler;
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_OTHER);
	thread->frontend[heddle__sampler_index] = &sampler;
	heddle__thread_belongs_to(thread, tid);
	return thread;
}

static void a_thread_that_began_after_the_list_keeps_its_context(void **state)
{
	pthread_t thread;
	pid_t tid = 0, self = gettid();
	(void)state;
	pthread_create(&thread, NULL, wait_twice, &tid);
	pthread_barrier_wait(&barrier);
	struct heddle_thread *context = adopted(tid);
	heddle__adopt_listed(&self, 1, true);
	int life_meanwhile = context->life;
	pthread_barrier_wait(&barrier);
	join(thread, tid);
	assert_int_equal(life_meanwhile, HEDDLE_LIFE_ACTIVE);
	heddle__adopt_listed(&self, 1, false);
	assert_int_equal(context->life, HEDDLE_LIFE_ACTIVE);
	heddle__adopt_listed(&self, 1, true);
	assert_int_equal(context->life, HEDDLE_LIFE_ENDED);
}

/* It carries the kernel id of the thread that had it before, which is dead. */
static void a_context_taken_over_is_not_lost_before_its_thread_begins(void **state)
{
	pid_t self = gettid();
	pthread_t thread;
	pid_t tid = 0;
	(void)state;
	pthread_create(&thread, NULL, wait_twice, &tid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	join(thread, tid);
	struct heddle_thread *context = adopted(tid);
	heddle__thread_release(context);
	assert_ptr_equal(heddle__thread_acquire(0, HEDDLE_THREAD_OTHER), context);
	heddle__adopt_listed(&self, 1, true);
	assert_int_equal(context->life, HEDDLE_LIFE_ACQUIRED);
	assert_null(heddle__thread_of(tid));
	heddle__thread_release(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_began_after_the_list_keeps_its_context),
		cmocka_unit_test(a_context_taken_over_is_not_lost_before_its_thread_begins),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
