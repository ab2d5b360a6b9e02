/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is made is described at once, in all of its members: the names of several of the same members depend on their
 * order.
 */
#include "models/mpi/wrappers/mpi_membership.h"

#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_library.h"

/* 0: nothing was made. */
static uintptr_t handle_made(const struct heddle_mpi_operation *operation)
{
	return operation->result == 0 ? heddle__mpi_handle_at(operation->words[operation->function->at.made], 0) : 0;
}

void heddle__mpi_comm_made(struct heddle_mpi_operation *operation)
{
	uintptr_t made = handle_made(operation);
	if (made && made != heddle__mpi_abi.comm_null)
		heddle__mpi_comm(made);
}

void heddle__mpi_comm_freed(struct heddle_mpi_operation *operation)
{
	heddle__mpi_comm_forget(heddle__mpi_handle_at(operation->words[0], 0));
}

void heddle__mpi_window_made(struct heddle_mpi_operation *operation)
{
	uintptr_t made = handle_made(operation);
	if (made)
		heddle__mpi_window(made);
}

void heddle__mpi_window_freed(struct heddle_mpi_operation *operation)
{
	heddle__mpi_window_forget(heddle__mpi_handle_at(operation->words[0], 0));
}

/* The members of the window wait for each other, as at a barrier; those that need not leave at once. */
void heddle__mpi_fence_begins(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_comm *comm =
		heddle__mpi->traces ? heddle__mpi_window_known(operation->words[operation->function->at.window]) : NULL;
	if (comm)
		operation->call.communicator = comm->identity;
}
