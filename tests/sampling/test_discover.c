/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads found in the kernel's list, which may be outdated: live ones keep their contexts, ended ones lose them. */
#include "tests/support/unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/process/process.h"
#include "core/process/thread_life.h"
#include "sampling/discover.h"

static char directory[] = "/tmp/heddle-discover-XXXXXX";
static pthread_barrier_t barrier;

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(directory), 1);
	bool started = heddle__start();
	rmdir(directory); /* no profile is written */
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

/* The kernel may list a thread for a moment after it was joined. */
static void join(pthread_t thread, pid_t tid)
{
	pthread_join(thread, NULL);
	while (!tgkill(getpid(), tid, 0))
		sched_yield();
}

/* A context like those that the keeper makes, without a timer. */
static struct heddle_thread *discovered(pid_t tid)
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
	struct heddle_thread *context = discovered(tid);
	heddle__discover_listed(&self, 1, true);
	int life_meanwhile = context->life;
	pthread_barrier_wait(&barrier);
	join(thread, tid);
	assert_int_equal(life_meanwhile, HEDDLE_LIFE_ACTIVE);
	heddle__discover_listed(&self, 1, false);
	assert_int_equal(context->life, HEDDLE_LIFE_ACTIVE);
	heddle__discover_listed(&self, 1, true);
	assert_int_equal(context->life, HEDDLE_LIFE_ENDED);
}

/* The context has the kernel's number of its former thread, which has ended. */
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
	struct heddle_thread *context = discovered(tid);
	heddle__thread_release(context);
	assert_ptr_equal(heddle__thread_acquire(0, HEDDLE_THREAD_OTHER), context);
	heddle__discover_listed(&self, 1, true);
	assert_int_equal(context->life, HEDDLE_LIFE_ACQUIRED);
	assert_null(heddle__thread_of(tid));
	heddle__thread_release(context);
}

static int end_of_a_child_that_gets(int number, siginfo_t *info)
{
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		struct rlimit no_core = {0, 0};
		ucontext_t context = {0};
		setrlimit(RLIMIT_CORE, &no_core);
		heddle__on_sample(number, info, &context);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status & 0x7f;
}

/*
 * A thread may have another context than the one for which its timer was armed. A signal of that timer is a lost
 * sample, not a signal for the program, which would be ended by the default action.
 */
static void a_signal_of_another_context_s_timer_is_not_the_program_s(void **state)
{
	static struct heddle_sampler_thread own;
	(void)state;
	struct heddle_thread *self = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	struct heddle_thread *other = discovered(gettid() + 1);
	siginfo_t timer = {.si_signo = SIGPROF, .si_code = SI_TIMER}, trap = {.si_signo = SIGTRAP, .si_code = 6};
	uint64_t mark = (uintptr_t)&heddle__sampler_of(other)->timer;
	timer.si_value.sival_ptr = &heddle__sampler_of(other)->timer;
	memcpy(&trap.si_addr_lsb, &mark, sizeof(mark)); /* TRAP_PERF's data */
	self->frontend[heddle__sampler_index] = &own;
	assert_int_equal(end_of_a_child_that_gets(SIGPROF, &timer), 0);
	heddle__source_perf_traps = true;
	assert_int_equal(end_of_a_child_that_gets(SIGTRAP, &trap), 0);
	heddle__source_perf_traps = false;
	trap.si_code = SI_USER; /* this one belongs to the program */
	trap.si_pid = getpid();
	assert_int_equal(end_of_a_child_that_gets(SIGTRAP, &trap), SIGTRAP);
	self->frontend[heddle__sampler_index] = NULL;
	heddle__thread_release(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_began_after_the_list_keeps_its_context),
		cmocka_unit_test(a_context_taken_over_is_not_lost_before_its_thread_begins),
		cmocka_unit_test(a_signal_of_another_context_s_timer_is_not_the_program_s),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
