/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The messages that a call exchanged, collected until the call is reported or there are too many. Context of all: any
 * thread, not nested.
 */
#ifndef HEDDLE_MODELS_MPI_EXCHANGE_H
#define HEDDLE_MODELS_MPI_EXCHANGE_H

#include "core/base/likely.h"
#include "models/mpi/wrappers/mpi_arguments.h"
#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_effects.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_library.h"
#include "models/mpi/wrappers/mpi_requests.h"

static inline void add_send(struct heddle_mpi_moved *moved, uint64_t bytes)
{
	moved->sent++;
	moved->bytes_sent += bytes;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t sum_of(const struct heddle_mpi_moved *moved)
{
	return larger(moved->bytes_sent, moved->bytes_received);
}

static inline bool sends_to_a_rank(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.destination;
	return at >= 0 && rank_at(operation, at) != heddle__mpi_abi.proc_null;
}

static inline bool receives(const struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	if (at->source >= 0)
		return rank_at(operation, at->source) != heddle__mpi_abi.proc_null;
	return at->receive >= 0; /* of a message that a probe matched */
}

/* Returns NULL if the request is not of such a function. */
static inline const struct heddle_mpi_function *function_of(const struct heddle_mpi_request *request)
{
	return request->function ? &heddle__mpi_functions[request->function - 1] : NULL;
}

/* Adds a message; there must be room. Members for traces are set only if there is a trace. */
static inline void add_message(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int rank,
	enum heddle_exchange_kind kind, uint64_t bytes)
{
	struct heddle_mpi_message *message = &operation->message[operation->messages++];
	message->communicator = comm ? comm->text : 0;
	message->partner = heddle__mpi_world_rank(comm, rank);
	message->kind = kind;
	message->bytes = bytes;
	if (HEDDLE_LIKELY(!heddle__mpi->traces))
		return;
	message->record = 0;
	message->group = comm ? comm->number : 0;
	message->tag = -1;
	message->request = 0;
}

/* Like add_message if there is no room: reports the messages so far. */
void heddle__mpi_make_room_and_add(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int rank,
	enum heddle_exchange_kind kind, uint64_t bytes);

/*
 * Adds a message. `rank` is that in the communicator; negative: none. The slow path is a tail call, so no registers are
 * saved for each message.
 */
static inline void exchange(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int rank,
	enum heddle_exchange_kind kind, uint64_t bytes)
{
	if (HEDDLE_UNLIKELY(operation->messages == HEDDLE_MPI_KEPT))
		heddle__mpi_make_room_and_add(operation, comm, rank, kind, bytes);
	else
		add_message(operation, comm, rank, kind, bytes);
}

static inline struct heddle_mpi_message *last_message(struct heddle_mpi_operation *operation)
{
	return &operation->message[operation->messages - 1];
}

/* Records the last message in the trace, too, if ranks of one communicator exchange it. */
static inline void record(
	struct heddle_mpi_operation *operation, enum heddle_trace_message what, int tag, uint64_t request)
{
	struct heddle_mpi_message *message = last_message(operation);
	if (HEDDLE_LIKELY(!heddle__mpi->traces) || !message->group)
		return;
	message->record = what;
	message->tag = tag;
	message->request = request;
}

/* Adds an event of a request that is only recorded. */
static inline void record_request(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm,
	int partner, enum heddle_trace_message what, int tag, uint64_t request)
{
	if (!heddle__mpi->traces || !comm || !comm->number)
		return;
	exchange(operation, comm, partner, 0, 0);
	record(operation, what, tag, request);
}

/* Like record_request, for a partitioned message. */
static inline void record_parts(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request,
	enum heddle_trace_message what)
{
	if (!request->parts.group || !heddle__mpi->traces)
		return;
	exchange(operation, request->comm, what == HEDDLE_TRACE_SEND_END ? -1 : request->partner, 0, 0);
	struct heddle_mpi_message *message = last_message(operation);
	message->group = request->parts.group;
	message->record = what;
	message->request = request->number;
	if (what != HEDDLE_TRACE_SEND_END)
		message->tag = request->tag;
	if (what == HEDDLE_TRACE_SENT || what == HEDDLE_TRACE_RECEIVED)
		message->bytes = request->bytes_sent;
}

static inline void send_ends(
	struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, uint64_t number)
{
	record_request(operation, comm, -1, HEDDLE_TRACE_SEND_END, -1, number);
}

/* Records a collective that shares data: its root as the partner, bytes sent, and bytes received as the request. */
static inline void record_shared(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int root,
	uint64_t sent, uint64_t received)
{
	record_request(operation, comm, root, HEDDLE_TRACE_SHARED, -1, received);
	if (HEDDLE_UNLIKELY(heddle__mpi->traces) && operation->messages &&
		last_message(operation)->record == HEDDLE_TRACE_SHARED)
		last_message(operation)->bytes = sent;
}

/* Adds the message of a completed receive. */
static inline void take_status(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm,
	const unsigned char *status, uint64_t request)
{
	uint64_t bytes = heddle__mpi_received(status);
	int source = heddle__mpi_source(status);
	if (bytes == UINT64_MAX || source < 0)
		return;
	operation->moved.received++;
	operation->moved.bytes_received += bytes;
	exchange(operation, comm, source, HEDDLE_EXCHANGE_RECEIVED, bytes);
	record(operation, HEDDLE_TRACE_RECEIVED, heddle__mpi_tag(status), request);
}

#endif
