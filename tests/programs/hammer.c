/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hammer THREADS ROUNDS [fork|signal|pause]: threads allocate blocks and free each other's blocks, all of them at the
 * end. Meanwhile, with a third argument: children are forked that allocate, too; or a signal's handler allocates; or
 * measurement is switched off and on.
 */
#include "burn.h"

#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHARED = 512 };

static void *_Atomic shared[SHARED];
static int rounds;
static volatile sig_atomic_t handled;

static void *hammer(void *seed)
{
	unsigned int random = (unsigned int)(size_t)seed * 2654435761u + 1;
	for (int i = 0; i < rounds; i++) {
		random = random * 1664525u + 1013904223u;
		size_t size = random >> 20;
		void *block = random & 1024 ? malloc(size) : calloc(1, size);
		block = atomic_exchange(&shared[random >> 8 & (SHARED - 1)], block);
		if (random & 2048)
			block = realloc(block, size / 2 + 1);
		free(block);
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

/* POSIX does not allow malloc in a handler. It is safe here: main, which raises the signal, allocates nothing else. */
static void handler(int number)
{
	(void)number;
	handled = handled + 1;
	free(malloc(77));
}

static void disturb(const char *how)
{
	for (int i = 0; i < 30; i++) {
		if (strcmp(how, "fork") == 0)
			fork_child();
		if (strcmp(how, "signal") == 0)
			raise(SIGUSR1);
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
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, hammer, (void *)(size_t)i);
	if (argc > 3)
		disturb(argv[3]);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < SHARED; i++)
		free(shared[i]);
	puts("done");
	return 0;
}
