/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages and bytes of calls, by the kinds of their arguments. */
#include "models/mpi/wrappers/mpi_effects.h"

#include <string.h>

#include "core/base/likely.h"
#include "models/mpi/wrappers/mpi_arguments.h"
#include "models/mpi/wrappers/mpi_collectives.h"
#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_epochs.h"
#include "models/mpi/wrappers/mpi_files.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_library.h"
#include "models/mpi/wrappers/mpi_membership.h"
#include "models/mpi/wrappers/mpi_memory.h"
#include "models/mpi/wrappers/mpi_requests.h"
#include "models/mpi/wrappers/mpi_world.h"

void heddle__mpi_exchanged(struct heddle_mpi_operation *operation)
{
	if (operation->messages)
		heddle__mpi->exchange(
			&operation->call, operation->message, operation->messages, heddle__mpi_parts(operation));
	operation->messages = operation->counted = 0;
}

/* There is room. */
static inline void add_message(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int rank,
	enum heddle_exchange_kind kind, uint64_t bytes)
{
	operation->counted += kind != 0;
	operation->message[operation->messages++] = (struct heddle_mpi_message){
		.communicator = comm ? comm->text : 0,
		.partner = heddle__mpi_world_rank(comm, rank),
		.kind = kind,
		.bytes = bytes,
		.group = comm ? comm->number : 0,
		.tag = -1,
	};
}

__attribute__((noinline)) static void make_room_and_add(struct heddle_mpi_operation *operation,
	const struct heddle_mpi_comm *comm, int rank, enum heddle_exchange_kind kind, uint64_t bytes)
{
	heddle__mpi_exchanged(operation);
	add_message(operation, comm, rank, kind, bytes);
}

/* `rank`: in the communicator; negative: none. A call at the end alone: each message saves no registers. */
static void exchange(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int rank,
	enum heddle_exchange_kind kind, uint64_t bytes)
{
	if (HEDDLE_UNLIKELY(operation->messages == HEDDLE_MPI_KEPT))
		make_room_and_add(operation, comm, rank, kind, bytes);
	else
		add_message(operation, comm, rank, kind, bytes);
}

static struct heddle_mpi_message *last_message(struct heddle_mpi_operation *operation)
{
	return &operation->message[operation->messages - 1];
}

void heddle__mpi_exchange_with_file(
	struct heddle_mpi_operation *operation, uint32_t name, enum heddle_exchange_kind kind, uint64_t bytes)
{
	exchange(operation, NULL, -1, kind, bytes);
	last_message(operation)->communicator = name;
}

/* The last message is recorded in the trace, too, if ranks of one communicator exchange it. */
static void record(struct heddle_mpi_operation *operation, enum heddle_trace_message what, int tag, uint64_t request)
{
	struct heddle_mpi_message *message = last_message(operation);
	if (!message->group)
		return;
	message->record = what;
	message->tag = tag;
	message->request = request;
}

/* An event of a request that is recorded only. */
static void record_request(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int partner,
	enum heddle_trace_message what, int tag, uint64_t request)
{
	if (!heddle__mpi->traces || !comm || !comm->number)
		return;
	exchange(operation, comm, partner, 0, 0);
	record(operation, what, tag, request);
}

static void send_ends(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, uint64_t number)
{
	record_request(operation, comm, -1, HEDDLE_TRACE_SEND_END, -1, number);
}

static uintptr_t request_of(const struct heddle_mpi_operation *operation)
{
	return heddle__mpi_handle_at(operation->words[operation->function->at.request], 0);
}

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

