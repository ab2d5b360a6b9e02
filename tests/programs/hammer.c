/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hammer THREADS ROUNDS [fork|signal|pause]: threads allocate blocks and free each other's blocks, all of them at the
 * end. Meanwhile, with a third argument: children are forked that allocate, too; or signals interrupt the threads in
 * calls of the malloc family, with a handler that allocates; or measurement is switched off and on.
 */
#include "burn.h"
#ifdef SIGNAL_SAFE_MALLOC
#include "signal_safe_malloc.h"
#else
static const int in_allocator = 0;
#endif

#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHARED = 512, INTERRUPTED = 1000 };

static void *_Atomic shared[SHARED];
static int rounds;
static _Atomic bool goes_on;
static _Thread_local volatile sig_atomic_t in_call;
static _Atomic int interrupted_calls, interrupted_wrappers;

static void *hammer(void *seed)
{
	unsigned int random = (unsigned int)(size_t)seed * 2654435761u + 1;
	for (int i = 0; i < rounds || atomic_load(&goes_on); i++) {
		random = random * 1664525u + 1013904223u;
		size_t size = random >> 20;
		in_call = 1;
		void *block = random & 1024 ? malloc(size) : calloc(1, size);
		block = atomic_exchange(&shared[random >> 8 & (SHARED - 1)], block);
		if (random & 2048)
			block = realloc(block, size / 2 + 1);
		free(block);
		in_call = 0;
	}
	return NULL;
}

static void fork_child(void)
{
	pid_t child = fork();
	if (child == 0) {
		void *block = malloc(12345);
		free(malloc(100));
		_exit(block == NULL);
	}
	int status = 1;
	if (waitpid(child, &status, 0) != child || status != 0)
		abort();
}

/* The allocator may be interrupted; what is interrupted around it is a wrapper. */
static void handler(int number)
{
	(void)number;
	atomic_fetch_add(&interrupted_calls, in_call);
	atomic_fetch_add(&interrupted_wrappers, in_call && !in_allocator);
	free(malloc(7777));
}

/* Sends signals until enough have interrupted a call; while measured, also a wrapper. */
static void send_signals(const pthread_t *threads, int count)
{
	bool measured = heddle_version() != NULL;
	for (int i = 0; atomic_load(measured ? &interrupted_wrappers : &interrupted_calls) < INTERRUPTED; i++)
		pthread_kill(threads[i % count], SIGUSR1);
	atomic_store(&goes_on, false);
}

static void disturb(const char *how)
{
	for (int i = 0; i < 30; i++) {
		if (strcmp(how, "fork") == 0)
			fork_child();
		if (strcmp(how, "pause") == 0)
			i & 1 ? heddle_start() : heddle_stop();
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	int count = argc > 1 ? atoi(argv[1]) : 8;
	rounds = argc > 2 ? atoi(argv[2]) : 10000;
	signal(SIGUSR1, handler);
	bool signals = argc > 3 && strcmp(argv[3], "signal") == 0;
	atomic_store(&goes_on, signals);
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, hammer, (void *)(size_t)i);
	if (signals)
		send_signals(threads, count);
	else if (argc > 3)
		disturb(argv[3]);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < SHARED; i++)
		free(shared[i]);
	puts("done");
	return 0;
}
