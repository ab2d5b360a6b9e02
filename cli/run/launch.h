/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts a program and waits for it, as if the command did not exist: the program keeps its signals, terminal and exit
 * status.
 */
#ifndef HEDDLE_CLI_LAUNCH_H
#define HEDDLE_CLI_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Called in the child just before the program replaces it; getpid() returns the program's process id. Returns 0, or the
 * exit status of the command, after printing the reason. May allocate: the command has one thread.
 */
typedef int heddle_launch_prepare(void *context);

/* Waits for the end of the program, instead of waitpid. */
typedef void heddle_launch_wait(void *context, pid_t pid, int *status);

struct heddle_launch {
	const char *path;
	char **arguments;
	heddle_launch_prepare *prepare;
	heddle_launch_wait *wait; /* NULL: waitpid */
	void *context;            /* passed to both functions */
	bool by_launcher;         /* this process is a rank of a parallel job (heddle_ranks.launched) */
};

/*
 * Runs a program and waits for its end. Meanwhile SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are forwarded,
 * unless the program receives them itself, as a member of this process's group: SIGINT and SIGQUIT from the terminal,
 * and signals that the program, its processes or the launcher of a parallel job send to the group. Returns 0 and fills
 * *status as waitpid does, or the exit status (> 0) of a failure to start, which has been reported. If `by_launcher`,
 * these signals are blocked afterwards: this process ends as the program did.
 */
int heddle__launch(const struct heddle_launch *launch, pid_t *pid, int *status);

/* Ends as `status` of waitpid indicates: with that exit status, or by that signal (without a second core dump). */
int heddle__launch_end_like(int status);

#endif
