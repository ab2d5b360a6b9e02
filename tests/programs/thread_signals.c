/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thread_signals KIND: many short threads, one after the other, while signals of a timer arrive all the time, also when
 * threads begin and end; the handler calls functions. KIND is the interface that creates the threads: pthreads, c11,
 * openmp, clone; or last: pthreads, of which the last one runs the exit handler. Prints how often `counted` was called,
 * and the number of threads including main.
 */
#include "burn.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#define ROUNDS 150
#define AT_ONCE 3
#define MOST_IN_HANDLER 200 /* more than Heddle defers in one block */

static atomic_long calls, handled, created = 1;
static pthread_key_t key;

NOINLINE void counted(void)
{
	calls++;
}

NOINLINE void handler(int number)
{
	(void)number;
	long often = handled++ % 50 ? 1 : MOST_IN_HANDLER;
	for (long i = 0; i < often; i++)
		counted();
}

static void signals_arrive_every(long microseconds)
{
	struct itimerval timer = {{0, microseconds}, {0, microseconds}};
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void stop_signals(void)
{
	signals_arrive_every(0);
	signal(SIGALRM, SIG_IGN);
}

/* Called in each round of destructors, also after Heddle's last one. */
NOINLINE void destroy(void *value)
{
	counted();
	pthread_setspecific(key, value);
}

NOINLINE void work(void)
{
	pthread_setspecific(key, &key);
	for (int i = 0; i < 100; i++)
		counted();
}

static void *run(void *number)
{
	work();
	switch ((long)number % 3) {
	case 0:
		pthread_exit(number);
	case 1:
		pthread_cancel(pthread_self());
		pthread_testcancel();
	}
	return number;
}

static int run_c11(void *number)
{
	work();
	return number != NULL;
}

static void with_pthreads(long round)
{
	pthread_t threads[AT_ONCE];
	for (long i = 0; i < AT_ONCE; i++)
		pthread_create(&threads[i], NULL, run, (void *)(round + i));
	for (int i = 0; i < AT_ONCE; i++)
		pthread_join(threads[i], NULL);
	created += AT_ONCE;
}

static void with_c11(void)
{
	thrd_t threads[AT_ONCE];
	for (int i = 0; i < AT_ONCE; i++)
		thrd_create(&threads[i], run_c11, NULL);
	for (int i = 0; i < AT_ONCE; i++)
		thrd_join(threads[i], NULL);
	created += AT_ONCE;
}

NOINLINE void call_often(long often)
{
	for (long i = 0; i < often; i++)
		counted();
}

/* Workers wait in barriers and are idle in between; signals arrive meanwhile, too. */
static void with_openmp(void)
{
#pragma omp parallel num_threads(AT_ONCE)
	call_often(100);
	call_often(2000);
	created = AT_ONCE;
}

static int run_cloned(void *unused)
{
	(void)unused;
	call_often(100);
	return 0;
}

/* Threads that are unknown to the C library and use their creator's thread-local storage. */
static void with_clone(void)
{
	static _Alignas(64) char stacks[AT_ONCE][1 << 16];
	static _Atomic pid_t alive[AT_ONCE];
	int flags =
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
	for (int i = 0; i < AT_ONCE; i++) {
		alive[i] = INT_MAX;
		clone(run_cloned, stacks[i] + sizeof(stacks[i]), flags, NULL, NULL, NULL, &alive[i]);
	}
	for (int i = 0; i < AT_ONCE; i++) {
		while (alive[i])
			syscall(SYS_futex, &alive[i], FUTEX_WAIT, INT_MAX, NULL, NULL, 0);
	}
	created += AT_ONCE;
}

static void say(void)
{
	stop_signals();
	printf("%ld %ld\n", (long)calls, (long)created);
}

NOINLINE void at_exit(void)
{
	for (int i = 0; i < 100; i++)
		counted();
	say();
}

static void *end_last(void *unused)
{
	work();
	usleep(100000);
	return unused;
}

static void leave_last(void)
{
	pthread_t thread;
	atexit(at_exit);
	created++;
	pthread_create(&thread, NULL, end_last, NULL);
	pthread_detach(thread);
	pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "pthreads";
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	pthread_key_create(&key, destroy);
	sigaction(SIGALRM, &action, NULL);
	signals_arrive_every(200);
	for (long round = 0; round < ROUNDS; round++) {
		if (!strcmp(kind, "openmp"))
			with_openmp();
		else if (!strcmp(kind, "c11"))
			with_c11();
		else if (!strcmp(kind, "clone"))
			with_clone();
		else
			with_pthreads(round);
	}
	if (!strcmp(kind, "last"))
		leave_last();
	say();
	return 0;
}
