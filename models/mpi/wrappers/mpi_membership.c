/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A new communicator or window is described at once, in all of its members, since the names of several ones with the
 * same members depend on their order.
 */
#include "models/mpi/wrappers/mpi_membership.h"

#include <string.h>

#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_exchange.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_library.h"

/* Returns 0 if nothing was made. */
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

/*
 * The library sets the handle at once, or when the request completes; in the second case, it is queried at the first
 * use.
 */
void heddle__mpi_comm_copying(struct heddle_mpi_operation *operation)
{
	void *made = (void *)operation->words[operation->function->at.made];
	if (made)
		memcpy(made, &heddle__mpi_abi.comm_null, heddle__mpi_abi.handle);
}

void heddle__mpi_comm_copies(struct heddle_mpi_operation *operation)
{
	uintptr_t made = handle_made(operation);
	if (made && made != heddle__mpi_abi.comm_null)
		heddle__mpi_comm_copied(operation->words[operation->function->at.communicator], made);
}

void heddle__mpi_comm_freed(struct heddle_mpi_operation *operation)
{
	heddle__mpi_comm_forget(heddle__mpi_handle_at(operation->words[0], 0));
}

void heddle__mpi_window_made(struct heddle_mpi_operation *operation)
{
	uintptr_t made = handle_made(operation);
	if (made)
		record_request(
			operation, heddle__mpi_window(made), -1, HEDDLE_TRACE_WINDOW, HEDDLE_TRACE_WINDOW_MADE, 0);
}

void heddle__mpi_window_freed(struct heddle_mpi_operation *operation)
{
	uintptr_t handle = heddle__mpi_handle_at(operation->words[0], 0);
	const struct heddle_mpi_comm *comm = heddle__mpi->traces ? heddle__mpi_window_known(handle) : NULL;
	if (comm && comm->number) {
		operation->sends = (struct heddle_mpi_message){.partner = -1,
			.record = HEDDLE_TRACE_WINDOW,
			.group = comm->number,
			.tag = HEDDLE_TRACE_WINDOW_FREED};
		operation->entered.sends = &operation->sends;
	}
	heddle__mpi_window_forget(handle);
}

/*
 * Records that the members of the window wait for each other, as at a barrier; members that need not wait leave at
 * once.
 */
void heddle__mpi_fence_begins(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_comm *comm =
		heddle__mpi->traces ? heddle__mpi_window_known(operation->words[operation->function->at.window]) : NULL;
	if (comm)
		operation->entered.communicator = comm->identity;
}
