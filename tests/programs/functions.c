/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * functions WAY: makes a known number of calls, which end in every possible way. The last parts of the paths in
 * functions.sh say how often each function is called.
 */
#include "burn.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static jmp_buf back;
static _Atomic long sink;

NOINLINE void leaf(void)
{
	sink++;
}

NOINLINE void branch(int leaves)
{
	for (int i = 0; i < leaves; i++)
		leaf();
	sink++;
}

int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

NOINLINE int deep(int n)
{
	return n ? 1 + deep(n - 1) : 0;
}

static inline __attribute__((always_inline)) void inner(void)
{
	leaf();
}

static inline __attribute__((always_inline)) void outer(void)
{
	inner();
	inner();
}

NOINLINE void calls_inlined(void)
{
	outer();
	outer();
	leaf();
}

NOINLINE void jumps(int n)
{
	leaf();
	if (sink < 0) /* never true: compilers warn of functions that do not return */
		return;
	if (!n)
		longjmp(back, 1);
	jumps(n - 1);
}

NOINLINE void jumps_often(void)
{
	for (volatile int i = 0; i < 1000; i++) {
		if (!setjmp(back))
			jumps(3);
	}
	leaf();
}

NOINLINE void tail(void)
{
	leaf();
}
NOINLINE void calls_in_tail_position(void)
{
	tail();
}

NOINLINE void ends_thread(void)
{
	leaf();
	pthread_exit(NULL);
}

NOINLINE void *thread(void *unused)
{
	branch(10);
	ends_thread();
	return unused;
}

NOINLINE void handler(int number)
{
	(void)number;
	leaf();
}

NOINLINE void raises(void)
{
	raise(SIGUSR1);
	leaf();
}

NOINLINE void ends(void)
{
	leaf();
	exit(3);
}

NOINLINE void at_end(void)
{
	leaf();
}

__attribute__((constructor)) NOINLINE static void early(void)
{
	leaf();
}

static void take_signals(int flags)
{
	static char stack[65536];
	stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, NULL);
}

NOINLINE void run_threads(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	atexit(at_end);
	for (int i = 0; i < 3; i++)
		branch(5);
	fib(10);
	deep(400);
	calls_inlined();
	jumps_often();
	for (int i = 0; i < 7; i++)
		calls_in_tail_position();
	run_threads();
	take_signals(0);
	raises();
	take_signals(SA_ONSTACK);
	raises();
	printf("%ld\n", sink);
	fflush(stdout);
	ends();
}
