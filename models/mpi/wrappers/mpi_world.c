/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries the library for this process's rank once MPI is initialized; not during other calls. */
#include "models/mpi/wrappers/mpi_world.h"

#include <stdlib.h>

#include "core/base/hash.h"
#include "models/mpi/wrappers/mpi_clock.h"
#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_effects.h"
#include "models/mpi/wrappers/mpi_library.h"
#include "models/mpi/wrappers/mpi_memory.h"

bool heddle__mpi_world_is_known;
int heddle__mpi_world_size;
uint64_t heddle__mpi_world_key;

/* The launcher's name of the world is the same in all of its ranks. */
static void find_key(void)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	const char *name = getenv("PMIX_NAMESPACE");
	uintptr_t parent = 0;
	if (!mpi->Comm_get_parent || mpi->Comm_get_parent(&parent) != 0 ||
		heddle__mpi_handle(parent) == heddle__mpi_abi.comm_null)
		return;
	heddle__mpi_world_key = 1;
	for (; name && *name; name++)
		heddle__mpi_world_key = heddle__hash(heddle__mpi_world_key + (unsigned char)*name);
}

static void take_world(void)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	int rank = -1, size = 0;
	if (mpi->Comm_rank(heddle__mpi_abi.world, &rank) != 0 || mpi->Comm_size(heddle__mpi_abi.world, &size) != 0 ||
		rank < 0 || !heddle__mpi)
		return;
	heddle__mpi_world_size = size;
	heddle__mpi_world_is_known = true;
	find_key();
	heddle__mpi->ranks((uint32_t)rank, (uint32_t)size);
	heddle__mpi_comm(heddle__mpi_abi.world); /* the first communicator with all ranks */
}

void heddle__mpi_find_world(void)
{
	int is_initialized = 0;
	if (heddle__mpi_helpers.Initialized && heddle__mpi_helpers.Initialized(&is_initialized) == 0 && is_initialized)
		take_world();
}

static void take_world_of_session(uintptr_t session)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	uintptr_t group = 0;
	int rank = -1, size = 0;
	if (!mpi->Group_from_session_pset || mpi->Group_from_session_pset(session, "mpi://WORLD", &group) != 0)
		return;
	mpi->Group_rank(heddle__mpi_handle(group), &rank);
	mpi->Group_size(heddle__mpi_handle(group), &size);
	mpi->Group_free(&group);
	if (rank < 0)
		return;
	heddle__mpi_world_is_known = true;
	heddle__mpi->ranks((uint32_t)rank, (uint32_t)size);
}

/* ---- calls ---- */

void heddle__mpi_initializing(struct heddle_mpi_operation *operation)
{
	(void)operation;
	heddle__mpi_clock_prepare();
}

/* Measuring clocks counts as part of the call's time. */
void heddle__mpi_initialized(struct heddle_mpi_operation *operation)
{
	if (operation->result != 0)
		return;
	take_world();
	if (!heddle__mpi->traces)
		return;
	heddle__mpi_clock_begin();
	operation->call.ended = heddle__mpi_ticks(heddle__mpi);
}

/* A session may have no MPI_COMM_WORLD, but it has a set of the processes. */
void heddle__mpi_session_begun(struct heddle_mpi_operation *operation)
{
	if (operation->result == 0 && heddle__mpi)
		take_world_of_session(heddle__mpi_handle_at(operation->words[2], 0));
}
