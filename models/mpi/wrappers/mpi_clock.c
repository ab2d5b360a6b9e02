/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A question is a message with a number other than 0; 0 ends the questions. Rank 0 answers the ranks one after the
 * other. All ranks call MPI_Finalize, so rank 0 may wait for each of them there.
 */
#include "models/mpi/wrappers/mpi_clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/mpi/wrappers/mpi_library.h"
#include "models/mpi/wrappers/mpi_memory.h"
#include "models/mpi/wrappers/mpi_nodes.h"

#define TAG 0x4864 /* of making a communicator; any number that MPI allows */

/* A communicator of rank 0 and another rank, of which it is the second. */
struct pair {
	uintptr_t comm;
	struct pair *next;
};

static struct pair *pairs; /* rank 0: in the order in which they were made; others: their own */
static uintptr_t asked;    /* the communicator by which this rank asks */

static bool library_can(void)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	return mpi->Comm_create_group && mpi->Group_incl && mpi->Comm_free && mpi->Send && mpi->Recv &&
	       mpi->Comm_get_parent && heddle__mpi_abi.byte;
}

static bool is_spawned(void)
{
	uintptr_t parent = 0;
	return heddle__mpi_helpers.Comm_get_parent(&parent) != 0 ||
	       heddle__mpi_handle(parent) != heddle__mpi_handle(heddle__mpi_abi.comm_null);
}

/* Makes the communicator of rank 0 and this rank; both call it. 0: it failed. */
static uintptr_t make_pair(int rank)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	const int ranks[] = {0, rank};
	uintptr_t all = 0, two = 0, made = 0;
	if (mpi->Comm_group(heddle__mpi_abi.world, &all) != 0)
		return 0;
	if (mpi->Group_incl(heddle__mpi_handle(all), 2, ranks, &two) == 0 &&
		mpi->Comm_create_group(heddle__mpi_abi.world, heddle__mpi_handle(two), TAG, &made) != 0)
		made = 0;
	if (two)
		mpi->Group_free(&two);
	mpi->Group_free(&all);
	return made;
}

static void add_pair(int rank)
{
	struct pair **last = &pairs, *pair = heddle__mpi_alloc(sizeof(*pair));
	if (!pair)
		return;
	pair->comm = make_pair(rank);
	while (*last)
		last = &(*last)->next;
	*last = pair->comm ? pair : NULL;
}

/* ---- questions ---- */

static bool send_number(uintptr_t comm, uint64_t number, int to)
{
	return heddle__mpi_helpers.Send(&number, sizeof(number), heddle__mpi_abi.byte, (uintptr_t)to, TAG,
		       heddle__mpi_handle(comm)) == 0;
}

static bool receive_number(uintptr_t comm, uint64_t *number, int from)
{
	return heddle__mpi_helpers.Recv(number, sizeof(*number), heddle__mpi_abi.byte, (uintptr_t)from, TAG,
		       heddle__mpi_handle(comm), heddle__mpi_abi.status_ignore) == 0;
}

static int ask(uint64_t *ns)
{
	return send_number(asked, 1, 0) && receive_number(asked, ns, 0);
}

static void answer(const struct pair *pair)
{
	uint64_t question = 0;
	while (receive_number(pair->comm, &question, 1) && question)
		if (!send_number(pair->comm, heddle__mpi->clock(), 1))
			return;
}

static void measure(int rank)
{
	for (const struct pair *pair = pairs; pair; pair = pair->next) {
		asked = pair->comm;
		if (rank == 0) {
			answer(pair);
		} else {
			heddle__mpi->measure_clock(ask);
			send_number(pair->comm, 0, 0);
		}
	}
}

static int rank_of_world(void)
{
	int rank = -1;
	return heddle__mpi_helpers.Comm_rank(heddle__mpi_abi.world, &rank) == 0 ? rank : -1;
}

/* ---- begin and end ---- */

void heddle__mpi_clock_prepare(void)
{
	if (library_can())
		heddle__mpi_nodes_announce();
}

void heddle__mpi_clock_begin(void)
{
	int rank = library_can() && !is_spawned() ? rank_of_world() : -1;
	if (rank == 0)
		heddle__mpi_nodes_ask(add_pair);
	else if (rank > 0 && heddle__mpi_nodes_answer(rank))
		add_pair(rank);
	measure(rank);
}

void heddle__mpi_clock_end(void)
{
	if (pairs)
		measure(rank_of_world());
	for (struct pair *pair = pairs; pair; pair = pair->next)
		heddle__mpi_helpers.Comm_free(&pair->comm);
	pairs = NULL;
}