static void add_send(struct heddle_mpi_moved *moved, uint64_t bytes)
{
	moved->sent++;
	moved->bytes_sent += bytes;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t sum_of(const struct heddle_mpi_moved *moved)
{
	return larger(moved->bytes_sent, moved->bytes_received);
}

/* A program that ignores the status gets none; the wrapper needs one. */
static void own_status(struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.status;
	if (at < 0 || operation->words[at] != heddle__mpi_abi.status_ignore)
		return;
	operation->words[at] = (uintptr_t)operation->few_statuses;
}

/* What a completed receive brought. */
static void take_status(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm,
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

static bool sends_to_a_rank(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.destination;
	return at >= 0 && rank_at(operation, at) != heddle__mpi_abi.proc_null;
}

static bool receives(const struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	if (at->source >= 0)
		return rank_at(operation, at->source) != heddle__mpi_abi.proc_null;
	return at->receive >= 0; /* of a message that a probe matched */
}

/* For a trace, what is sent is recorded when it begins to be. The communicator may be none: the library is not asked.
 */
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
	operation->call.sends = &operation->sends;
}

/* Handles of messages are in the table of requests; in some libraries they are numbers of requests, too. */
static uintptr_t message_of(const struct heddle_mpi_operation *operation)
{
	uintptr_t handle = heddle__mpi_handle_at(operation->words[operation->function->at.message], 0);
	return handle | (uintptr_t)1 << 62;
}

/* The communicator of what will be received is known to the probe alone. */
static void matched(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	bool there = at->flag < 0 || *(const int *)operation->words[at->flag];
	if (!succeeded(operation) || !there || !receives(operation))
		return;
	heddle__mpi_request_add(&(struct heddle_mpi_request){
		.handle = message_of(operation), .comm = comm_of(operation), .start = operation->call.begun});
}

__attribute__((noinline)) static void take_matched(struct heddle_mpi_operation *operation)
{
	struct heddle_mpi_request request;
	if (heddle__mpi_request_complete(message_of(operation), UINT64_MAX, &request))
		operation->matched = request.comm;
}

__attribute__((noinline)) static void record_begin(struct heddle_mpi_operation *operation)
{
	operation->number = operation->function->at.request >= 0 ? heddle__mpi_request_number() : 0;
	record_send(operation);
}

static void begin_message(struct heddle_mpi_operation *operation)
{
	own_status(operation);
	operation->matched = NULL;
	if (HEDDLE_UNLIKELY(operation->function->at.message >= 0))
		take_matched(operation);
	if (HEDDLE_UNLIKELY(heddle__mpi->traces))
		record_begin(operation);
}

/* A message that goes on when the call returns. */
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
	if (!succeeded(operation))
		return;
	const struct heddle_mpi_comm *comm = operation->matched ? operation->matched : comm_of(operation);
	if (sends_to_a_rank(operation)) {
		add_send(moved, bytes_at(operation, at->send_count, at->send_type));
		exchange(operation, comm, rank_at(operation, at->destination), HEDDLE_EXCHANGE_SENT, moved->bytes_sent);
	}
	if (at->request >= 0)
		begin_request(operation, comm);
	else if (receives(operation))
		take_status(operation, comm, (const unsigned char *)operation->words[at->status], 0);
	moved->size = sum_of(moved);
	moved->moves = moved->sent || moved->received;
}

/* ---- collectives ---- */

/* A collective that goes on when its call returns. */
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
	operation->call.sends = &operation->sends;
}

/* Members wait for each other. The communicator may be none: the library is not asked. */
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
	operation->call.communicator = comm->identity;
	operation->call.across = comm->across;
	operation->call.meets_all =
		!comm->inter && strchr(function->moved, 'x') && comm->size == heddle__mpi_world_size;
	operation->call.root = heddle__mpi_world_rank(comm, root_of(operation));
}

/*
 * Whether there is a barrier must not depend on what a rank knows: the library is asked. It ends the program for a
 * handle that is none, as the collective would.
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

/* What the record of a collective says instead: the root, bytes sent, bytes received. */
static void record_shared(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm, int root,
	uint64_t sent, uint64_t received)
{
	record_request(operation, comm, root, HEDDLE_TRACE_SHARED, -1, received);
	if (operation->messages && last_message(operation)->record == HEDDLE_TRACE_SHARED)
		last_message(operation)->bytes = sent;
}

/* NULL: it is none. */
static const struct heddle_mpi_function *function_of(const struct heddle_mpi_request *request)
{
	return request->function ? &heddle__mpi_functions[request->function - 1] : NULL;
}

static void collective_ends(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	record_shared(operation, request->comm, request->partner, request->bytes_sent, request->bytes_received);
	record_request(operation, request->comm, request->partner, HEDDLE_TRACE_LEFT, function_of(request)->collective,
		request->number);
}

