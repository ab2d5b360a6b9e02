/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests under way: what is known when an operation starts and needed when it completes, perhaps by another thread.
 * Sends are not kept unless they are persistent: their bytes and partner are known at the start, and libraries give
 * completed ones a common handle.
 */
#ifndef HEDDLE_MODELS_MPI_REQUESTS_H
#define HEDDLE_MODELS_MPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "models/mpi/mpi_calls.h"
#include "models/mpi/wrappers/mpi_comms.h"

struct heddle_mpi_request {
	uintptr_t handle;                   /* 0: an unused entry */
	const struct heddle_mpi_comm *comm; /* found at the start, since its handle may be freed; NULL: not known */
	struct heddle_mpi_moved moved;      /* each time it starts, if persistent */
	int tag;                            /* of a persistent send */
	int partner;                        /* rank in the communicator that a persistent one sends to */
	uint64_t start;                     /* tick */
	bool receives;                      /* a message: its size and source are known when it completes */
	bool persistent, active;
};

/* Adds a request. If there is no memory, it is lost. Context of all: any thread. */
void heddle__mpi_request_add(const struct heddle_mpi_request *request);

/*
 * The oldest request of that handle that was added at `since` or before: it is removed, unless it is persistent, which
 * becomes inactive. False: there is none.
 */
bool heddle__mpi_request_complete(uintptr_t handle, uint64_t since, struct heddle_mpi_request *request);

/* A persistent request is started at that tick: active from now on. False: there is none. */
bool heddle__mpi_request_start(uintptr_t handle, uint64_t now, struct heddle_mpi_request *request);

/* The program has freed it. */
void heddle__mpi_request_drop(uintptr_t handle);

#endif
