/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads /proc without the C library's streams and allocation, for signal handlers. */
#include "cli/run/descent.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MOST_GENERATIONS 64

/* "/proc/PID/stat"; `path` has 32 bytes. */
static void name_stat(pid_t process, char *path)
{
	char digits[16];
	size_t count = 0;
	for (; process > 0; process /= 10)
		digits[count++] = (char)('0' + process % 10);
	path = stpcpy(path, "/proc/");
	while (count > 0)
		*path++ = digits[--count];
	memcpy(path, "/stat", sizeof("/stat"));
}

/* The line is "PID (NAME) STATE PARENT ..."; a name may contain anything. 0: unknown. */
static pid_t parent_of(pid_t process)
{
	char path[32], line[512];
	pid_t parent = 0;
	name_stat(process, path);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	ssize_t size = read(file, line, sizeof(line) - 1);
	close(file);
	line[size > 0 ? size : 0] = '\0';
	const char *at = strrchr(line, ')');
	if (!at || strlen(at) < 5)
		return 0;
	for (at += 4; *at >= '0' && *at <= '9'; at++)
		parent = parent * 10 + (*at - '0');
	return parent;
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
