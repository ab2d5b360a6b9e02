/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many events on several threads: trace_events THREADS EVENTS [END]. Each thread begins and ends phases, EVENTS in all.
 * END: exit (the default), _exit, abort, kill (SIGKILL to itself), wait (prints a word and waits until it is killed),
 * exec (one that fails, then one that succeeds), fork (the child does the same as the parent), user, raw_user,
 * effective_user (continues as another user, by setuid, the bare system call or seteuid), alone (repeats a call that
 * needs a single-threaded process meanwhile).
 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS_MOST 64
#define USER 65534

static long events;

static void *work(void *unused)
{
	for (long i = 0; i < events; i += 8) {
		heddle_phase_begin("outer");
		for (int k = 0; k < 3; k++) {
			heddle_phase_begin("inner");
			heddle_phase_end("inner");
		}
		heddle_phase_end("outer");
	}
	return unused;
}

static void work_in(int threads)
{
	pthread_t others[THREADS_MOST];
	for (int i = 1; i < threads; i++)
		pthread_create(&others[i], NULL, work, NULL);
	work(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
}

static void *be_alone(void *unused)
{
	for (int i = 0; i < 20; i++) {
		prctl(PR_SET_KEEPCAPS, 0);
		usleep(10000);
	}
	return unused;
}

static void end(const char *how, char **argv)
{
	pid_t child;
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "wait") == 0) {
		puts("waits");
		fflush(stdout);
		pause();
	}
	if (strcmp(how, "exec") == 0) {
		execl("/nowhere/nothing", "nothing", NULL);
		work(NULL);
		execl("/bin/true", "true", NULL);
	}
	if (strcmp(how, "user") == 0 || strcmp(how, "raw_user") == 0 || strcmp(how, "effective_user") == 0) {
		long failed = *how == 'u' ? setuid(USER) : *how == 'e' ? seteuid(USER) : syscall(SYS_setuid, USER);
		if (failed)
			_exit(3);
		work_in(atoi(argv[1]));
	}
	if (strcmp(how, "fork") == 0) {
		child = fork();
		work_in(atoi(argv[1]));
		if (child > 0)
			waitpid(child, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[3] : "exit";
	pthread_t other;
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	if (argc < 3 || threads < 1 || threads > THREADS_MOST) {
		fputs("usage: trace_events THREADS EVENTS [END]\n", stderr);
		return 2;
	}
	events = atol(argv[2]);
	bool alone = strcmp(how, "alone") == 0;
	if (alone)
		pthread_create(&other, NULL, be_alone, NULL);
	work_in(threads);
	if (alone)
		pthread_join(other, NULL);
	printf("%d threads, %ld events each\n", threads, events);
	fflush(stdout);
	end(how, argv);
	return 0;
}
