/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The directory for intermediate files. It is removed whenever the compiler ends, also by a terminating
 * signal, which is passed to the running command first. The handler allocates nothing and takes no lock.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

static char *folder; /* NULL: none, or it is to be kept */
static volatile sig_atomic_t child;

/* The record that getdents64 writes. */
struct entry {
	unsigned long number;
	long offset;
	unsigned short length;
	unsigned char type;
	char name[];
};

static void remove_folder(void)
{
	static _Alignas(struct entry) char entries[4096];
	int directory = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (directory < 0)
		return;
	for (long size; (size = syscall(SYS_getdents64, directory, entries, sizeof entries)) > 0;)
		for (long at = 0; at < size; at += ((struct entry *)(entries + at))->length)
			unlinkat(directory, ((struct entry *)(entries + at))->name, 0);
	close(directory);
	rmdir(folder);
}

static void end(int number)
{
	if (child > 0) {
		kill(child, number);
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	remove_folder();
	/* The default action is in force again: the signal is delivered when the handler returns. */
	raise(number);
}

static void end_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
		sigaddset(set, fatal_signals[i]);
}

/* An ignored signal, as under nohup, remains ignored. */
static void catch (int number)
{
	struct sigaction action = {0};
	if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
		return;
	action.sa_handler = end;
	action.sa_flags = SA_RESETHAND;
	end_set(&action.sa_mask);
	sigaction(number, &action, NULL);
}

void upc__hold_ends(sigset_t *before)
{
	sigset_t set;
	end_set(&set);
	sigprocmask(SIG_BLOCK, &set, before);
}

void upc__watch_child(pid_t pid)
{
	child = pid;
}

char *upc__make_work(void)
{
	const char *parent = getenv("TMPDIR");
	char *work = upc__format("%s/heddle-upcc-XXXXXX", parent && *parent ? parent : "/tmp");
	sigset_t before;
	upc__hold_ends(&before);
	if (!mkdtemp(work)) {
		perror("heddle-upcc1: cannot make a temporary folder");
		free(work);
		work = NULL;
	} else if (!getenv("HEDDLE_UPC_KEEP")) {
		folder = work;
		atexit(remove_folder);
	}
	for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
		catch (fatal_signals[i]);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return work;
}
