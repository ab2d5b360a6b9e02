/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators and windows: which ranks of MPI_COMM_WORLD their members are. What is known stays valid after the
 * handle was freed, since receives may be pending.
 */
#ifndef HEDDLE_MODELS_MPI_COMMS_H
#define HEDDLE_MODELS_MPI_COMMS_H

#include <stdbool.h>
#include <stdint.h>

#include "models/mpi/wrappers/mpi_library.h"

struct heddle_mpi_comm {
	uint64_t identity; /* members << 40 | a number, the same in all; 0: some are in another world */
	uint32_t number;   /* from 1 on, the process's own; 0: without identity */
	uint32_t text;     /* its name, as heddle__mpi->text gave it; the same in all members */
	int size;          /* of the other group in an intercommunicator */
	int own_size;      /* of the process's group */
	int rank;          /* the process's own */
	int own;           /* its rank in MPI_COMM_WORLD; negative: not known */
	bool inter;
	uint32_t across;  /* HEDDLE_TRACE_ACROSS */
	int out, in;      /* neighbours; 0 without topology */
	uint64_t absent;  /* bit by neighbour: beyond the edge of a grid, so there is none (MPI_PROC_NULL) */
	const int *world; /* ranks in MPI_COMM_WORLD by rank here; negative: in another world */
};

/*
 * The communicator of that handle; NULL: it is none, or there is no memory. Asks the library at the first time.
 * Context: any thread.
 */
const struct heddle_mpi_comm *heddle__mpi_comm(uintptr_t handle);

/* The same, if it is known already: the library is not asked. */
const struct heddle_mpi_comm *heddle__mpi_comm_known(uintptr_t handle);

/*
 * A copy of that communicator is under way: its handle is known, and it is described without asking the library. All
 * ranks name copies in the order of calls, and may use them in another one.
 */
void heddle__mpi_comm_copied(uintptr_t from, uintptr_t handle);

/* The same for a window's group. */
const struct heddle_mpi_comm *heddle__mpi_window(uintptr_t handle);
const struct heddle_mpi_comm *heddle__mpi_window_known(uintptr_t handle);

/*
 * The ranks in MPI_COMM_WORLD of a group's members, after `size` others: `ranks` has room for both. Context: any
 * thread.
 */
bool heddle__mpi_group_ranks(uintptr_t group, int size, int *ranks);

/* The handle is about to be freed, and may mean another communicator or window afterwards. Context: any thread. */
void heddle__mpi_comm_forget(uintptr_t handle);
void heddle__mpi_window_forget(uintptr_t handle);

/*
 * The rank in MPI_COMM_WORLD of a member, of the other group in an intercommunicator; MPI_ROOT there is this process.
 * Negative: none, or not known.
 */
static inline int heddle__mpi_world_rank(const struct heddle_mpi_comm *comm, int rank)
{
	if (comm && comm->inter && rank == heddle__mpi_abi.root)
		return comm->own;
	return comm && rank >= 0 && rank < comm->size ? comm->world[rank] : -1;
}

#endif
