/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec_mask WAY: blocks all signals, then executes itself in the given way, as `exec_mask show`, which prints the
 * signals that are not blocked in the executed program.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF "/proc/self/exe"

extern char **environ;

static char *const show_words[] = {"exec_mask", "show", NULL};
static char command[4200];

static void show(void)
{
	sigset_t mask;
	sigprocmask(SIG_BLOCK, NULL, &mask);
	for (int number = 1; number <= SIGRTMAX; number++) {
		if (sigismember(&mask, number) == 0)
			printf("%d ", number);
	}
	puts("are not blocked");
	fflush(stdout);
}

static void wait_for(pid_t child)
{
	int status = 0;
	waitpid(child, &status, 0);
	printf("status %d\n", status);
}

static void with_fork(void)
{
	pid_t child = fork();
	if (child == 0) {
		execv(SELF, show_words);
		_exit(1);
	}
	wait_for(child);
}

/* The child's mask is separate from the parent's as soon as it changes it. */
static void with_vfork(int how)
{
	sigset_t none, one;
	sigemptyset(&none);
	sigemptyset(&one);
	sigaddset(&one, SIGURG);
	sigaddset(&one, SIGTRAP);
	pid_t child = vfork();
	if (child == 0) {
		if (how != SIG_BLOCK)
			sigprocmask(how, how == SIG_SETMASK ? &none : &one, NULL);
		execv("/nowhere/none", show_words);
		execv(SELF, show_words);
		_exit(1);
	}
	wait_for(child);
}

static void with_spawn(int flags)
{
	pid_t child;
	posix_spawnattr_t attributes;
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGTERM);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, (short)flags);
	posix_spawnattr_setsigmask(&attributes, &one);
	if (posix_spawn(&child, SELF, NULL, &attributes, show_words, environ) == 0)
		wait_for(child);
	posix_spawnattr_destroy(&attributes);
}

static void with_popen(void)
{
	char line[256];
	FILE *pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof(line), pipe))
		fputs(line, stdout);
	printf("status %d\n", pipe ? pclose(pipe) : -1);
}

static void *in_thread(void *unused)
{
	show();
	with_spawn(0);
	return unused;
}

static void with_thread(const sigset_t *mask)
{
	pthread_t thread;
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	if (mask)
		pthread_attr_setsigmask_np(&attributes, mask);
	pthread_create(&thread, &attributes, in_thread, NULL);
	pthread_join(thread, NULL);
}

static void with_attributes(void)
{
	sigset_t none, all;
	sigemptyset(&none);
	sigfillset(&all);
	with_thread(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	with_thread(&all);
}

static int start(const char *way)
{
	if (!strcmp(way, "execl"))
		execl(SELF, "exec_mask", "show", (char *)NULL);
	else if (!strcmp(way, "fexecve"))
		fexecve(open(SELF, O_RDONLY | O_CLOEXEC), show_words, environ);
	else if (!strcmp(way, "execveat"))
		execveat(AT_FDCWD, SELF, show_words, environ, 0);
	else if (!strcmp(way, "syscall"))
		syscall(SYS_execve, SELF, show_words, environ);
	else if (!strcmp(way, "fork"))
		with_fork();
	else if (!strcmp(way, "vfork"))
		with_vfork(SIG_BLOCK);
	else if (!strcmp(way, "vfork_setmask"))
		with_vfork(SIG_SETMASK);
	else if (!strcmp(way, "vfork_unblock"))
		with_vfork(SIG_UNBLOCK);
	else if (!strcmp(way, "spawn"))
		with_spawn(0);
	else if (!strcmp(way, "spawn_setmask"))
		with_spawn(POSIX_SPAWN_SETSIGMASK);
	else if (!strcmp(way, "system"))
		printf("status %d\n", system(command));
	else if (!strcmp(way, "popen"))
		with_popen();
	else if (!strcmp(way, "thread"))
		with_thread(NULL);
	else if (!strcmp(way, "attributes"))
		with_attributes();
	else
		execve(SELF, show_words, environ);
	return 0;
}

int main(int argc, char **argv)
{
	sigset_t all;
	if (argc > 1 && !strcmp(argv[1], "show")) {
		show();
		return 0;
	}
	char path[4096];
	ssize_t length = readlink(SELF, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	snprintf(command, sizeof(command), "%s show", path);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	start(argc > 1 ? argv[1] : "execve");
	fflush(stdout);
	show(); /* as before, also after an exec that failed */
	return 0;
}
