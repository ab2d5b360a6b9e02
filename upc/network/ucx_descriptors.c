/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes exec close UCX's descriptors, which UCX does not do: otherwise a command that a program starts would keep
 * connections open after the program has died. UCX's descriptors are those that appear while it is opened, TCP sockets
 * that appear while it connects, and those that it accepted, which have the port on which it listens. Context: lock
 * held.
 */
#include "upc/network/ucx.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define LISTENING 64

static struct {
	unsigned char before[1024];                   /* bits: descriptors that were open */
	struct sockaddr_storage addresses[LISTENING]; /* where UCX listens */
	int sockets[LISTENING];
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

in_port_t hupc__ucx_port(const struct sockaddr_storage *address)
{
	if (address->ss_family == AF_INET)
		return ((const struct sockaddr_in *)address)->sin_port;
	return address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port : 0;
}

/* Gets the address of a TCP socket; false: it is not one. */
static bool address_of(int fd, struct sockaddr_storage *address)
{
	socklen_t size = sizeof *address;
	int type = 0;
	socklen_t type_size = sizeof type;
	memset(address, 0, sizeof *address);
	return !getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) && type == SOCK_STREAM &&
	       !getsockname(fd, (struct sockaddr *)address, &size) && hupc__ucx_port(address);
}

static bool listens(int fd)
{
	int answer = 0;
	socklen_t size = sizeof answer;
	return !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) && answer;
}

static bool accepted(const struct sockaddr_storage *where)
{
	for (int i = 0; i < descriptors.count; i++) {
		if (hupc__ucx_port(&descriptors.addresses[i]) == hupc__ucx_port(where))
			return true;
	}
	return false;
}

static void add_descriptor(int fd, const struct sockaddr_storage *where)
{
	if (descriptors.count == LISTENING)
		return;
	descriptors.addresses[descriptors.count] = *where;
	descriptors.sockets[descriptors.count++] = fd;
}

static void handle_descriptor(int fd)
{
	int flags = fcntl(fd, F_GETFD);
	struct sockaddr_storage where;
	bool internet;
	if (flags < 0 || (descriptors.opened && flags & FD_CLOEXEC))
		return;
	internet = address_of(fd, &where);
	if (is_new(fd) && internet && !descriptors.opened && listens(fd))
		add_descriptor(fd, &where);
	if (is_new(fd) ? internet || !descriptors.opened : internet && accepted(&where))
		fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
}

void hupc__ucx_note_descriptors(void)
{
	memset(descriptors.before, 0, sizeof descriptors.before);
	each(note);
}

void hupc__ucx_close_on_exec(void)
{
	each(handle_descriptor);
	descriptors.opened = true;
}

bool hupc__ucx_listens(int fd)
{
	struct sockaddr_storage where;
	if (!address_of(fd, &where))
		return false;
	for (int i = 0; i < descriptors.count; i++) {
		if (descriptors.sockets[i] == fd && !memcmp(&descriptors.addresses[i], &where, sizeof where))
			return true;
	}
	return false;
}

void hupc__ucx_each_listening(void (*visit)(int fd))
{
	for (int i = 0; i < descriptors.count; i++)
		visit(descriptors.sockets[i]);
}

void hupc__ucx_write_address(const struct sockaddr_storage *address, char *text, size_t size)
{
	const void *number = address->ss_family == AF_INET6
				     ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
				     : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
	char digits[INET6_ADDRSTRLEN] = "?";
	inet_ntop(address->ss_family, number, digits, sizeof digits);
	snprintf(text, size, address->ss_family == AF_INET6 ? "[%s]:%u" : "%s:%u", digits,
		(unsigned)ntohs(hupc__ucx_port(address)));
}

void hupc__ucx_write_listening(char *text, size_t size)
{
	size_t length = 0;
	text[0] = '\0';
	for (int i = 0; i < descriptors.count; i++) {
		char one[64];
		hupc__ucx_write_address(&descriptors.addresses[i], one, sizeof one);
		if (length + strlen(one) + 2 > size)
			return;
		length += (size_t)snprintf(text + length, size - length, "%s%s", i ? " " : "", one);
	}
}

void hupc__ucx_forget_descriptors(void)
{
	descriptors.count = 0;
	descriptors.opened = false;
}
