/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a signal's action, only whether it is ignored survives execve. */
#include "cli/inherited.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

static bool child_ignored;

/*
 * A file that took the number of a closed standard stream would receive what is written to that stream. Reading and
 * writing an O_PATH descriptor fails with EBADF, as if it were closed; execve closes it.
 */
static void occupy_standard_streams(void)
{
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
		if (fcntl(stream, F_GETFD) < 0)
			(void)open("/", O_PATH | O_CLOEXEC);
}

void heddle__inherited_replace(void)
{
	child_ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
	occupy_standard_streams();
}

void heddle__inherited_restore(void)
{
	if (child_ignored)
		signal(SIGCHLD, SIG_IGN);
}
