/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The network plug-in's system calls, and UCX's that go through it, fail by their number (faults.h). faults.sh links
 * this with the plug-in's objects.
 */
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/* Their errors; a thread that polls is interrupted. */
#define CALLS(X)                 \
	X(connect, ENETUNREACH)  \
	X(accept4, EMFILE)       \
	X(send, ECONNRESET)      \
	X(sendmsg, ECONNRESET)   \
	X(recv, ECONNRESET)      \
	X(getsockname, ENOBUFS)  \
	X(getpeername, ENOTCONN) \
	X(setsockopt, ENOBUFS)   \
	X(poll, EINTR)           \
	X(eventfd, EMFILE)       \
	X(thread, EAGAIN)
#include "tests/support/faults.h"

WRAP(int, connect, int fd, const struct sockaddr *address, socklen_t size)
{
	return fails(CALL_connect) ? -1 : __real_connect(fd, address, size);
}

WRAP(int, accept4, int fd, struct sockaddr *address, socklen_t *size, int flags)
{
	return fails(CALL_accept4) ? -1 : __real_accept4(fd, address, size, flags);
}

/* Resets a connection, for both sides. */
static ssize_t reset(int fd)
{
	shutdown(fd, SHUT_RDWR);
	errno = ECONNRESET;
	return -1;
}

WRAP(ssize_t, send, int fd, const void *data, size_t size, int flags)
{
	return fails(CALL_send) ? reset(fd) : __real_send(fd, data, size, flags);
}

WRAP(ssize_t, sendmsg, int fd, const struct msghdr *message, int flags)
{
	return fails(CALL_sendmsg) ? reset(fd) : __real_sendmsg(fd, message, flags);
}

WRAP(ssize_t, recv, int fd, void *data, size_t size, int flags)
{
	return fails(CALL_recv) ? reset(fd) : __real_recv(fd, data, size, flags);
}

WRAP(int, getsockname, int fd, struct sockaddr *address, socklen_t *size)
{
	return fails(CALL_getsockname) ? -1 : __real_getsockname(fd, address, size);
}

WRAP(int, getpeername, int fd, struct sockaddr *address, socklen_t *size)
{
	return fails(CALL_getpeername) ? -1 : __real_getpeername(fd, address, size);
}

WRAP(int, setsockopt, int fd, int level, int name, const void *value, socklen_t size)
{
	return fails(CALL_setsockopt) ? -1 : __real_setsockopt(fd, level, name, value, size);
}

WRAP(int, poll, struct pollfd *fds, nfds_t count, int ms)
{
	return fails(CALL_poll) ? -1 : __real_poll(fds, count, ms);
}

WRAP(int, eventfd, unsigned int value, int flags)
{
	return fails(CALL_eventfd) ? -1 : __real_eventfd(value, flags);
}

WRAP(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data)
{
	return fails(CALL_thread) ? EAGAIN : __real_pthread_create(thread, attributes, run, data);
}
