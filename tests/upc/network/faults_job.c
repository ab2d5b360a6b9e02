/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime's system calls, most of which communicate with the launcher, fail by their number (faults.h). faults.sh
 * links this with a program.
 */
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define CALLS(X)                \
	X(job_mmap, ENOMEM)     \
	X(job_open, EMFILE)     \
	X(job_read, EIO)        \
	X(job_send, EPIPE)      \
	X(job_recv, ECONNRESET) \
	X(job_poll, EINTR)
#include "tests/support/faults.h"

WRAP(void *, mmap, void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	return fails(CALL_job_mmap) ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}

WRAP(int, open, const char *path, int flags, mode_t mode)
{
	return fails(CALL_job_open) ? -1 : __real_open(path, flags, mode);
}

WRAP(ssize_t, read, int fd, void *into, size_t size)
{
	return fails(CALL_job_read) ? -1 : __real_read(fd, into, size);
}

WRAP(ssize_t, send, int fd, const void *data, size_t size, int flags)
{
	return fails(CALL_job_send) ? -1 : __real_send(fd, data, size, flags);
}

WRAP(ssize_t, recv, int fd, void *data, size_t size, int flags)
{
	return fails(CALL_job_recv) ? -1 : __real_recv(fd, data, size, flags);
}

WRAP(int, poll, struct pollfd *fds, nfds_t count, int ms)
{
	return fails(CALL_job_poll) ? -1 : __real_poll(fds, count, ms);
}
