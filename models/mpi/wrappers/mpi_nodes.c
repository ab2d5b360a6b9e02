/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Three files for each node, in the measurement's directory. HOST contains a number that no other process has; the
 * process of the host that holds a lock on it is its owner until it ends. Rank 0 makes NUMBER.asked. The owner agrees
 * by making NUMBER.said, with its rank; rank 0 excludes the node by making that file itself. The process that makes
 * NUMBER.said first has decided, so none waits for a process that has ended, or that waited long enough.
 */
#include "models/mpi/wrappers/mpi_nodes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "models/mpi/wrappers/mpi_effects.h"
#include "models/mpi/wrappers/mpi_memory.h"

#define PREFIX ".clock."
#define NAME_SIZE 128
#define MOST_NODES 4096
#define ASK_NS UINT64_C(1000000000)
#define ANSWER_NS UINT64_C(2000000000)
#define LEAST_NAP_NS 200000
#define MOST_NAP_NS 20000000
#define LATE_NAPS 3000 /* a minute: a network file system may show a new file late */

static int directory = -1, own = -1; /* own: the locked file; negative: another process represents this node */
static char own_name[NAME_SIZE];
static uint64_t own_number;

/* ---- files ---- */

/* Opens a new descriptor each time, so that a network file system looks for new files. */
static bool open_directory(void)
{
	int again = open(heddle__mpi->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory >= 0)
		close(directory);
	directory = again;
	return directory >= 0;
}

static void close_directory(void)
{
	if (directory >= 0)
		close(directory);
	directory = -1;
}

static void name_of(char name[NAME_SIZE], uint64_t number, const char *what)
{
	snprintf(name, NAME_SIZE, PREFIX "%016" PRIx64 ".%s", number, what);
}

static bool is_there(uint64_t number, const char *what)
{
	char name[NAME_SIZE];
	name_of(name, number, what);
	return faccessat(directory, name, F_OK, 0) == 0;
}

static void remove_file(uint64_t number, const char *what)
{
	char name[NAME_SIZE];
	name_of(name, number, what);
	unlinkat(directory, name, 0);
}