/* A collective, or an access to a file, or to a window, of which only the time counts here. */
static void function_ends(
	struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request, const unsigned char *status)
{
	const struct heddle_mpi_function *function = function_of(request);
	if (function->effect == HEDDLE_MPI_EFFECT_FILE)
		heddle__mpi_file_access_ends(operation, request, function, status);
	else if (function->effect != HEDDLE_MPI_EFFECT_ACCESS)
		collective_ends(operation, request);
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

/* ---- persistent requests ---- */

static void prepare_collective(const struct heddle_mpi_operation *operation, struct heddle_mpi_request *request)
{
	struct heddle_mpi_moved moved = {0};
	heddle__mpi_count_collective(operation, request->comm, &moved);
	request->bytes_sent = moved.bytes_sent;
	request->bytes_received = moved.bytes_received;
	request->function = heddle__mpi_function_number(operation->function);
	request->partner = root_of(operation);
}

static void prepare(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	struct heddle_mpi_request request = {.persistent = true, .partner = -1, .tag = -1};
	if (!succeeded(operation))
		return;
	uint64_t partitions = at->partitions < 0 ? 1 : (uint64_t)rank_at(operation, at->partitions);
	request.partitioned = at->partitions >= 0;
	request.comm = comm_of(operation);
	request.sends = sends_to_a_rank(operation);
	if (request.sends) {
		request.bytes_sent = bytes_at(operation, at->send_count, at->send_type) * partitions;
		request.partner = rank_at(operation, at->destination);
		request.tag = rank_at(operation, at->tag);
	} else if (*operation->function->moved) {
		prepare_collective(operation, &request);
	}
	request.receives = at->source >= 0 && receives(operation);
	if (request.receives) {
		request.partner = rank_at(operation, at->source);
		request.tag = rank_at(operation, at->tag);
		if (request.partitioned)
			request.bytes_received = bytes_at(operation, at->receive_count, at->receive_type) * partitions;
	}
	heddle__mpi_follow(operation, &request);
}

static size_t count_requests(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.count;
	int count = at < 0 ? 1 : (int)operation->words[at];
	return count > 0 ? (size_t)count : 0;
}

/* Traces have none: the parts are sent at times of their own, when they are ready. */
static void start_partitioned(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	if (!request->sends)
		return;
	add_send(&operation->moved, request->bytes_sent);
	exchange(operation, request->comm, request->partner, HEDDLE_EXCHANGE_SENT, request->bytes_sent);
}

static void start_one(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	struct heddle_mpi_moved *moved = &operation->moved;
	uint64_t bytes = larger(request->bytes_sent, request->bytes_received);
	if (request->partitioned) {
		start_partitioned(operation, request);
		return;
	}
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

static void start(struct heddle_mpi_operation *operation)
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

static void drop(struct heddle_mpi_operation *operation)
{
	heddle__mpi_request_drop(request_of(operation));
}

/* ---- completion ---- */

/* The library overwrites handles of what it completes. */
static void keep_handles(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	size_t count = count_requests(operation);
	operation->handles = operation->few_handles;
	operation->statuses = operation->few_statuses;
	operation->mapped = NULL;
	if (count > HEDDLE_MPI_KEPT) {
		operation->mapped_size = count * (sizeof(*operation->handles) + HEDDLE_MPI_STATUS_SIZE);
		operation->mapped = heddle__mpi_map(operation->mapped_size);
		operation->handles = operation->mapped;
		operation->statuses = operation->mapped ? (unsigned char *)(operation->handles + count) : NULL;
	}
	operation->count = operation->handles ? count : 0;
	for (size_t i = 0; i < operation->count; i++)
		operation->handles[i] = heddle__mpi_handle_at(operation->words[at->request], i);
	if (operation->count && operation->words[at->status] == heddle__mpi_abi.status_ignore)
		operation->words[at->status] = (uintptr_t)operation->statuses;
	else
		operation->statuses = NULL;
}

static void take_partitioned(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	if (!request->receives)
		return;
	operation->moved.received++;
	operation->moved.bytes_received += request->bytes_received;
	exchange(operation, request->comm, request->partner, HEDDLE_EXCHANGE_RECEIVED, request->bytes_received);
}

static void complete_one(struct heddle_mpi_operation *operation, size_t index, const unsigned char *status)
{
	struct heddle_mpi_request request;
	uintptr_t handle = index < operation->count ? operation->handles[index] : 0;
	if (!handle || handle == heddle__mpi_abi.request_null ||
		!heddle__mpi_request_complete(handle, operation->call.begun, &request))
		return;
	if (request.partitioned)
		take_partitioned(operation, &request);
	else if (request.sends)
		send_ends(operation, request.comm, request.number);
	if (request.receives && !request.partitioned)
		take_status(operation, request.comm, status, request.number);
	if (request.function)
		function_ends(operation, &request, status);
	if (request.start < operation->call.ended)
		operation->moved.flight += operation->call.ended - request.start;
	if (request.start < operation->call.begun)
		operation->moved.overlapped += operation->call.begun - request.start;
}

static void complete_all(struct heddle_mpi_operation *operation, const unsigned char *statuses)
{
	for (size_t i = 0; i < operation->count; i++)
		complete_one(operation, i, statuses + i * heddle__mpi_abi.status);
}

/* Waitsome, Testsome: how many, and which. */
static void complete_some(struct heddle_mpi_operation *operation, const unsigned char *statuses)
{
	int8_t at = operation->function->at.index;
	int many = *(const int *)operation->words[at];
	const int *which = (const int *)operation->words[at + 1];
	for (int i = 0; i < many; i++)
		if (which[i] >= 0)
			complete_one(operation, (size_t)which[i], statuses + (size_t)i * heddle__mpi_abi.status);
}

/* Completes requests after an error: some may have failed, and those whose handles remain are still pending. */
static void complete_failed(struct heddle_mpi_operation *operation, const unsigned char *statuses, bool by_index)
{
	struct heddle_mpi_request failed;
	uintptr_t array = operation->words[operation->function->at.request];
	for (size_t i = 0; i < operation->count; i++) {
		const unsigned char *status = statuses + i * heddle__mpi_abi.status;
		if (heddle__mpi_handle_at(array, i) == operation->handles[i])
			continue;
		if (by_index && heddle__mpi_error(status) == 0)
			complete_one(operation, i, status);
		else
			heddle__mpi_request_complete(operation->handles[i], operation->call.begun, &failed);
	}
}

/*
 * A program that ignores statuses gets the first error itself: with statuses, the library returns that they have it.
 */
static void restore_error(struct heddle_mpi_operation *operation)
{
	if (!operation->statuses || operation->result != heddle__mpi_abi.in_status)
		return;
	for (size_t i = 0; i < operation->count; i++) {
		int error = heddle__mpi_error(operation->statuses + i * heddle__mpi_abi.status);
		if (!error)
			continue;
		operation->result = error;
		return;
	}
}

static void complete(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	const unsigned char *statuses = (const unsigned char *)operation->words[at->status];
	bool done = at->flag < 0 || *(const int *)operation->words[at->flag];
	bool some = at->index >= 0 && operation->function->kinds[at->status] == 'A';
	operation->parts = operation->count;
	if (!succeeded(operation))
		complete_failed(operation, statuses, at->index < 0 && operation->function->kinds[at->status] == 'A');
	restore_error(operation);
	if (succeeded(operation) && done && operation->count) {
		int index = at->index >= 0 && !some ? *(const int *)operation->words[at->index] : -1;
		if (some)
			complete_some(operation, statuses);
		else if (at->index < 0)
			complete_all(operation, statuses);
		else if (index >= 0)
			complete_one(operation, (size_t)index, statuses);
		operation->moved.size = operation->moved.bytes_received;
	}
	if (operation->moved.received) /* of failed calls, too */
		operation->moved.size = operation->moved.bytes_received;
	operation->moved.moves = operation->moved.received || operation->moved.bytes_received;
	heddle__mpi_unmap(operation->mapped, operation->mapped_size);
}

/* ---- windows ---- */

/* A request of which only its time counts. */
static void follow_access(struct heddle_mpi_operation *operation, const struct heddle_mpi_comm *comm)
{
	struct heddle_mpi_request request = {.comm = comm,
		.partner = rank_at(operation, operation->function->at.destination),
		.function = heddle__mpi_function_number(operation->function)};
	heddle__mpi_follow(operation, &request);
}

/* Data goes to the target, or comes from it, or both, by the buffers that there are. */
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
	if (at->request >= 0)
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

/* The library ends this process, and others, at once. */
static void aborting(struct heddle_mpi_operation *operation)
{
	(void)operation;
	if (heddle__mpi)
		heddle__mpi->end_process();
}

const struct heddle_mpi_operations heddle__mpi_operations[HEDDLE_MPI_EFFECT_COUNT_OF] = {
	[HEDDLE_MPI_EFFECT_MESSAGE] = {begin_message, message},
	[HEDDLE_MPI_EFFECT_MATCH] = {NULL, matched},
	[HEDDLE_MPI_EFFECT_PREPARE] = {NULL, prepare},
	[HEDDLE_MPI_EFFECT_START] = {NULL, start},
	[HEDDLE_MPI_EFFECT_COMPLETE] = {keep_handles, complete},
	[HEDDLE_MPI_EFFECT_DROP] = {drop, NULL},
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
	[HEDDLE_MPI_EFFECT_EPOCH] = {heddle__mpi_epoch_ending, heddle__mpi_epoch_changed},
	[HEDDLE_MPI_EFFECT_INIT] = {heddle__mpi_initializing, heddle__mpi_initialized},
	[HEDDLE_MPI_EFFECT_SESSION] = {NULL, heddle__mpi_session_begun},
	[HEDDLE_MPI_EFFECT_ABORT] = {aborting, NULL},
	[HEDDLE_MPI_EFFECT_FINALIZE] = {NULL, finalized},
};
