/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The watcher is a process in the group that blocks all signals, so signals to the group stay pending in it, which
 * /proc shows. The kernel delivers a signal to the youngest process of a group first, so the watcher has it before this
 * process. The watcher shares memory and files with this process, which makes it cheap. Therefore it must not call
 * functions of the C library, which would set this thread's errno. It is created without an exit signal, so wait() of
 * this process does not return it.
 */
#include "cli/run/group_watch.h"

#include "cli/run/proc_path.h"

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

/* A system call that fails would set errno; these do not fail. */
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

/* Reads the pending signals as bits. Returns 0, or -1 if they cannot be read. */
static int read_pending(uint64_t *pending)
{
	static const char key[] = "\nShdPnd:\t";
	char path[HEDDLE_PROC_PATH], text[4096];
	heddle__proc_path(path, watcher, "status");
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

/* A pending signal cannot be removed from the watcher, so a new watcher replaces it. */
int heddle__group_watch_take(int number)
{
	static const struct timespec moment = {.tv_nsec = 1000000};
	uint64_t pending = 0, wanted = (uint64_t)1 << (number - 1);
	if (!watcher || read_pending(&pending) != 0)
		return -1;
	if (!(pending & wanted)) { /* the kernel may deliver it to the watcher later */
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
