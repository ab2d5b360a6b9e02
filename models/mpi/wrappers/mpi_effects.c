/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and bytes of calls, by the kinds of their arguments. */
#include "models/mpi/wrappers/mpi_effects.h"

#include <string.h>

#include "core/base/likely.h"
#include "models/mpi/wrappers/mpi_arguments.h"
#include "models/mpi/wrappers/mpi_collectives.h"
#include "models/mpi/wrappers/mpi_completion.h"
#include "models/mpi/wrappers/mpi_epochs.h"
#include "models/mpi/wrappers/mpi_exchange.h"
#include "models/mpi/wrappers/mpi_files.h"
#include "models/mpi/wrappers/mpi_membership.h"
#include "models/mpi/wrappers/mpi_passive.h"
#include "models/mpi/wrappers/mpi_persistent.h"
#include "models/mpi/wrappers/mpi_world.h"

void heddle__mpi_follow(struct heddle_mpi_operation *operation, struct heddle_mpi_request *request)
{
	request->handle = request_of(operation);
	heddle__mpi_request_started(request, operation->call.begun, operation->call.ended);
	request->number = operation->number;
	bool kept = request->handle != heddle__mpi_abi.request_null && heddle__mpi_request_add(request);
	if (!kept && request->sends && !request->persistent)
		send_ends(operation, request->comm, request->number);
}

/* ---- messages ---- */

/* Provides a status, which the wrapper needs, if the program ignores it. */
static void own_status(struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.status;
	if (at < 0 || operation->words[at] != heddle__mpi_abi.status_ignore)
		return;
	operation->words[at] = (uintptr_t)operation->few_statuses;
}

/* For a trace, records a send when it begins. The communicator may be invalid, so the library is not queried. */
static void record_send(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	const struct heddle_mpi_comm *comm =
		sends_to_a_rank(operation) ? heddle__mpi_comm_known(operation->words[at->communicator]) : NULL;
	int rank = comm ? heddle__mpi_world_rank(comm, rank_at(operation, at->destination)) : -1;
	if (rank < 0 || !comm->number ||
		heddle__mpi_handle(operation->words[at->send_type]) == heddle__mpi_abi.type_null)
		return;
	operation->sends = (struct heddle_mpi_message){
		.partner = rank,
		.bytes = bytes_at(operation, at->send_count, at->send_type),
		.record = HEDDLE_TRACE_SENT,
		.group = comm->number,
		.tag = rank_at(operation, at->tag),
		.request = operation->number,
	};
	operation->entered.sends = &operation->sends;
}

/*
 * Returns the key of a matched message in the table of requests. In some libraries, handles of messages equal those of
 * requests, so a bit is added.
 */
static uintptr_t message_of(const struct heddle_mpi_operation *operation)
{
	uintptr_t handle = heddle__mpi_handle_at(operation->words[operation->function->at.message], 0);
	return handle | (uintptr_t)1 << 62;
}

/* Records the communicator of a matched message, since only the probe has it. */
static void matched(struct heddle_mpi_operation *operation)
{
	if (!happened(operation) || !receives(operation))
		return;
	heddle__mpi_request_add(&(struct heddle_mpi_request){
		.handle = message_of(operation), .comm = comm_of(operation), .start = operation->call.begun});
}

__attribute__((noinline)) static void take_matched(struct heddle_mpi_operation *operation)
{
	struct heddle_mpi_request request;
	bool found = heddle__mpi_request_complete(message_of(operation), UINT64_MAX, &request);
	operation->matched = found ? request.comm : NULL;
}

__attribute__((noinline)) static void record_begin(struct heddle_mpi_operation *operation)
{
	operation->number = operation->function->at.request >= 0 ? heddle__mpi_request_number() : 0;
	record_send(operation);
}

static void begin_message(struct heddle_mpi_operation *operation)
{
	own_status(operation);
	if (HEDDLE_UNLIKELY(operation->function->at.message >= 0))
		take_matched(operation);
	if (HEDDLE_UNLIKELY(heddle__mpi->traces))
		record_begin(operation);
}

/* Records a message that continues after the call returns. */
static void begin_request(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct heddle_mpi_request request = {
		.comm = comm, .sends = sends_to_a_rank(operation), .receives = receives(operation), .partner = -1};
	if (request.sends)
		request.partner = rank_at(operation, at->destination);
	else if (request.receives && at->source >= 0)
		request.partner = rank_at(operation, at->source);
	if (!request.sends && !request.receives)
		return;
	if (request.receives && at->source >= 0)
		record_request(operation, comm, rank_at(operation, at->source), HEDDLE_TRACE_EXPECTED,
			rank_at(operation, at->received_tag), operation->number);
	else if (request.receives)
		record_request(operation, comm, -1, HEDDLE_TRACE_EXPECTED, -1, operation->number);
	heddle__mpi_follow(operation, &request);
}

