/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pager is a child that reads a pipe instead of the terminal. It must not change how the command ends: a pager that
 * is left early closes the pipe, which is not an error, and an interrupt is handled by the pager.
 */
#include "cli/base/pager.h"

#include "cli/base/parent_state.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t pager; /* 0: none */

/* Returns NULL if no pager is wanted. */
static const char *choose_pager(void)
{
	const char *term = getenv("TERM"), *chosen = getenv("HEDDLE_PAGER");
	if (!chosen)
		chosen = getenv("PAGER");
	if (!chosen)
		chosen = "less";
	if (!isatty(STDOUT_FILENO) || !term || strcmp(term, "dumb") == 0)
		return NULL;
	return *chosen && strcmp(chosen, "cat") != 0 ? chosen : NULL;
}

/* F: leave at once if all fits the screen; R: keep colours; X: leave the text on the screen; S: do not fold lines. */
static _Noreturn void become_pager(const char *command, int from, bool wide)
{
	dup2(from, STDIN_FILENO);
	if (from != STDIN_FILENO)
		close(from);
	setenv("LESS", wide ? "FRXS" : "FRX", 0);
	signal(SIGPIPE, SIG_DFL);
	heddle__parent_state_restore();
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* True if the shell would find the command: otherwise all output would be lost. */
static bool exists(const char *command)
{
	char *test = NULL;
	size_t length = strcspn(command, " \t");
	if (asprintf(&test, "command -v '%.*s' >/dev/null 2>&1", (int)length, command) < 0)
		return false;
	bool found = !memchr(command, '\'', length) && system(test) == 0;
	free(test);
	return found;
}

void heddle__pager_begin(bool wide)
{
	int ends[2];
	const char *command = pager ? NULL : choose_pager();
	if (!command || !exists(command) || pipe(ends) != 0)
		return;
	fflush(stdout);
	pager = fork();
	if (pager == 0) {
		close(ends[1]);
		become_pager(command, ends[0], wide);
	}
	close(ends[0]);
	if (pager > 0 && dup2(ends[1], STDOUT_FILENO) >= 0) {
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, SIG_IGN);
	}
	close(ends[1]);
	pager = pager > 0 ? pager : 0;
}

bool heddle__pager_end(void)
{
	if (!pager)
		return false;
	fflush(stdout);
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
	return true;
}
