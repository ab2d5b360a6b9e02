/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes Heddle's calls to the system fail, chosen by their number. HEDDLE_FAULT="mmap:7" makes the seventh mmap of the
 * process fail, "mmap:7+" that one and all later ones. HEDDLE_FAULT_COUNTS names a file to which "mmap COUNT" lines are
 * appended, with how often each function was called. The objects of libheddle.so are linked with these functions in
 * place of the C library's (-Wl,--wrap), so that the program's own calls are never affected. Runs in signal handlers.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls that can fail, and the error number that they set. */
#define CALLS(X)          \
	X(mmap, ENOMEM)   \
	X(open, EMFILE)   \
	X(openat, EMFILE) \
	X(read, EIO)      \
	X(write, ENOSPC)  \
	X(pwrite, ENOSPC) \
	X(ftruncate, EIO) \
	X(renameat, EIO)  \
	X(unlinkat, EIO)  \
	X(mkdir, EACCES)  \
	X(clone, EAGAIN)  \
	X(perf, EMFILE)   \
	X(timer, EAGAIN)
#include "faults.h"

/* Runs at the end of the process, after Heddle's own destructor, because this file is linked before Heddle. */
__attribute__((destructor(101))) static void put_counts(void)
{
	char text[1024];
	const char *name = getenv("HEDDLE_FAULT_COUNTS");
	int fd = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
	int length = 0;
	for (int i = 0; fd >= 0 && i < CALL_COUNT; i++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, "%s %u\n", calls[i].name,
			atomic_load(&counts[i]));
	if (fd < 0)
		return;
	syscall(SYS_write, fd, text, (size_t)length);
	syscall(SYS_close, fd);
}

WRAP(void *, mmap, void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails(CALL_mmap) ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

WRAP(int, open, const char *path, int flags, mode_t mode)
{
	return fails(CALL_open) ? -1 : __real_open(path, flags, mode);
}

WRAP(int, openat, int directory, const char *path, int flags, mode_t mode)
{
	return fails(CALL_openat) ? -1 : __real_openat(directory, path, flags, mode);
}

WRAP(ssize_t, read, int fd, void *into, size_t size)
{
	return fails(CALL_read) ? -1 : __real_read(fd, into, size);
}

WRAP(ssize_t, write, int fd, const void *from, size_t size)
{
	return fd != STDERR_FILENO && fails(CALL_write) ? -1 : __real_write(fd, from, size);
}

WRAP(ssize_t, pwrite, int fd, const void *from, size_t size, off_t at)
{
	return fails(CALL_pwrite) ? -1 : __real_pwrite(fd, from, size, at);
}

WRAP(int, ftruncate, int fd, off_t size)
{
	return fails(CALL_ftruncate) ? -1 : __real_ftruncate(fd, size);
}

WRAP(int, renameat, int from, const char *path, int to, const char *name)
{
	return fails(CALL_renameat) ? -1 : __real_renameat(from, path, to, name);
}

WRAP(int, unlinkat, int directory, const char *path, int flags)
{
	return fails(CALL_unlinkat) ? -1 : __real_unlinkat(directory, path, flags);
}

WRAP(int, mkdir, const char *path, mode_t mode)
{
	return fails(CALL_mkdir) ? -1 : __real_mkdir(path, mode);
}

/* Fails as if clone could not create the thread (core/host/own_thread.h). */
WRAP(int, heddle__start_own_thread, void *(*routine)(void *))
{
	return fails(CALL_clone) ? -EAGAIN : __real_heddle__start_own_thread(routine);
}

WRAP(long, syscall, long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_perf_event_open && fails(CALL_perf))
		return -1;
	if (number == SYS_timer_create && fails(CALL_timer))
		return -1;
	return __real_syscall(number, a, b, c, d, e, f);
}
