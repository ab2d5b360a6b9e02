/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spawns HOW MS [COUNT]: uses the processor for MS ms. HOW: here; fork (in COUNT children, one after the other); clear
 * (in a child with an empty environment); spawn (in such a child, created by posix_spawn); orphan (in a child that
 * outlives its parent, which does not wait for it); yield (beside COUNT threads that yield the processor until the
 * process ends, as the threads of an OpenMP runtime do after the last region).
 */
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void use(long ms)
{
	struct timespec used;
	do {
		for (int i = 0; i < 50000; i++)
			__asm__ volatile("");
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	} while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms);
}

static void *yield(void *argument)
{
	(void)argument;
	for (;;)
		sched_yield();
	return NULL;
}

static void beside_threads(int count, long ms)
{
	pthread_t thread;
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, NULL, yield, NULL) != 0)
			exit(2);
	use(ms);
}

static void in_child(const char *how, char **argv)
{
	char *environment[] = {NULL}, *arguments[] = {argv[0], "here", argv[2], NULL};
	pid_t child;
	if (strcmp(how, "spawn") == 0) {
		if (posix_spawn(&child, argv[0], NULL, NULL, arguments, environment))
			exit(2);
	} else {
		child = fork();
		if (child == 0 && strcmp(how, "clear") == 0) {
			execve(argv[0], arguments, environment);
			_exit(2);
		} else if (child == 0) {
			use(atol(argv[2]));
			exit(0);
		}
	}
	if (strcmp(how, "orphan") != 0)
		waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 1;
	if (strcmp(argv[1], "here") == 0)
		use(atol(argv[2]));
	else if (strcmp(argv[1], "yield") == 0)
		beside_threads(argc > 3 ? atoi(argv[3]) : 1, atol(argv[2]));
	else
		for (int i = argc > 3 ? atoi(argv[3]) : 1; i > 0; i--)
			in_child(argv[1], argv);
	return 0;
}
