/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators and windows: the ranks of their members in MPI_COMM_WORLD. A description stays valid after the handle
 * was freed, since receives may be pending.
 */
#ifndef HEDDLE_MODELS_MPI_COMMS_H
#define HEDDLE_MODELS_MPI_COMMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/hash.h"
#include "core/base/likely.h"
#include "models/mpi/wrappers/mpi_library.h"

struct heddle_mpi_comm {
	const int *world;  /* ranks in MPI_COMM_WORLD by rank here; negative: in another world */
	uint64_t identity; /* members << 40 | a number, the same in all; 0: some are in another world */
	uint32_t number;   /* from 1 on, the process's own; 0: without identity */
	uint32_t text;     /* its name, as heddle__mpi->text gave it; the same in all members */
	int size;          /* of the other group in an intercommunicator */
	bool inter;
	int own_size;       /* of the process's group */
	int rank;           /* the process's own */
	int own;            /* its rank in MPI_COMM_WORLD; negative: not known */
	uint32_t across;    /* HEDDLE_TRACE_ACROSS */
	int out, in;        /* neighbours; 0 without topology */
	uint32_t *channels; /* groups of partitioned messages, by number; 0: not made yet */
	uint64_t absent;    /* bit by neighbour: beyond the edge of a grid, so there is none (MPI_PROC_NULL) */
};

/* Those that are known, by handle: a hash table, read without a lock. */
struct heddle_mpi_comm_entry {
	_Atomic uintptr_t handle; /* UINTPTR_MAX: free */
	struct heddle_mpi_comm_entry *next;
	const struct heddle_mpi_comm *_Atomic comm;
};

#define HEDDLE_MPI_COMM_BITS 10

struct heddle_mpi_comm_table {
	struct heddle_mpi_comm_entry *_Atomic buckets[1u << HEDDLE_MPI_COMM_BITS];
	const struct heddle_mpi_comm *(*ask)(uintptr_t handle);
};

extern struct heddle_mpi_comm_table heddle__mpi_comms;

/* The slow path of heddle__mpi_comm: the communicator is not the first in its bucket. */
const struct heddle_mpi_comm *heddle__mpi_comm_find(uintptr_t handle);

/*
 * Returns the communicator of that handle; NULL: invalid, or no memory. Queries the library on first use. Context: any
 * thread.
 */
static inline const struct heddle_mpi_comm *heddle__mpi_comm(uintptr_t word)
{
	uintptr_t handle = heddle__mpi_handle(word);
	struct heddle_mpi_comm_entry *entry = atomic_load_explicit(
		&heddle__mpi_comms.buckets[heddle__hash(handle) >> (64 - HEDDLE_MPI_COMM_BITS)], memory_order_acquire);
	if (HEDDLE_LIKELY(entry && atomic_load_explicit(&entry->handle, memory_order_acquire) == handle))
		return atomic_load_explicit(&entry->comm, memory_order_relaxed);
	return heddle__mpi_comm_find(handle);
}

/* Like heddle__mpi_comm, for known communicators only: the library is not queried. */
const struct heddle_mpi_comm *heddle__mpi_comm_known(uintptr_t handle);

/*
 * Describes a copy of a communicator that is being made: its handle is known, so the library need not be queried. All
 * ranks name copies in the order of the calls, even if they use them in another order.
 */
void heddle__mpi_comm_copied(uintptr_t from, uintptr_t handle);

/*
 * Returns a group with the same members, for a partitioned message: only the message that was initialized in the same
 * order, with the same ranks and tag, matches it. As `number` of a communicator; 0: not known.
 */
uint32_t heddle__mpi_comm_channel(const struct heddle_mpi_comm *comm, int partner, int tag, bool sends);

/* Like heddle__mpi_comm and heddle__mpi_comm_known, for a window's group. */
const struct heddle_mpi_comm *heddle__mpi_window(uintptr_t handle);
const struct heddle_mpi_comm *heddle__mpi_window_known(uintptr_t handle);

/*
 * Gets the ranks in MPI_COMM_WORLD of a group's members, stored after `size` others: `ranks` has room for both.
 * Context: any thread.
 */
bool heddle__mpi_group_ranks(uintptr_t group, int size, int *ranks);

/*
 * Called before a handle is freed, since the same handle may be used for another communicator or window. Context: any
 * thread.
 */
void heddle__mpi_comm_forget(uintptr_t handle);
void heddle__mpi_window_forget(uintptr_t handle);

/*
 * Returns the rank in MPI_COMM_WORLD of a member (of the other group in an intercommunicator, where MPI_ROOT is this
 * process). Negative: none, or not known.
 */
static inline int heddle__mpi_world_rank(const struct heddle_mpi_comm *comm, int rank)
{
	if (HEDDLE_LIKELY(comm && (unsigned int)rank < (unsigned int)comm->size))
		return comm->world[rank];
	return comm && comm->inter && rank == heddle__mpi_abi.root ? comm->own : -1;
}

#endif
