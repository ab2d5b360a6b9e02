/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork, exec and wait. A pipe that exec closes shows the parent whether the program was started.
 */
#include "cli/run/launch.h"

#include "cli/base/exit_status.h"
#include "cli/base/parent_state.h"
#include "cli/run/descent.h"
#include "cli/run/group_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct signal_change {
	int number;
	struct sigaction before;
};

/* Signals that are forwarded to the program. */
static struct signal_change changes[] = {{.number = SIGINT}, {.number = SIGQUIT}, {.number = SIGTERM},
	{.number = SIGHUP}, {.number = SIGUSR1}, {.number = SIGUSR2}};

#define CHANGES (sizeof changes / sizeof changes[0])

static volatile pid_t program_pid;
static bool by_launcher; /* started as a rank of a parallel job */

static bool has_sender(const siginfo_t *info)
{
	return info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
}

/*
 * True if the program receives the signal itself, as a member of this process's group. If that cannot be seen: if the
 * program, or a process that it started, sent it to the group; or the launcher of a parallel job did, which starts each
 * rank in a group of its own and sends signals to that group. A sender that has ended since, or whose parent has, is
 * not recognized. Context: signal.
 */
static bool is_to_group(pid_t sender, int to_group)
{
	pid_t group = getpgrp();
	if (getpgid(program_pid) != group)
		return false;
	if (to_group >= 0)
		return to_group;
	if (getpgid(sender) == group)
		return heddle__descends_from(sender, program_pid);
	return by_launcher && heddle__descends_from(getpid(), sender);
}

/* True for signals that the terminal sends to all processes of the group. */
static bool is_of_terminal(int number, const siginfo_t *info)
{
	return (number == SIGINT || number == SIGQUIT) && !has_sender(info);
}

/* Context: signal. */
static void forward_signal(int number, siginfo_t *info, void *context)
{
	int saved = errno, to_group = heddle__group_watch_take(number);
	(void)context;
	if (program_pid > 0 && !is_of_terminal(number, info) &&
		!(has_sender(info) && is_to_group(info->si_pid, to_group)))
		kill(program_pid, number);
	errno = saved;
}

static void add_signals(sigset_t *mask)
{
	for (size_t i = 0; i < CHANGES; i++)
		sigaddset(mask, changes[i].number);
}

/* Signals stay blocked from here until program_pid is known, so that none is lost. */
static void take_signals(sigset_t *mask_before)
{
	sigset_t mask;
	sigemptyset(&mask);
	add_signals(&mask);
	sigprocmask(SIG_BLOCK, &mask, mask_before);
	for (size_t i = 0; i < CHANGES; i++) {
		struct sigaction action = {.sa_sigaction = forward_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
		sigfillset(&action.sa_mask);
		sigaction(changes[i].number, NULL, &changes[i].before);
		/* Signals that this command's parent ignores (nohup) stay ignored in the program. */
		if (changes[i].before.sa_handler != SIG_IGN)
			sigaction(changes[i].number, &action, NULL);
	}
}

/* Blocks first: a signal that is blocked afterwards, too, never has its former action in between. */
static void give_signals_back(const sigset_t *mask_before)
{
	sigprocmask(SIG_BLOCK, mask_before, NULL);
	for (size_t i = 0; i < CHANGES; i++)
		sigaction(changes[i].number, &changes[i].before, NULL);
	sigprocmask(SIG_SETMASK, mask_before, NULL);
}

static int say_exec_failure(const char *path, int error)
{
	if (error == ENOENT) {
		fprintf(stderr, "heddle: run: %s: the interpreter or dynamic linker that it names was not found\n",
			path);
		return HEDDLE_EXIT_NO_PROGRAM;
	}
	fprintf(stderr, "heddle: run: %s: cannot be executed: %s\n", path, strerror(error));
	return HEDDLE_EXIT_NOT_EXECUTABLE;
}

static void run_child(const struct heddle_launch *launch, int report)
{
	extern char **environ;
	int failure = launch->prepare(launch->context);
	unsigned char byte;
	if (failure == 0) {
		heddle__parent_state_restore();
		execve(launch->path, launch->arguments, environ);
		failure = say_exec_failure(launch->path, errno);
	}
	byte = (unsigned char)failure;
	while (write(report, &byte, 1) < 0 && errno == EINTR)
		;
	_exit(failure);
}

static void wait_for(const struct heddle_launch *launch, pid_t pid, int *status)
{
	if (launch->wait) {
		launch->wait(launch->context, pid, status);
		return;
	}
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
}

/* Returns what the child wrote before exec: nothing if the program was started. */
static int read_failure(int descriptor)
{
	unsigned char byte = 0;
	ssize_t size;
	do
		size = read(descriptor, &byte, 1);
	while (size < 0 && errno == EINTR);
	close(descriptor);
	return size == 1 ? byte : 0;
}

int heddle__launch(const struct heddle_launch *launch, pid_t *pid, int *status)
{
	sigset_t mask_before;
	int report[2], failure;
	if (pipe2(report, O_CLOEXEC) != 0) {
		fprintf(stderr, "heddle: run: cannot make a pipe: %s\n", strerror(errno));
		return HEDDLE_EXIT_FAILED;
	}
	by_launcher = launch->by_launcher;
	take_signals(&mask_before);
	*pid = fork();
	if (*pid == 0) {
		give_signals_back(&mask_before);
		close(report[0]);
		run_child(launch, report[1]);
	}
	close(report[1]);
	if (*pid < 0) {
		fprintf(stderr, "heddle: run: cannot start a process: %s\n", strerror(errno));
		close(report[0]);
		give_signals_back(&mask_before);
		return HEDDLE_EXIT_FAILED;
	}
	program_pid = *pid;
	heddle__group_watch_begin();
	sigprocmask(SIG_SETMASK, &mask_before, NULL);
	failure = read_failure(report[0]);
	wait_for(launch, *pid, status);
	program_pid = 0;
	if (by_launcher) /* a launcher ends all ranks after one failed, while one of them reports how the others ended
			  */
		add_signals(&mask_before);
	give_signals_back(&mask_before);
	heddle__group_watch_end();
	return failure;
}

int heddle__launch_end_like(int status)
{
	struct rlimit none = {0, 0};
	sigset_t mask;
	int number;
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	number = WTERMSIG(status);
	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0); /* a core pattern that is a pipe ignores the limit */
	signal(number, SIG_DFL);
	sigemptyset(&mask);
	sigaddset(&mask, number);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
	fflush(NULL);
	raise(number);
	return 128 + number;
}
