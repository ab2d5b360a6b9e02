/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a signal's action, only whether it is ignored survives execve. */
#include "cli/inherited.h"

#include <signal.h>
#include <stdbool.h>

static bool child_ignored;

void heddle__inherited_replace(void)
{
	child_ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
}

void heddle__inherited_restore(void)
{
	if (child_ignored)
		signal(SIGCHLD, SIG_IGN);
}
