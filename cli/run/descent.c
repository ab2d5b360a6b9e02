/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads /proc without the C library's streams and allocation, for signal handlers. */
#include "cli/run/descent.h"

#include "cli/run/proc_path.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define MOST_GENERATIONS 64
#define UNKNOWN UINT64_MAX
enum { PARENT = 4, START_TIME = 22 }; /* fields, proc(5) */

/*
 * Returns a number of the line "PID (NAME) STATE PARENT ...", whose fields are counted from 1; a name may contain
 * anything. UNKNOWN: it cannot be read.
 */
static uint64_t read_field(pid_t process, int field)
{
	char path[HEDDLE_PROC_PATH], line[512];
	uint64_t number = 0;
	heddle__proc_path(path, process, "stat");
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return UNKNOWN;
	ssize_t size = read(file, line, sizeof(line) - 1);
	close(file);
	line[size > 0 ? size : 0] = '\0';
	const char *at = strrchr(line, ')');
	for (int i = 2; at && i < field; i++)
		at = strchr(at + 1, ' ');
	if (!at || at[1] < '0' || at[1] > '9')
		return UNKNOWN;
	for (at++; *at >= '0' && *at <= '9'; at++)
		number = number * 10 + (uint64_t)(*at - '0');
	return number;
}

static pid_t parent_of(pid_t process)
{
	uint64_t parent = read_field(process, PARENT);
	return parent == UNKNOWN ? 0 : (pid_t)parent;
}

bool heddle__descends_from(pid_t process, pid_t ancestor)
{
	for (int i = 0; i < MOST_GENERATIONS && process > 1; i++) {
		if (process == ancestor)
			return true;
		process = parent_of(process);
	}
	return false;
}

bool heddle__may_be_measured(pid_t process)
{
	if (kill(process, 0) != 0 && errno == ESRCH)
		return false;
	return read_field(process, START_TIME) >= read_field(getpid(), START_TIME); /* UNKNOWN is the highest number */
}
