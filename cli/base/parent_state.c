/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Of a signal's action, only whether it is ignored survives execve. A variable is hidden by changing the first letter
 * of its name, which is a single write; it stays in its place, even if other variables change.
 */
#include "cli/base/parent_state.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SERVERS "DEBUGINFOD_URLS"
#define HIDDEN '-'

static bool child_ignored;
static char *hidden; /* SERVERS=..., with another first letter; or NULL */

/*
 * A file that is opened with the number of a closed standard stream would receive what is written to that stream.
 * Reading and writing an O_PATH descriptor fails with EBADF, as if it were closed; execve closes it.
 */
static void occupy_standard_streams(void)
{
	for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
		if (fcntl(stream, F_GETFD) < 0)
			(void)open("/", O_PATH | O_CLOEXEC);
}

static void hide_servers(void)
{
	const char *asked = getenv("HEDDLE_DEBUGINFOD");
	char *value = getenv(SERVERS);
	if (!value || (asked && *asked && strcmp(asked, "0") != 0))
		return;
	hidden = value - sizeof(SERVERS);
	*hidden = HIDDEN;
}

void heddle__parent_state_replace(void)
{
	child_ignored = signal(SIGCHLD, SIG_DFL) == SIG_IGN;
	occupy_standard_streams();
	hide_servers();
}

void heddle__parent_state_restore(void)
{
	if (child_ignored)
		signal(SIGCHLD, SIG_IGN);
	if (hidden)
		*hidden = SERVERS[0];
}
