/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests: made and started. */
#include "models/mpi/wrappers/mpi_persistent.h"

#include "models/mpi/wrappers/mpi_collectives.h"
#include "models/mpi/wrappers/mpi_exchange.h"

static void prepare_collective(const struct heddle_mpi_operation *operation, struct heddle_mpi_request *request)
{
	struct heddle_mpi_moved moved = {0};
	heddle__mpi_count_collective(operation, request->comm, &moved);
	request->bytes_sent = moved.bytes_sent;
	request->bytes_received = moved.bytes_received;
	request->function = heddle__mpi_function_number(operation->function);
	request->partner = root_of(operation);
}

/* Each partition has `count` elements. A message with more partitions than the counters can hold is not recorded. */
static void prepare_parts(const struct heddle_mpi_operation *operation, struct heddle_mpi_request *request)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	uint64_t count = (uint64_t)rank_at(operation, at->partitions);
	request->partitioned = true;
	if (request->receives)
		request->bytes_sent = bytes_at(operation, at->receive_count, at->receive_type);
	request->bytes_sent *= count;
	request->parts.count = count;
	if (request->parts.count == count && (request->sends || request->receives))
		request->parts.group =
			heddle__mpi_comm_channel(request->comm, request->partner, request->tag, request->sends);
}

void heddle__mpi_prepare(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct heddle_mpi_request request = {.persistent = true, .partner = -1, .tag = -1};
	if (!succeeded(operation))
		return;
	request.comm = comm_of(operation);
	request.sends = sends_to_a_rank(operation);
	if (request.sends) {
		request.bytes_sent = bytes_at(operation, at->send_count, at->send_type);
		request.partner = rank_at(operation, at->destination);
		request.tag = rank_at(operation, at->tag);
	} else if (*operation->function->moved) {
		prepare_collective(operation, &request);
	}
	request.receives = at->source >= 0 && receives(operation);
	if (request.receives) {
		request.partner = rank_at(operation, at->source);
		request.tag = rank_at(operation, at->tag);
	}
	if (at->partitions >= 0)
		prepare_parts(operation, &request);
	heddle__mpi_follow(operation, &request);
}

static void start_partitioned(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	if (request->receives)
		record_parts(operation, request, HEDDLE_TRACE_EXPECTED);
	if (!request->sends)
		return;
	add_send(&operation->moved, request->bytes_sent);
	exchange(operation, request->comm, request->partner, HEDDLE_EXCHANGE_SENT, request->bytes_sent);
}

/* In a trace, a partitioned message is sent when its last part is ready, since the receiver waits for that part. */
void heddle__mpi_ready(struct heddle_mpi_operation *operation)
{
	struct heddle_mpi_request request;
	const struct heddle_mpi_function *function = operation->function;
	uintptr_t handle = heddle__mpi_handle(operation->words[function->at.handle]);
	int first = rank_at(operation, 0), last = rank_at(operation, 1);
	uint64_t parts = 1;
	if (function->arity == 3)
		parts = (uint64_t)(function->kinds[1] == 'i' ? last - first + 1 : first);
	if (succeeded(operation) && heddle__mpi_request_ready(handle, parts, &request))
		record_parts(operation, &request, HEDDLE_TRACE_SENT);
}

static void start_one(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	struct heddle_mpi_moved *moved = &operation->moved;
	if (request->partitioned) {
		start_partitioned(operation, request);
		return;
	}
	uint64_t bytes = larger(request->bytes_sent, request->bytes_received);
	moved->sent += request->sends;
	moved->bytes_sent += request->bytes_sent;
	moved->bytes_received += request->bytes_received;
	if (request->sends) {
		exchange(operation, request->comm, request->partner, HEDDLE_EXCHANGE_SENT, bytes);
		record(operation, HEDDLE_TRACE_SENT, request->tag, request->number);
	} else if (request->receives) {
		record_request(operation, request->comm, request->partner, HEDDLE_TRACE_EXPECTED, request->tag,
			request->number);
	} else if (request->function && request->comm) {
		if (bytes)
			exchange(operation, request->comm, -1, HEDDLE_EXCHANGE_COLLECTIVE, bytes);
		record_request(operation, request->comm, request->partner, HEDDLE_TRACE_JOINED,
			(int)(function_of(request)->waits | request->comm->across << 8), request->number);
	}
}

void heddle__mpi_start(struct heddle_mpi_operation *operation)
{
	uintptr_t array = operation->words[operation->function->at.request];
	struct heddle_mpi_request request;
	size_t count = count_requests(operation);
	operation->parts = count;
	if (!succeeded(operation))
		return;
	for (size_t i = 0; i < count; i++)
		if (heddle__mpi_request_start(heddle__mpi_handle_at(array, i), operation->call.begun, &request))
			start_one(operation, &request);
	operation->moved.size = sum_of(&operation->moved);
	operation->moved.moves = operation->moved.size != 0;
}
