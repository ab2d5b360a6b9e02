/* SPDX-License-Identifier: BSD-3-Clause */
/* For packaging/cross-cases: a signal handler that computes on an alternate stack. */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")
#define STACK 65536

static volatile double sink;

static NOINLINE double leaf(clock_t length)
{
	double x = 1;
	for (clock_t begin = clock(); clock() - begin < length;) {
		for (long i = 0; i < 100000; i++)
			x = x * 1.0000001 + 1e-9;
	}
	return x;
}

static void handler(int signal)
{
	(void)signal;
	sink = leaf(CLOCKS_PER_SEC / 2);
	STAY;
}

static NOINLINE void work(void)
{
	raise(SIGUSR1);
	STAY;
}

int main(void)
{
	stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	if (!stack.ss_sp || sigaltstack(&stack, NULL) || sigaction(SIGUSR1, &action, NULL))
		return 1;
	work();
	free(stack.ss_sp);
	return 0;
}
