/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests under way: what is known when an operation starts and needed when it completes, perhaps by another thread.
 * Libraries give sends that are complete when they begin a common handle: from the third such one on, they are known by
 * it and not kept.
 */
#ifndef HEDDLE_MODELS_MPI_REQUESTS_H
#define HEDDLE_MODELS_MPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_mpi_comm;

/* Of a partitioned message, whose parts are sent when they are ready. */
struct heddle_mpi_parts {
	uint64_t group : 24; /* as heddle__mpi_comm_channel gave it; 0: it is not recorded */
	uint64_t count : 20; /* of a send */
	uint64_t ready : 20; /* since the last start */
};

struct heddle_mpi_request {
	uintptr_t handle;                   /* 0: an unused entry */
	const struct heddle_mpi_comm *comm; /* found at the start, since its handle may be freed; NULL: not known */
	uint64_t bytes_sent; /* each time it starts, if persistent; of a partitioned one, sent or received */
	union {
		uint64_t bytes_received; /* of collectives, the same; asked for by a read of a file */
		struct heddle_mpi_parts parts;
	};
	uint64_t start;     /* tick: the call that started it began */
	uint64_t number;    /* of the operation, in traces; persistent ones: of the last start */
	int tag;            /* of a message, if persistent; negative: any */
	int partner;        /* rank in the communicator that it is sent to; a collective's root; the name of a file */
	uint64_t took : 40; /* ticks until that call returned, at most so many */
	uint64_t function : 16; /* enum heddle_mpi_number of the collective or the access to a file or window, + 1; 0:
				   none */
	bool sends : 1;         /* a message */
	bool receives : 1;      /* a message: its size and source are known when it completes */
	bool persistent : 1, active : 1;
	bool partitioned : 1; /* its status says nothing */
};

_Static_assert(sizeof(void *) != 8 || sizeof(struct heddle_mpi_request) == 64, "a request fits a cache line");

#define HEDDLE_MPI_REQUEST_TOOK (((uint64_t)1 << 40) - 1) /* the longest that `took` holds */

/* The call that started it lasted from one tick to the other one. */
static inline void heddle__mpi_request_started(struct heddle_mpi_request *request, uint64_t begun, uint64_t returned)
{
	uint64_t ticks = returned - begun;
	request->start = begun;
	request->took = ticks < HEDDLE_MPI_REQUEST_TOOK ? ticks : HEDDLE_MPI_REQUEST_TOOK;
}

/*
 * Adds a request. If there is no memory, it is lost. False: it is a send that is complete, by its handle, and was not
 * added. Context of all: any thread.
 */
bool heddle__mpi_request_add(const struct heddle_mpi_request *request);

/* A number for an operation that goes on when its call returns. */
uint64_t heddle__mpi_request_number(void);

/*
 * The newest request of that handle whose start had returned at tick `since`: it is removed, unless it is persistent,
 * which becomes inactive. False: there is none.
 */
bool heddle__mpi_request_complete(uintptr_t handle, uint64_t since, struct heddle_mpi_request *request);

/* A persistent request is started at that tick: active from now on. False: there is none. */
bool heddle__mpi_request_start(uintptr_t handle, uint64_t now, struct heddle_mpi_request *request);

/* So many parts of a partitioned send are ready. True: now all are. */
bool heddle__mpi_request_ready(uintptr_t handle, uint64_t parts, struct heddle_mpi_request *request);

/* All that are under way. Context: the program has ended MPI. */
void heddle__mpi_requests_each(void (*each)(const struct heddle_mpi_request *request, void *context), void *context);

/* The program is about to free it: the newest one of that handle is removed. False: there is none. */
bool heddle__mpi_request_take(uintptr_t handle, struct heddle_mpi_request *request);

#endif
