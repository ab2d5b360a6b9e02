/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock is recorded where it is asked for, since a library may take it at any later call; the others when they end. */
#include "models/mpi/wrappers/mpi_passive.h"

#include "models/mpi/wrappers/mpi_exchange.h"

static enum heddle_mpi_number number_of(const struct heddle_mpi_operation *operation)
{
	return (enum heddle_mpi_number)(heddle__mpi_function_number(operation->function) - 1);
}

static const struct heddle_mpi_comm *window_of(const struct heddle_mpi_operation *operation)
{
	return heddle__mpi_window_known(operation->words[operation->function->at.window]);
}

/* In the window; negative: all. */
static int target_of(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.destination;
	return at >= 0 ? rank_at(operation, at) : -1;
}

/* The type of a lock is an argument; a lock of all is shared. */
static enum heddle_trace_window_call lock_of(const struct heddle_mpi_operation *operation)
{
	bool shared = number_of(operation) == HEDDLE_MPI_Win_lock_all ||
		      (int)operation->words[0] == heddle__mpi_abi.lock_shared;
	return shared ? HEDDLE_TRACE_WINDOW_LOCK_SHARED : HEDDLE_TRACE_WINDOW_LOCK;
}

void heddle__mpi_passive_begins(struct heddle_mpi_operation *operation)
{
	enum heddle_mpi_number number = number_of(operation);
	const struct heddle_mpi_comm *comm =
		number == HEDDLE_MPI_Win_lock || number == HEDDLE_MPI_Win_lock_all ? window_of(operation) : NULL;
	if (!comm || !comm->number)
		return;
	operation->sends = (struct heddle_mpi_message){.partner = heddle__mpi_world_rank(comm, target_of(operation)),
		.record = HEDDLE_TRACE_WINDOW,
		.group = comm->number,
		.tag = lock_of(operation)};
	operation->entered.sends = &operation->sends;
}

void heddle__mpi_passive_ends(struct heddle_mpi_operation *operation)
{
	enum heddle_trace_window_call what;
	switch (number_of(operation)) {
	case HEDDLE_MPI_Win_unlock:
	case HEDDLE_MPI_Win_unlock_all:
		what = HEDDLE_TRACE_WINDOW_UNLOCK;
		break;
	case HEDDLE_MPI_Win_flush:
	case HEDDLE_MPI_Win_flush_all:
		what = HEDDLE_TRACE_WINDOW_FLUSH;
		break;
	case HEDDLE_MPI_Win_flush_local:
	case HEDDLE_MPI_Win_flush_local_all:
		what = HEDDLE_TRACE_WINDOW_FLUSH_LOCAL;
		break;
	default:
		return;
	}
	if (succeeded(operation))
		record_request(
			operation, window_of(operation), target_of(operation), HEDDLE_TRACE_WINDOW, (int)what, 0);
}
