/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UCX's descriptors are to be closed by exec: a command that a program starts would else hold connections open after
 * the program has died. UCX does not see to that. Its descriptors are those that appear while it is opened, TCP sockets
 * that appear while it connects, and those that it accepted, which have the port where it listens. Context: lock held.
 */
#include "upc/network/ucx.h"
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define PORTS 64

static struct {
	unsigned char before[1024]; /* bits: descriptors that were open */
	in_port_t ports[PORTS];     /* where UCX listens */
	int count;
	bool opened;
} descriptors;

/* Calls `visit` for each descriptor of this process. */
static void each(void (*visit)(int fd))
{
	DIR *folder = opendir("/proc/self/fd");
	const struct dirent *entry;
	if (!folder)
		return;
	while ((entry = readdir(folder)) != NULL) {
		int fd = atoi(entry->d_name); /* NOLINT(cert-err34-c): the kernel's names; "." is 0 */
		if (entry->d_name[0] != '.' && fd != dirfd(folder))
			visit(fd);
	}
	closedir(folder);
}

static void note(int fd)
{
	if ((size_t)fd / 8 < sizeof descriptors.before)
		descriptors.before[fd / 8] |= (unsigned char)(1 << fd % 8);
}

static bool is_new(int fd)
{
	return (size_t)fd / 8 < sizeof descriptors.before && !(descriptors.before[fd / 8] & 1 << fd % 8);
}

/* Of a TCP socket; 0: it is none. */
static in_port_t port(int fd)
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof address;
	int type = 0;
	socklen_t type_size = sizeof type;
	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) || type != SOCK_STREAM ||
		getsockname(fd, (struct sockaddr *)&address, &size))
		return 0;
	if (address.ss_family == AF_INET)
		return ((const struct sockaddr_in *)&address)->sin_port;
	return address.ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)&address)->sin6_port : 0;
}

static bool listens(int fd)
{
	int answer = 0;
	socklen_t size = sizeof answer;
	return !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) && answer;
}

static bool accepted(in_port_t where)
{
	for (int i = 0; i < descriptors.count; i++) {
		if (descriptors.ports[i] == where)
			return true;
	}
	return false;
}

static void look(int fd)
{
	int flags = fcntl(fd, F_GETFD);
	in_port_t where;
	if (flags < 0 || (descriptors.opened && flags & FD_CLOEXEC))
		return;
	where = port(fd);
	if (is_new(fd) && where && !descriptors.opened && listens(fd) && descriptors.count < PORTS)
		descriptors.ports[descriptors.count++] = where;
	if (is_new(fd) ? where || !descriptors.opened : where && accepted(where))
		fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
}

void hupc__ucx_note_descriptors(void)
{
	memset(descriptors.before, 0, sizeof descriptors.before);
	each(note);
}

void hupc__ucx_close_on_exec(void)
{
	each(look);
	descriptors.opened = true;
}
