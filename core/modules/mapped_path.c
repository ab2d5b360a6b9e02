/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS. Reads /proc/self/maps by direct system calls: the C library's functions would be
 * cancellation points. The buffer is small, because a handler may run on a small stack.
 */
#include "core/modules/mapped_path.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define END (-1)

struct reader {
	int fd;
	size_t at, held;
	char buffer[1024];
};

static int next(struct reader *reader)
{
	if (reader->at == reader->held) {
		long n = syscall(SYS_read, reader->fd, reader->buffer, sizeof(reader->buffer));
		if (n <= 0)
			return END;
		reader->at = 0;
		reader->held = (size_t)n;
	}
	return (unsigned char)reader->buffer[reader->at++];
}

/* Reads a hexadecimal number; sets `after` to the character behind it, or END. */
static uintptr_t read_number(struct reader *reader, int *after)
{
	uintptr_t number = 0;
	for (;;) {
		int c = next(reader);
		bool letter = c >= 'a' && c <= 'f';
		if (!letter && (c < '0' || c > '9')) {
			*after = c;
			return number;
		}
		number = number * 16 + (uintptr_t)(letter ? c - 'a' + 10 : c - '0');
	}
}

/* Reads the rest of the line as a path whose first '/' has been read already. */
static bool read_path(struct reader *reader, char *path, size_t size)
{
	size_t used = 0;
	for (int c = '/'; c != '\n' && c != END; c = next(reader)) {
		if (used + 1 >= size)
			return false;
		path[used++] = (char)c;
	}
	path[used] = '\0';
	return true;
}

/* The kernel writes a newline in a path as \012. It escapes no other character. */
static void restore_newlines(char *path)
{
	char *to = path;
	while (*path) {
		bool newline = strncmp(path, "\\012", 4) == 0;
		*to++ = (char)(newline ? '\n' : *path);
		path += newline ? 4 : 1;
	}
	*to = '\0';
}

static bool find_path(struct reader *reader, uintptr_t address, char *path, size_t size)
{
	for (int c = 0; c != END;) {
		uintptr_t low = read_number(reader, &c), high = c == '-' ? read_number(reader, &c) : 0;
		bool covers = address >= low && address < high;
		while (c != '\n' && c != END && !(covers && c == '/'))
			c = next(reader);
		if (covers)
			return c == '/' && read_path(reader, path, size);
	}
	return false;
}

bool heddle__mapped_path(uintptr_t address, char *path, size_t size)
{
	int saved_errno = errno;
	struct reader reader = {.fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC)};
	bool found = reader.fd >= 0 && find_path(&reader, address, path, size);
	if (reader.fd >= 0)
		syscall(SYS_close, reader.fd);
	if (found)
		restore_newlines(path);
	errno = saved_errno;
	return found;
}
