/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Starts a program and waits for it, as if no command stood in between: its signals, terminal and exit status stay its
 * own.
 */
#ifndef HEDDLE_CLI_LAUNCH_H
#define HEDDLE_CLI_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Called in the child just before the program replaces it, with the program's process id from getpid(). Returns 0, or
 * the exit status that the command is to end with, after having said why. May allocate: the command has one thread.
 */
typedef int heddle_launch_prepare(void *context);

/* Waits for the end of the program, in the place of waitpid. */
typedef void heddle_launch_wait(void *context, pid_t pid, int *status);

struct heddle_launch {
	const char *path;
	char **arguments;
	heddle_launch_prepare *prepare;
	heddle_launch_wait *wait; /* NULL: waitpid */
	void *context;            /* of both */
	bool by_launcher;         /* this process is a rank of a parallel job (heddle_ranks.launched) */
};

/*
 * Run a program and wait for its end. While it runs, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are handed
 * on, except what the program has itself, as a member of the group that this process is in: SIGINT and SIGQUIT of the
 * terminal, what the program and its processes send to the group, and what the launcher of a parallel job does. Returns
 * 0 and fills *status as waitpid does, or the exit status (> 0) of a failure to start, which has been said.
 */
int heddle__launch(const struct heddle_launch *launch, pid_t *pid, int *status);

/* End as `status` of waitpid says: with that exit status, or by that signal (without a second core dump). */
int heddle__launch_end_like(int status);

#endif
