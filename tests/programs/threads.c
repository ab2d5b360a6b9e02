/* SPDX-License-Identifier: BSD-3-Clause */
/* threads WAY: creates, cancels, detaches and ends pthreads in every way; each way prints what it observed. */
#include "burn.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static _Atomic int cleaned, finished, rounds;

static NOINLINE void burn_in_thread(double ms)
{
	burn_ms(ms);
}

static void count_cleanup(void *unused)
{
	(void)unused;
	atomic_fetch_add(&cleaned, 1);
}

static void *cancel_me(void *asynchronous)
{
	int old;
	pthread_cleanup_push(count_cleanup, NULL);
	if (asynchronous)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	for (;;) {
		if (asynchronous)
			__asm__ volatile(""); /* on any processor: nothing that the compiler removes */
		else
			burn_in_thread(0.2);
		atomic_fetch_add(&rounds, 1);
		pthread_testcancel();
	}
	pthread_cleanup_pop(0);
	return NULL;
}

/* Cancels 20 threads while they burn, half of them at any instruction. */
static void cancel(void)
{
	int cancelled = 0;
	for (int i = 0; i < 20; i++) {
		pthread_t thread;
		void *result;
		atomic_store(&rounds, 0);
		pthread_create(&thread, NULL, cancel_me, i % 2 ? &cleaned : NULL);
		while (atomic_load(&rounds) < 20) /* 4 ms of CPU time if it burns */
			usleep(1000);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		cancelled += result == PTHREAD_CANCELED;
	}
	printf("%d cancelled, %d cleaned up\n", cancelled, atomic_load(&cleaned));
}

static void *burn_and_finish(void *unused)
{
	burn_in_thread(10);
	atomic_fetch_add(&finished, 1);
	return unused;
}

static void detach(void)
{
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 20; i++) {
		pthread_t thread;
		pthread_create(&thread, i % 2 ? &attributes : NULL, burn_and_finish, NULL);
		if (i % 2 == 0)
			pthread_detach(thread);
	}
	while (atomic_load(&finished) < 20)
		usleep(1000);
	printf("%d detached threads finished\n", atomic_load(&finished));
}

static void *return_argument(void *argument)
{
	burn_in_thread(1);
	if ((uintptr_t)argument % 3 == 0)
		pthread_exit(argument);
	return argument;
}

/* Starts and ends 400 threads, 200 a second, and checks how much memory they leave allocated. */
static void churn(void)
{
	int right = 0;
	long before = 0;
	for (int i = 0; i < 400; i++) {
		pthread_t thread;
		void *result;
		if (i == 20)
			before = status_kb("VmRSS:");
		pthread_create(&thread, NULL, return_argument, (void *)(uintptr_t)i);
		usleep(4000);
		pthread_join(thread, &result);
		right += result == (void *)(uintptr_t)i;
	}
	long grown = status_kb("VmRSS:") - before;
	printf("%d results right, memory %s\n", right, grown < 8192 ? "bounded" : "grows");
	fprintf(stderr, "VmRSS grew by %ld kB\n", grown);
}

/* Runs 64 threads at once, each with the smallest stack. */
static void small_stack(void)
{
	pthread_t thread[64];
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN + 4096);
	int created = 0;
	for (int i = 0; i < 64; i++)
		created += pthread_create(&thread[i], &attributes, burn_and_finish, NULL) == 0;
	for (int i = 0; i < created; i++)
		pthread_join(thread[i], NULL);
	printf("%d of 64 threads on small stacks finished\n", atomic_load(&finished));
}

/* Destructors of thread-specific data run, and may burn and print. */
static pthread_key_t key;

static void destroy(void *value)
{
	burn_in_thread(5);
	printf("destructor of %s\n", (const char *)value);
}

static void *set_key(void *value)
{
	pthread_setspecific(key, value);
	return NULL;
}

static void destructors(void)
{
	static char one[] = "one", two[] = "two";
	char *values[] = {one, two};
	pthread_key_create(&key, destroy);
	for (int i = 0; i < 2; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, set_key, values[i]);
		pthread_join(thread, NULL);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{"cancel", cancel},
	{"detach", detach},
	{"churn", churn},
	{"small_stack", small_stack},
	{"destructors", destructors},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(argv[1], ways[i].name) == 0) {
			ways[i].run();
			return 0;
		}
	}
	return 98;
}
