/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes messages to stderr as long as it is the file that the program started with. Must not end the program. */
#include "core/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_LIMIT 16

static struct stat stderr_at_start;
static bool have_stderr, verbose_lines;
static _Atomic unsigned int lines;

void heddle__log_init(void)
{
	have_stderr = fstat(STDERR_FILENO, &stderr_at_start) == 0;
}

void heddle__log_set_verbose(int verbose)
{
	verbose_lines = verbose != 0;
}

static bool stderr_is_the_same(void)
{
	struct stat now;
	return have_stderr && fstat(STDERR_FILENO, &now) == 0 && now.st_dev == stderr_at_start.st_dev &&
	       now.st_ino == stderr_at_start.st_ino;
}

static void say(const char *format, va_list arguments)
{
	char line[1024] = "heddle: ";
	int saved = errno;
	size_t prefix = strlen(line);
	errno = saved;
	int n = vsnprintf(line + prefix, sizeof(line) - prefix - 1, format, arguments);
	size_t length = prefix + (n < 0 ? 0 : (size_t)n);
	if (length > sizeof(line) - 2)
		length = sizeof(line) - 2;
	line[length++] = '\n';
	if (stderr_is_the_same()) {
		ssize_t ignored = write(STDERR_FILENO, line, length);
		(void)ignored;
	}
	errno = saved;
}

void heddle__warn(const char *format, ...)
{
	if (atomic_fetch_add(&lines, 1) >= LINE_LIMIT)
		return;
	va_list arguments;
	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}

void heddle__inform(const char *format, ...)
{
	if (!verbose_lines)
		return;
	va_list arguments;
	va_start(arguments, format);
	say(format, arguments);
	va_end(arguments);
}
