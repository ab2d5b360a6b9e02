/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The watcher blocks all signals, so what its group gets stays pending and is in /proc. It is younger than this
 * process, and the kernel goes through a group from the youngest to the oldest. It shares memory and files, which makes
 * it cheap, so it must not call the C library, whose errno is this thread's; nor does it become a child that others
 * wait for.
 */
#include "cli/run/group_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Alignas(16) char stack[8192];
static volatile pid_t watcher; /* 0: there is none */
static pid_t watched;

/* System calls that fail set errno: these do not. */
static int watch(void *unused)
{
	(void)unused;
	syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	while (syscall(SYS_getppid) == watched)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	syscall(SYS_exit, 0);
	return 0;
}

/* Context: signal. */
static void start(void)
{
	sigset_t all, before;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid_t pid = clone(watch, stack + sizeof(stack), CLONE_VM | CLONE_FILES | CLONE_FS, NULL);
	watcher = pid > 0 ? pid : 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Context: signal. */
static void stop(void)
{
	if (!watcher)
		return;
	kill(watcher, SIGKILL);
	while (waitpid(watcher, NULL, __WCLONE) < 0 && errno == EINTR)
		continue;
	watcher = 0;
}

void heddle__group_watch_begin(void)
{
	watched = getpid();
	start();
}

void heddle__group_watch_end(void)
{
	stop();
}

/* "/proc/PID/status"; `path` has 32 bytes. */
static void name_status(pid_t process, char *path)
{
	char digits[16];
	size_t count = 0;
	for (; process > 0; process /= 10)
		digits[count++] = (char)('0' + process % 10);
	path = stpcpy(path, "/proc/");
	while (count > 0)
		*path++ = digits[--count];
	memcpy(path, "/status", sizeof("/status"));
}

/* The signals that are pending, as bits; -1: they cannot be read. */
static int read_pending(uint64_t *pending)
{
	static const char key[] = "\nShdPnd:\t";
	char path[32], text[4096];
	name_status(watcher, path);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -1;
	ssize_t size = read(file, text, sizeof(text) - 1);
	close(file);
	text[size > 0 ? size : 0] = '\0';
	const char *at = strstr(text, key);
	if (!at)
		return -1;
	*pending = 0;
	for (at += strlen(key); (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f'); at++)
		*pending = *pending << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
	return 0;
}

/* A pending signal cannot be taken from the watcher: another one takes its place. */
int heddle__group_watch_take(int number)
{
	static const struct timespec moment = {.tv_nsec = 1000000};
	uint64_t pending = 0, wanted = (uint64_t)1 << (number - 1);
	if (!watcher || read_pending(&pending) != 0)
		return -1;
	if (!(pending & wanted)) { /* in case the kernel comes to the watcher later */
		nanosleep(&moment, NULL);
		if (read_pending(&pending) != 0)
			return -1;
	}
	if (pending) {
		stop();
		start();
	}
	return (pending & wanted) != 0;
}