static void message(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct heddle_mpi_moved *moved = &operation->moved;
	if (HEDDLE_UNLIKELY(!succeeded(operation)))
		return;
	const struct heddle_mpi_comm *comm = at->message >= 0 ? operation->matched : comm_of(operation);
	bool sends = sends_to_a_rank(operation);
	moved->size = 0;
	if (sends) {
		moved->size = bytes_at(operation, at->send_count, at->send_type);
		moved->sent = 1;
		moved->bytes_sent = moved->size;
		exchange(operation, comm, rank_at(operation, at->destination), HEDDLE_EXCHANGE_SENT, moved->size);
	}
	if (at->request >= 0) {
		begin_request(operation, comm);
	} else if (receives(operation)) {
		take_status(operation, comm, (const unsigned char *)operation->words[at->status], 0);
		moved->size = larger(moved->size, moved->bytes_received);
	}
	moved->moves = sends || moved->received;
}

/* ---- collectives ---- */

/* Records a collective that continues after its call returns. */
static void join_collective(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm)
{
	operation->number = heddle__mpi_request_number();
	operation->sends = (struct heddle_mpi_message){
		.partner = heddle__mpi_world_rank(comm, root_of(operation)),
		.record = HEDDLE_TRACE_JOINED,
		.group = comm->number,
		.tag = (int32_t)(operation->function->waits | comm->across << 8),
		.request = operation->number,
	};
	operation->entered.sends = &operation->sends;
}

/* Records that members wait for each other. The communicator may be invalid, so the library is not queried. */
static void enter_collective(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_function *function = operation->function;
	const struct heddle_mpi_comm *comm =
		heddle__mpi->traces ? heddle__mpi_comm_known(operation->words[function->at.communicator]) : NULL;
	if (!comm || !comm->identity)
		return;
	if (function->at.request >= 0) {
		join_collective(operation, comm);
		return;
	}
	operation->entered.communicator = comm->identity;
	operation->entered.across = comm->across;
	operation->entered.meets_all =
		!comm->inter && strchr(function->moved, 'x') && comm->size == heddle__mpi_world_size;
	operation->entered.root = heddle__mpi_world_rank(comm, root_of(operation));
}

/*
 * All ranks must decide alike whether there is a barrier, so the library is queried. It ends the program if the handle
 * is invalid, as the collective would.
 */
void heddle__mpi_synchronize(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_function *function = operation->function;
	bool blocks = function->effect == HEDDLE_MPI_EFFECT_COLLECTIVE && function->at.request < 0;
	uintptr_t handle = blocks ? heddle__mpi_handle(operation->words[function->at.communicator]) : 0;
	if (!blocks || handle == heddle__mpi_abi.comm_null || !heddle__mpi_helpers.Barrier)
		return;
	const struct heddle_mpi_comm *comm = heddle__mpi_comm(handle);
	if (!comm || comm->inter || heddle__mpi_helpers.Barrier(handle) != 0)
		return;
	operation->moved.synced = heddle__mpi_ticks(heddle__mpi) - operation->call.begun;
}

static void follow_collective(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm)
{
	struct heddle_mpi_request request = {.comm = comm,
		.partner = root_of(operation),
		.bytes_sent = operation->moved.bytes_sent,
		.bytes_received = operation->moved.bytes_received,
		.function = heddle__mpi_function_number(operation->function)};
	heddle__mpi_follow(operation, &request);
}

static void collective(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_function *function = operation->function;
	const struct heddle_mpi_comm *comm;
	if (!succeeded(operation))
		return;
	comm = comm_of(operation);
	heddle__mpi_count_collective(operation, comm, &operation->moved);
	operation->moved.size = sum_of(&operation->moved);
	operation->moved.moves = function->at.send_count >= 0 || function->at.receive_count >= 0;
	exchange(operation, comm, -1, HEDDLE_EXCHANGE_COLLECTIVE, operation->moved.size);
	if (function->at.request < 0)
		record_shared(operation, comm, root_of(operation), operation->moved.bytes_sent,
			operation->moved.bytes_received);
	else
		follow_collective(operation, comm);
}

/* ---- windows ---- */

/* Records a request for its time only. */
static void follow_access(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm)
{
	struct heddle_mpi_request request = {.comm = comm,
		.partner = rank_at(operation, operation->function->at.destination),
		.function = heddle__mpi_function_number(operation->function)};
	heddle__mpi_follow(operation, &request);
}

