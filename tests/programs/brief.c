/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * brief: calls functions that take 100 ns, 50 of them within one call of another function, and some that take 1 us,
 * from several places and from a recursion: in two threads, one after the other, and in a child process, which does
 * part of it. Prints the calls of each function.
 */
#include "burn.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

#define PLAIN __attribute__((no_instrument_function))

static volatile int sink;

PLAIN static void take(uint64_t ns)
{
	if (simulated())
		simulated_burn(ns);
	sink++;
}

NOINLINE void leaf(void)
{
	take(50);
}

static inline __attribute__((always_inline)) void put_inline(void)
{
	sink++;
}

NOINLINE void tiny(void)
{
	take(50);
	put_inline();
	leaf();
}

NOINLINE void slow(void)
{
	take(950);
	tiny();
	take(50);
}

NOINLINE void down(int n)
{
	take(10);
	if (n > 1)
		down(n - 1);
	take(10);
	sink++;
}

NOINLINE void work(int n)
{
	for (int i = 0; i < n; i++)
		tiny();
}

NOINLINE void other(int n)
{
	for (int i = 0; i < n; i++)
		slow();
	for (int i = 0; i < n / 40; i++)
		down(40);
}

NOINLINE void *both(void *n)
{
	work(*(int *)n);
	other(*(int *)n);
	return n;
}

int main(void)
{
	int n = 3000;
	both(&n);
	for (int i = 0; i < 2; i++) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, both, &n) == 0)
			pthread_join(thread, NULL);
	}
	pid_t child = fork();
	if (child == 0) {
		work(100);
		exit(0);
	}
	waitpid(child, NULL, 0);
	printf("tiny 18000\nslow 9000\nleaf 18000\nput_inline 18000\ndown 9000\nwork 3\nother 3\n");
	return 0;
}
