/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers: the writer reads such files. */
#include "core/base/task_file.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void heddle__read_task_file(pid_t tid, const char *name, char *text, size_t size)
{
	char path[64] = "/proc/self/task/", digits[16];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + tid % 10);
		tid /= 10;
	} while (tid);
	char *end = stpncpy(path + strlen(path), digits + at, sizeof(digits) - at);
	*end++ = '/';
	stpcpy(end, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
}
