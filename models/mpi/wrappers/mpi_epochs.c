/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ranks of an epoch are recorded at its begin, since the calls that end it do not have them. A window has at most
 * one epoch of each side, and MPI allows only one thread at a time to work on it; memory is that of the epochs of all
 * windows that were open at the same time. Epochs are in lists by the hash of the window, so that a program with many
 * windows finds the right one at once.
 */
#include "models/mpi/wrappers/mpi_epochs.h"

#include <pthread.h>

#include "core/base/hash.h"
#include "models/mpi/wrappers/mpi_arguments.h"
#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_library.h"
#include "models/mpi/wrappers/mpi_memory.h"

#define LEAST_ROOM 16
#define LIST_BITS 6

/* The process accesses windows of others, or exposes its own. */
enum side { ACCESSES, EXPOSES };

struct epoch {
	struct epoch *next;
	uintptr_t window;
	enum side side;
	bool open;
	size_t count, room;
	struct heddle_mpi_message *messages; /* one for each partner */
	int *ranks;                          /* twice the room */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct epoch *lists[1u << LIST_BITS];

static uintptr_t window_of(const struct heddle_mpi_operation *operation)
{
	return heddle__mpi_handle(operation->words[operation->function->at.window]);
}

static struct epoch **list_of(uintptr_t window)
{
	return &lists[heddle__hash(window) >> (64 - LIST_BITS)];
}

/* Returns NULL if the epoch is not open. Context: the lock is held. */
static struct epoch *find_open(uintptr_t window, enum side side)
{
	for (struct epoch *epoch = *list_of(window); epoch; epoch = epoch->next)
		if (epoch->open && epoch->window == window && epoch->side == side)
			return epoch;
	return NULL;
}

static struct epoch *find(const struct heddle_mpi_operation *operation, enum side side)
{
	if (!heddle__mpi->traces)
		return NULL;
	pthread_mutex_lock(&lock);
	struct epoch *epoch = find_open(window_of(operation), side);
	pthread_mutex_unlock(&lock);
	return epoch;
}

static void close_epoch(struct epoch *epoch)
{
	pthread_mutex_lock(&lock);
	epoch->open = false;
	pthread_mutex_unlock(&lock);
}

/* Context: the lock is held. */
static struct epoch *add_epoch(struct epoch **list, size_t count)
{
	size_t room = count > LEAST_ROOM ? count : LEAST_ROOM;
	struct epoch *epoch = heddle__mpi_alloc(sizeof(*epoch));
	struct heddle_mpi_message *messages = heddle__mpi_alloc(room * sizeof(*messages));
	int *ranks = heddle__mpi_alloc(2 * room * sizeof(*ranks));
	if (!epoch || !messages || !ranks)
		return NULL;
	*epoch = (struct epoch){.next = *list, .room = room, .messages = messages, .ranks = ranks};
	*list = epoch;
	return epoch;
}

/* Opens an epoch. An epoch that was not ended, because the call for that failed, is dropped. */
static struct epoch *take_epoch(uintptr_t window, enum side side, size_t count)
{
	struct epoch **list = list_of(window);
	pthread_mutex_lock(&lock);
	struct epoch *epoch = find_open(window, side);
	if (epoch)
		epoch->open = false;
	for (epoch = *list; epoch && (epoch->open || epoch->room < count);)
		epoch = epoch->next;
	if (!epoch)
		epoch = add_epoch(list, count);
	if (epoch) {
		epoch->window = window;
		epoch->side = side;
		epoch->count = count;
		epoch->open = true;
	}
	pthread_mutex_unlock(&lock);
	return epoch;
}

/* Opens an epoch with the ranks of the group in the first argument. Returns NULL if there are none, or no trace. */
static struct epoch *open_epoch(const struct heddle_mpi_operation *operation, enum side side)
{
	const struct heddle_mpi_comm *comm =
		heddle__mpi->traces ? heddle__mpi_window_known(window_of(operation)) : NULL;
	uintptr_t group = heddle__mpi_handle(operation->words[0]);
	int size = 0;
	if (!comm || !comm->number || heddle__mpi_helpers.Group_size(group, &size) != 0 || size <= 0)
		return NULL;
	struct epoch *epoch = take_epoch(window_of(operation), side, (size_t)size);
	if (!epoch)
		return NULL;
	if (!heddle__mpi_group_ranks(group, size, epoch->ranks)) {
		close_epoch(epoch);
		return NULL;
	}
	for (size_t i = 0; i < epoch->count; i++)
		epoch->messages[i] =
			(struct heddle_mpi_message){.partner = epoch->ranks[epoch->count + i], .group = comm->number};
	return epoch;
}

static void say(struct epoch *epoch, enum heddle_trace_message what, enum heddle_trace_grant grant, uint64_t request)
{
	for (size_t i = 0; i < epoch->count; i++) {
		epoch->messages[i].record = what;
		epoch->messages[i].tag = (int32_t)grant;
		epoch->messages[i].request = request;
	}
}

/* Posting does not wait, so it is recorded after the call, with the time of its begin. */
static void post(struct heddle_mpi_operation *operation)
{
	struct epoch *epoch = open_epoch(operation, EXPOSES);
	if (!epoch)
		return;
	say(epoch, HEDDLE_TRACE_GRANTED, HEDDLE_TRACE_POST, 0);
	heddle__mpi->exchange(&operation->call, epoch->messages, epoch->count, 1);
}

static void await(
	struct heddle_mpi_operation *operation, struct epoch *epoch, enum heddle_trace_grant grant, bool again)
{
	if (!epoch)
		return;
	say(epoch, HEDDLE_TRACE_AWAITED, grant, again);
	heddle__mpi->exchange(&operation->call, epoch->messages, epoch->count, 1);
	if (again || grant == HEDDLE_TRACE_COMPLETE)
		close_epoch(epoch);
}

static enum heddle_mpi_number number_of(const struct heddle_mpi_operation *operation)
{
	return (enum heddle_mpi_number)(heddle__mpi_function_number(operation->function) - 1);
}

/* The partners may continue before a call that completes accesses returns. */
void heddle__mpi_epoch_ending(struct heddle_mpi_operation *operation)
{
	struct epoch *epoch = number_of(operation) == HEDDLE_MPI_Win_complete ? find(operation, ACCESSES) : NULL;
	if (!epoch)
		return;
	say(epoch, HEDDLE_TRACE_GRANTED, HEDDLE_TRACE_COMPLETE, 0);
	operation->entered.sends = epoch->messages;
	operation->entered.send_count = epoch->count;
}

/* A library may wait for posts at the start of accesses, or only when they must be complete. */
void heddle__mpi_epoch_changed(struct heddle_mpi_operation *operation)
{
	if (!happened(operation))
		return;
	if (number_of(operation) == HEDDLE_MPI_Win_post)
		post(operation);
	else if (number_of(operation) == HEDDLE_MPI_Win_start)
		await(operation, open_epoch(operation, ACCESSES), HEDDLE_TRACE_POST, false);
	else if (number_of(operation) == HEDDLE_MPI_Win_complete)
		await(operation, find(operation, ACCESSES), HEDDLE_TRACE_POST, true);
	else
		await(operation, find(operation, EXPOSES), HEDDLE_TRACE_COMPLETE, false);
}
