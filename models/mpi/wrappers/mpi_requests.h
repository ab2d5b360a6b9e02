/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Requests in progress: what is recorded when an operation starts and needed when it completes, perhaps by another
 * thread. Libraries give all sends that are complete at their begin the same handle: from the third such send on, they
 * are recognized by it and not recorded.
 */
#ifndef HEDDLE_MODELS_MPI_REQUESTS_H
#define HEDDLE_MODELS_MPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

struct heddle_mpi_comm;

/* State of a partitioned message, whose parts are sent when they are ready. */
struct heddle_mpi_parts {
	uint64_t group : 24; /* from heddle__mpi_comm_channel; 0: not recorded */
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
	bool partitioned : 1; /* its status has no count */
};

_Static_assert(sizeof(void *) != 8 || sizeof(struct heddle_mpi_request) == 64, "a request fits a cache line");

#define HEDDLE_MPI_REQUEST_TOOK (((uint64_t)1 << 40) - 1) /* the largest value of `took` */

/* Sets the ticks at which the call that started the request began and returned. */
static inline void heddle__mpi_request_started(struct heddle_mpi_request *request, uint64_t begun, uint64_t returned)
{
	uint64_t ticks = returned - begun;
	request->start = begun;
	request->took = ticks < HEDDLE_MPI_REQUEST_TOOK ? ticks : HEDDLE_MPI_REQUEST_TOOK;
}

/*
 * Adds a request; if memory is exhausted, it is lost. Returns false if it is a send that is complete, by its handle,
 * and was not added. Context of all: any thread.
 */
bool heddle__mpi_request_add(const struct heddle_mpi_request *request);

/* Returns a number for an operation that continues after its call returns. */
uint64_t heddle__mpi_request_number(void);

/*
 * Finds the newest request of that handle whose start had returned at tick `since`, and removes it; a persistent one
 * becomes inactive instead. Returns false if there is none.
 */
bool heddle__mpi_request_complete(uintptr_t handle, uint64_t since, struct heddle_mpi_request *request);

/* Makes a persistent request active, which is started at that tick. Returns false if there is none. */
bool heddle__mpi_request_start(uintptr_t handle, uint64_t now, struct heddle_mpi_request *request);

/* Records that `parts` more parts of a partitioned send are ready. Returns true if all parts are ready now. */
bool heddle__mpi_request_ready(uintptr_t handle, uint64_t parts, struct heddle_mpi_request *request);

/* Calls `each` for all requests in progress. Context: the program has ended MPI. */
void heddle__mpi_requests_each(void (*each)(const struct heddle_mpi_request *request, void *context), void *context);

/* Removes the newest request of that handle, which the program is about to free. Returns false if there is none. */
bool heddle__mpi_request_take(uintptr_t handle, struct heddle_mpi_request *request);

#endif
