/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * last_thread MILLISECONDS: main ends by pthread_exit. The thread that ends last runs the exit handler, which prints
 * its thread and signal mask, and uses two megabytes of stack.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MUCH (2 << 20)

static pid_t worker;

static void *work(void *milliseconds)
{
	worker = gettid();
	usleep((useconds_t)atoi(milliseconds) * 1000);
	return NULL;
}

static void use_stack(void)
{
	volatile char memory[MUCH];
	for (size_t i = 0; i < sizeof(memory); i += 4096)
		memory[i] = 1;
}

static void at_exit(void)
{
	sigset_t mask;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	printf("in the %s, SIGTERM is %s\n", gettid() == worker ? "worker" : "wrong thread",
		sigismember(&mask, SIGTERM) ? "blocked" : "free");
	use_stack();
	puts("ended");
}

int main(int argc, char **argv)
{
	pthread_t thread;
	atexit(at_exit);
	pthread_create(&thread, NULL, work, argc > 1 ? argv[1] : "500");
	pthread_detach(thread);
	pthread_exit(NULL);
}