/* The file appears with its contents, and only if it does not exist. Returns 0, or an error number. */
static int make_file(uint64_t number, const char *what, int value)
{
	char name[NAME_SIZE], aside[NAME_SIZE], text[16];
	uint64_t nonce = 0;
	int length = snprintf(text, sizeof(text), "%d", value);
	name_of(name, number, what);
	if (getrandom(&nonce, sizeof(nonce), 0) != sizeof(nonce))
		return EIO;
	name_of(aside, nonce, "part");
	int file = openat(directory, aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (file < 0)
		return errno;
	int error = write(file, text, (size_t)length) == length ? 0 : EIO;
	close(file);
	if (!error && linkat(directory, aside, directory, name, 0) != 0)
		error = errno;
	unlinkat(directory, aside, 0);
	return error;
}

/* Returns the number in a file, in that base; 0: none. */
static uint64_t read_file(const char *name, int base)
{
	char text[32];
	int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t length = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
	if (file >= 0)
		close(file);
	text[length > 0 ? length : 0] = '\0';
	return strtoull(text, NULL, base);
}

static uint64_t nap(uint64_t ns)
{
	struct timespec time = {0, (long)ns};
	nanosleep(&time, NULL);
	return ns < MOST_NAP_NS ? ns + ns / 4 : ns;
}

/* ---- the process that represents a node ---- */

static long number_in(const char *variable)
{
	const char *text = getenv(variable);
	return text ? strtol(text, NULL, 10) : 0;
}

/* True for several ranks, unless the launcher reports that they are on one node. */
static bool may_be_several_nodes(void)
{
	static const char *const counts[][2] = {
		{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"}, {"PMI_SIZE", "MPI_LOCALNRANKS"}};
	if (number_in("SLURM_STEP_NUM_NODES") == 1)
		return false;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		long all = number_in(counts[i][0]);
		if (all > 1)
			return all != number_in(counts[i][1]);
	}
	return number_in("SLURM_STEP_NUM_TASKS") > 1;
}

void heddle__mpi_nodes_announce(void)
{
	char text[24];
	if (!heddle__mpi->traces || own >= 0 || !may_be_several_nodes() || !open_directory())
		return;
	snprintf(own_name, sizeof(own_name), PREFIX "%.64s.host", heddle__mpi->host);
	own = openat(directory, own_name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	bool owns = own >= 0 && flock(own, LOCK_EX | LOCK_NB) == 0 &&
		    getrandom(&own_number, sizeof(own_number), 0) == sizeof(own_number);
	int length = snprintf(text, sizeof(text), "%016" PRIx64, own_number);
	if (owns && pwrite(own, text, (size_t)length, 0) == length)
		return;
	if (own >= 0)
		close(own);
	own = -1;
}

static void forget_own(void)
{
	unlinkat(directory, own_name, 0);
	close(own);
	own = -1;
}

/* ---- rank 0 ---- */

struct asked {
	uint64_t number;
	int rank; /* negative: it does not take part */
};

/* Requests the ranks of all nodes. A process of this node learns at once that it is not needed. */
static size_t ask_all(struct asked *nodes)
{
	size_t count = 0;
	DIR *listing = opendir(heddle__mpi->directory);
	for (const struct dirent *entry; listing && (entry = readdir(listing)) != NULL;) {
		size_t length = strlen(entry->d_name);
		bool is_host = strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 && length > 5 &&
			       strcmp(entry->d_name + length - 5, ".host") == 0;
		uint64_t number = is_host ? read_file(entry->d_name, 16) : 0;
		if (!number || number == own_number || count == MOST_NODES)
			continue;
		if (strcmp(entry->d_name, own_name) == 0)
			make_file(number, "said", -1);
		else if (make_file(number, "asked", 0) == 0)
			nodes[count++] = (struct asked){number, -1};
	}
	if (listing)
		closedir(listing);
	return count;
}

static int rank_said(uint64_t number)
{
	char name[NAME_SIZE];
	name_of(name, number, "said");
	int rank = (int)read_file(name, 10);
	return rank > 0 ? rank : -1;
}

static void wait_for_answer(struct asked *node, uint64_t until_ns)
{
	uint64_t pause_ns = LEAST_NAP_NS;
	while (!is_there(node->number, "said") && heddle__mpi->clock() < until_ns) {
		pause_ns = nap(pause_ns);
		if (!open_directory())
			break;
	}
	int error = make_file(node->number, "said", -1);
	for (int i = 0; error == EEXIST && i < LATE_NAPS; i++, nap(MOST_NAP_NS)) { /* it agreed */
		node->rank = rank_said(node->number);
		if (node->rank > 0 || !open_directory())
			break;
	}
	remove_file(node->number, "asked");
	remove_file(node->number, "said");
}

void heddle__mpi_nodes_ask(void (*found)(int rank))
{
	struct asked *nodes = open_directory() ? heddle__mpi_map(MOST_NODES * sizeof(*nodes)) : NULL;
	size_t count = nodes ? ask_all(nodes) : 0;
	uint64_t until_ns = heddle__mpi->clock() + ASK_NS;
	for (size_t i = 0; i < count; i++)
		wait_for_answer(&nodes[i], until_ns);
	for (size_t i = 0; i < count; i++)
		if (nodes[i].rank > 0)
			found(nodes[i].rank);
	if (own >= 0)
		forget_own();
	heddle__mpi_unmap(nodes, MOST_NODES * sizeof(*nodes));
	close_directory();
}

/* ---- other ranks ---- */

int heddle__mpi_nodes_answer(int rank)
{
	uint64_t until_ns = heddle__mpi->clock() + ANSWER_NS, pause_ns = LEAST_NAP_NS;
	bool asked = false, refused = false;
	if (own < 0)
		return false;
	while (open_directory() && heddle__mpi->clock() < until_ns) {
		asked = is_there(own_number, "asked");
		refused = is_there(own_number, "said");
		if (asked || refused)
			break;
		pause_ns = nap(pause_ns);
	}
	bool agreed = directory >= 0 && asked && make_file(own_number, "said", rank) == 0;
	if (directory >= 0 && refused)
		remove_file(own_number, "said");
	forget_own();
	close_directory();
	return agreed;
}
