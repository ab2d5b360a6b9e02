/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes paths digit by digit, since snprintf() may not be called in a signal handler. */
#include "cli/run/proc_path.h"

#include <string.h>

void heddle__proc_path(char path[static HEDDLE_PROC_PATH], pid_t process, const char *file)
{
	char digits[16];
	size_t count = 0;
	for (; process > 0; process /= 10)
		digits[count++] = (char)('0' + process % 10);
	path = stpcpy(path, "/proc/");
	while (count > 0)
		*path++ = digits[--count];
	*path++ = '/';
	memcpy(path, file, strlen(file) + 1);
}
