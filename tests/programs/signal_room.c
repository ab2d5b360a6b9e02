/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A user whose queue of signals is full: `signal_room fill N COMMAND...` queues N blocked signals and runs COMMAND with
 * a limit of half as many pending signals. The other ways burn CPU time and print how many SIGIO arrived: `default`,
 * `handles` and `ignores` (their action for SIGIO), `forks`, `executes`, `threads` (32, in a deep recursion).
 */
#include "burn.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 32
#define DEPTH 400

static volatile sig_atomic_t seen;

static void count(int number)
{
	(void)number;
	seen = seen + 1;
}

static NOINLINE void burn_here(void)
{
	burn_ms(60);
}

static NOINLINE int burn_deep(int depth)
{
	if (depth == 0)
		return (int)burn_ms(20);
	return burn_deep(depth - 1) + 1;
}

static void *run_thread(void *unused)
{
	burn_deep(DEPTH);
	return unused;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run_thread, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static int fill(int argc, char **argv)
{
	int number = argc > 2 ? atoi(argv[2]) : 0, queued = 0, status;
	sigset_t set;
	struct rlimit limit = {(rlim_t)number / 2, (rlim_t)number / 2};
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &set, NULL);
	while (queued < number && sigqueue(getpid(), SIGRTMIN + 3, (union sigval){0}) == 0)
		queued++; /* fewer if other processes of the user have filled it */
	pid_t child = fork();
	if (child == 0) {
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		setrlimit(RLIMIT_SIGPENDING, &limit);
		execvp(argv[3], argv + 3);
		_exit(99);
	}
	waitpid(child, &status, 0);
	if (WIFSIGNALED(status))
		raise(WTERMSIG(status));
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "default";
	char *again[] = {argv[0], "default", NULL};
	int status = 0;
	if (strcmp(way, "fill") == 0)
		return fill(argc, argv);
	if (strcmp(way, "handles") == 0)
		signal(SIGIO, count);
	if (strcmp(way, "ignores") == 0)
		signal(SIGIO, SIG_IGN);
	if (strcmp(way, "forks") == 0 && fork() == 0) {
		burn_here();
		_exit(seen);
	}
	if (strcmp(way, "threads") == 0)
		run_threads();
	else
		burn_here();
	if (strcmp(way, "forks") == 0)
		wait(&status);
	if (strcmp(way, "executes") == 0)
		execv(argv[0], again);
	printf("%s: %d SIGIO, status %d\n", way, (int)seen, status);
	return 0;
}
