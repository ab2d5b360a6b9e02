/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes messages to stderr as long as it is the file that the program started with. Must not end the program. */
#include "core/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mapping.h"
#include "format/trace.h"

#define LINE_LIMIT 16
#define USUAL_SIZE 1024
#define HANDLER_SIZE 256 /* of a line, on a stack that may be small */
#define PREFIX "heddle: "

static struct stat stderr_at_start;
static bool have_stderr, verbose_lines;
static _Atomic uint64_t lines[LINE_LIMIT]; /* checksums of the lines written; 0: free */

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

static bool is_new(const char *line, size_t length)
{
	uint64_t sum = heddle_trace_sum(line, length) | 1;
	for (unsigned int i = 0; i < LINE_LIMIT; i++) {
		uint64_t there = 0;
		if (atomic_compare_exchange_strong(&lines[i], &there, sum))
			return true;
		if (there == sum)
			return false;
	}
	return false;
}

/* Writes a line. `length` does not include the prefix; `line` has the prefix, and room for a newline. */
static void put(char *line, size_t length, bool once)
{
	length += sizeof(PREFIX) - 1;
	line[length] = '\n';
	if (stderr_is_the_same() && (!once || is_new(line, length))) {
		ssize_t ignored = write(STDERR_FILENO, line, length + 1);
		(void)ignored;
	}
}

/* A line with a long path needs more room than a signal handler's stack may have. */
static void put_long(size_t length, bool once, const char *format, va_list arguments)
{
	size_t size = length + sizeof(PREFIX) + 1;
	char *line = heddle__private_mapping(size);
	if (!line)
		return;
	memcpy(line, PREFIX, sizeof(PREFIX));
	vsnprintf(line + sizeof(PREFIX) - 1, length + 1, format, arguments);
	put(line, length, once);
	heddle__remove_mapping(line, size);
}

static void say(bool once, const char *format, va_list arguments)
{
	char line[USUAL_SIZE] = PREFIX;
	va_list again;
	int saved = errno;
	va_copy(again, arguments);
	int n = vsnprintf(line + sizeof(PREFIX) - 1, sizeof(line) - sizeof(PREFIX), format, arguments);
	if (n >= 0 && (size_t)n < sizeof(line) - sizeof(PREFIX))
		put(line, (size_t)n, once);
	else if (n >= 0)
		put_long((size_t)n, once, format, again);
	va_end(again);
	errno = saved;
}

void heddle__warn(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	say(true, format, arguments);
	va_end(arguments);
}

void heddle__warn_in_handler(const char *text)
{
	char line[HANDLER_SIZE] = PREFIX;
	size_t length = strnlen(text, sizeof(line) - sizeof(PREFIX));
	int saved = errno;
	memcpy(line + sizeof(PREFIX) - 1, text, length);
	put(line, length, true);
	errno = saved;
}

void heddle__inform(const char *format, ...)
{
	if (!verbose_lines)
		return;
	va_list arguments;
	va_start(arguments, format);
	say(false, format, arguments);
	va_end(arguments);
}