/* Counts the data to the target, from it, or both, by the buffers of the call. */
static void access_window(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct heddle_mpi_moved *moved = &operation->moved;
	if (!succeeded(operation) || !sends_to_a_rank(operation))
		return;
	if (at->send >= 0)
		moved->bytes_sent = at->send_count >= 0 && at->send_count < at->destination
					    ? bytes_at(operation, at->send_count, at->send_type)
					    : heddle__mpi_type_size(operation->words[at->send_type]);
	if (at->receive >= 0)
		moved->bytes_received = at->receive_count >= 0 && at->receive_count < at->destination
						? bytes_at(operation, at->receive_count, at->receive_type)
						: heddle__mpi_type_size(operation->words[at->receive_type]);
	moved->size = sum_of(moved);
	moved->moves = true;
	const struct heddle_mpi_comm *comm = heddle__mpi_window(operation->words[at->window]);
	exchange(operation, comm, rank_at(operation, at->destination),
		at->receive >= 0 && at->send < 0 ? HEDDLE_EXCHANGE_GOT : HEDDLE_EXCHANGE_PUT, moved->size);
	if (at->request < 0)
		return;
	if (heddle__mpi->traces)
		last_message(operation)->request = operation->number = heddle__mpi_request_number();
	follow_access(operation, comm);
}

/* ---- begin and end ---- */

static void note_unfinished(const struct heddle_mpi_request *request, void *operation)
{
	const struct heddle_mpi_function *function = function_of(request);
	if (function && function->effect == HEDDLE_MPI_EFFECT_FILE)
		heddle__mpi_exchange_with_file(
			operation, (uint32_t)request->partner, HEDDLE_EXCHANGE_UNFINISHED_FILE, 0);
	else if (function && function->effect != HEDDLE_MPI_EFFECT_ACCESS)
		exchange(operation, request->comm, -1, HEDDLE_EXCHANGE_UNFINISHED_COLLECTIVE, 0);
	else if (function || request->sends || request->receives)
		exchange(operation, request->comm, request->partner, HEDDLE_EXCHANGE_UNFINISHED, 0);
}

static void finalized(struct heddle_mpi_operation *operation)
{
	if (succeeded(operation))
		heddle__mpi_requests_each(note_unfinished, operation);
}

/* The library is about to end this process, and others. */
static void aborting(struct heddle_mpi_operation *operation)
{
	(void)operation;
	if (heddle__mpi)
		heddle__mpi->end_process();
}

const struct heddle_mpi_operations heddle__mpi_operations[HEDDLE_MPI_EFFECT_COUNT_OF] = {
	[HEDDLE_MPI_EFFECT_MESSAGE] = {begin_message, message},
	[HEDDLE_MPI_EFFECT_MATCH] = {NULL, matched},
	[HEDDLE_MPI_EFFECT_PREPARE] = {NULL, heddle__mpi_prepare},
	[HEDDLE_MPI_EFFECT_START] = {NULL, heddle__mpi_start},
	[HEDDLE_MPI_EFFECT_READY] = {NULL, heddle__mpi_ready},
	[HEDDLE_MPI_EFFECT_COMPLETE] = {heddle__mpi_keep_handles, heddle__mpi_complete},
	[HEDDLE_MPI_EFFECT_DROP] = {heddle__mpi_freeing, heddle__mpi_freed},
	[HEDDLE_MPI_EFFECT_COLLECTIVE] = {enter_collective, collective},
	[HEDDLE_MPI_EFFECT_ACCESS] = {NULL, access_window},
	[HEDDLE_MPI_EFFECT_FILE] = {heddle__mpi_file_accessing, heddle__mpi_file_accessed},
	[HEDDLE_MPI_EFFECT_FILE_OPEN] = {NULL, heddle__mpi_file_opened},
	[HEDDLE_MPI_EFFECT_FILE_CLOSE] = {heddle__mpi_file_closing, heddle__mpi_file_closed},
	[HEDDLE_MPI_EFFECT_COMM_NEW] = {NULL, heddle__mpi_comm_made},
	[HEDDLE_MPI_EFFECT_COPY] = {heddle__mpi_comm_copying, heddle__mpi_comm_copies},
	[HEDDLE_MPI_EFFECT_COMM_FREE] = {heddle__mpi_comm_freed, NULL},
	[HEDDLE_MPI_EFFECT_WINDOW_NEW] = {NULL, heddle__mpi_window_made},
	[HEDDLE_MPI_EFFECT_WINDOW_FREE] = {heddle__mpi_window_freed, NULL},
	[HEDDLE_MPI_EFFECT_FENCE] = {heddle__mpi_fence_begins, NULL},
	[HEDDLE_MPI_EFFECT_PASSIVE] = {heddle__mpi_passive_begins, heddle__mpi_passive_ends},
	[HEDDLE_MPI_EFFECT_EPOCH] = {heddle__mpi_epoch_ending, heddle__mpi_epoch_changed},
	[HEDDLE_MPI_EFFECT_INIT] = {heddle__mpi_initializing, heddle__mpi_initialized},
	[HEDDLE_MPI_EFFECT_SESSION] = {NULL, heddle__mpi_session_begun},
	[HEDDLE_MPI_EFFECT_ABORT] = {aborting, NULL},
	[HEDDLE_MPI_EFFECT_FINALIZE] = {NULL, finalized},
};
