/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client of PMI-1: lines of text over a socket that the launcher (MPICH's Hydra, Slurm) leaves open in each process.
 * An MPI library in the process uses the same socket, one command after another, and ends its use in MPI_Finalize. The
 * launcher then closes its end, and so do some MPI libraries.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "upc/runtime/base/say.h"
#include "upc/runtime/start/launcher.h"

#define LINE 1200 /* longer than all lines of the protocol */

static int channel = -1;
static struct stat identity; /* of the socket: its descriptor may be closed and reused */
static char space[264];      /* the name of the job's key-value space */
static atomic_bool waiting;  /* for an answer */
static pid_t parent;

static bool is_open(void)
{
	struct stat now;
	return channel >= 0 && fstat(channel, &now) == 0 && now.st_dev == identity.st_dev &&
	       now.st_ino == identity.st_ino;
}

static bool send_line(const char *line, size_t length)
{
	while (length > 0) {
		ssize_t sent = send(channel, line, length, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		line += sent;
		length -= (size_t)sent;
	}
	return true;
}

/* The launcher sends nothing after an answer until the next command. */
static bool receive_line(char *line, size_t size)
{
	size_t length = 0;
	while (length == 0 || line[length - 1] != '\n') {
		ssize_t got = length + 1 < size ? read(channel, line + length, size - 1 - length) : 0;
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		length += (size_t)got;
	}
	line[length - 1] = '\0';
	return true;
}

/* Sends a command and receives its answer, which must begin with the words ANSWER. */
static bool converse(char line[LINE], const char *answer)
{
	bool good = is_open() && (atomic_store(&waiting, true), send_line(line, strlen(line))) &&
		    receive_line(line, LINE) && strncmp(line, answer, strlen(answer)) == 0;
	atomic_store(&waiting, false);
	return good;
}

/* The value of a word "name=..." in an answer; NULL: none. */
static const char *value_of(const char *line, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = line; (at = strstr(at, name)) != NULL; at += length) {
		if (at > line && at[-1] == ' ' && at[length] == '=')
			return at + length + 1;
	}
	return NULL;
}

static void copy_word(char *to, size_t size, const char *word)
{
	size_t length = strcspn(word, " ");
	length = length < size ? length : size - 1;
	memcpy(to, word, length);
	to[length] = '\0';
}

static struct hupc__job job;

static bool put(const char *key, const char *value)
{
	char line[LINE];
	const char *code;
	hupc__format(line, sizeof(line), "cmd=put kvsname=%s key=hupc-%d-%s value=%s\n", space, job.rank, key, value);
	return converse(line, "cmd=put_result") && (code = value_of(line, "rc")) && *code == '0';
}

static bool fence(void)
{
	char line[LINE] = "cmd=barrier_in\n";
	return converse(line, "cmd=barrier_out");
}

static bool get(int rank, const char *key, char *value, size_t size)
{
	char line[LINE];
	const char *found, *code;
	hupc__format(line, sizeof(line), "cmd=get kvsname=%s key=hupc-%d-%s\n", space, rank, key);
	if (!converse(line, "cmd=get_result") || !(code = value_of(line, "rc")) || *code != '0')
		return false;
	found = value_of(line, "value");
	if (found)
		copy_word(value, size, found);
	return found;
}

/* Polls again when a signal, such as that of a sample, interrupts the poll. */
static bool poll_again(struct pollfd *answer, int ms)
{
	int ready;
	do
		ready = poll(answer, 1, ms);
	while (ready < 0 && errno == EINTR);
	return ready == 1;
}

/* If the program uses MPI, MPI_Finalize sends this command: it has closed the socket, or will still be called. */
static void finalize(void)
{
	static const char command[] = "cmd=finalize\n";
	struct pollfd answer = {.fd = channel, .events = POLLIN};
	char line[LINE];
	if (hupc__job_has_mpi() || !is_open() || !send_line(command, sizeof(command) - 1))
		return;
	if (!atomic_load(&waiting) && poll_again(&answer, 2000))
		receive_line(line, sizeof(line));
	close(channel);
	channel = -1;
}

static void end_all(int status, const char *why)
{
	char line[64];
	(void)why;
	if (is_open())
		send_line(line, hupc__format(line, sizeof(line), "cmd=abort exitcode=%d\n", status));
}

static bool alive(void)
{
	char byte;
	bool closed = is_open() && recv(channel, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
	return !closed || (hupc__job_had_mpi() && getppid() == parent);
}

static int number_of(const char *name)
{
	const char *text = getenv(name);
	return text ? atoi(text) : -1;
}

static bool introduce(void)
{
	char line[LINE] = "cmd=init pmi_version=1 pmi_subversion=1\n";
	const char *code, *name;
	if (!converse(line, "cmd=response_to_init") || !(code = value_of(line, "rc")) || *code != '0')
		return false;
	strcpy(line, "cmd=get_my_kvsname\n");
	if (!converse(line, "cmd=my_kvsname") || !(name = value_of(line, "kvsname")))
		return false;
	copy_word(space, sizeof(space), name);
	return true;
}

const struct hupc__job *hupc__job_open_pmi1(char *problem, size_t size)
{
	job = (struct hupc__job){HUPC__JOB_VERSION, "PMI-1", number_of("PMI_RANK"), number_of("PMI_SIZE"), put, fence,
		get, finalize, end_all, alive};
	channel = number_of("PMI_FD");
	parent = getppid();
	if (channel < 0 || fstat(channel, &identity) != 0 || !S_ISSOCK(identity.st_mode))
		hupc__format(problem, size,
			"PMI_FD is %d, which is not an open socket; to run the program alone, unset PMI_FD", channel);
	else if (!introduce())
		hupc__format(problem, size, "it does not answer in PMI-1 on descriptor %d (PMI_FD)", channel);
	else
		return &job;
	return NULL;
}
