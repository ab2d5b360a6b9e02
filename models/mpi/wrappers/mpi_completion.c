/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waiting for requests, and testing them: what was recorded when an operation started is charged where a call first
 * returns that it is complete. That may be MPI_Request_get_status, after which MPICH 4.2 no longer has the status of a
 * persistent request.
 */
#include "models/mpi/wrappers/mpi_completion.h"

#include "models/mpi/wrappers/mpi_exchange.h"
#include "models/mpi/wrappers/mpi_files.h"
#include "models/mpi/wrappers/mpi_memory.h"

static void collective_ends(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	record_shared(operation, request->comm, request->partner, request->bytes_sent, request->bytes_received);
	record_request(operation, request->comm, request->partner, HEDDLE_TRACE_LEFT, function_of(request)->collective,
		request->number);
}

/* A collective, or an access to a file, or to a window, of which nothing but the time counts here. */
static void function_ends(
	struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request, const unsigned char *status)
{
	const struct heddle_mpi_function *function = function_of(request);
	if (function->effect == HEDDLE_MPI_EFFECT_FILE)
		heddle__mpi_file_access_ends(operation, request, function, status);
	else if (function->effect == HEDDLE_MPI_EFFECT_ACCESS)
		record_request(operation, request->comm, -1, HEDDLE_TRACE_ARRIVED, -1, request->number);
	else
		collective_ends(operation, request);
}

/* Copies the handles, since the library overwrites those of completed requests. */
void heddle__mpi_keep_handles(struct heddle_mpi_operation *operation)
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
		operation->handles[i] = request_at(operation, i);
	if (operation->count && operation->words[at->status] == heddle__mpi_abi.status_ignore)
		operation->words[at->status] = (uintptr_t)operation->statuses;
	else
		operation->statuses = NULL;
}

static void take_partitioned(struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request)
{
	if (request->sends)
		record_parts(operation, request, HEDDLE_TRACE_SEND_END);
	if (!request->receives)
		return;
	operation->moved.received++;
	operation->moved.bytes_received += request->bytes_sent;
	exchange(operation, request->comm, request->partner, HEDDLE_EXCHANGE_RECEIVED, request->bytes_sent);
	record_parts(operation, request, HEDDLE_TRACE_RECEIVED);
}

static void operation_ends(
	struct heddle_mpi_operation *operation, const struct heddle_mpi_request *request, const unsigned char *status)
{
	if (request->partitioned)
		take_partitioned(operation, request);
	else if (request->sends)
		send_ends(operation, request->comm, request->number);
	if (request->receives && !request->partitioned)
		take_status(operation, request->comm, status, request->number);
	if (request->function)
		function_ends(operation, request, status);
	if (request->start < operation->call.ended)
		operation->moved.flight += operation->call.ended - request->start;
	if (request->start < operation->call.begun)
		operation->moved.overlapped += operation->call.begun - request->start;
}

static void complete_one(struct heddle_mpi_operation *operation, size_t index, const unsigned char *status)
{
	struct heddle_mpi_request request;
	uintptr_t handle = index < operation->count ? operation->handles[index] : 0;
	if (handle && handle != heddle__mpi_abi.request_null &&
		heddle__mpi_request_complete(handle, operation->call.begun, &request))
		operation_ends(operation, &request, status);
}

static void complete_all(struct heddle_mpi_operation *operation, const unsigned char *statuses)
{
	for (size_t i = 0; i < operation->count; i++)
		complete_one(operation, i, statuses + i * heddle__mpi_abi.status);
}

/* For Waitsome and Testsome: completes the requests that the call returned. */
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
	for (size_t i = 0; i < operation->count; i++) {
		const unsigned char *status = statuses + i * heddle__mpi_abi.status;
		if (request_at(operation, i) == operation->handles[i])
			continue;
		if (by_index && statuses && heddle__mpi_error(status) == 0)
			complete_one(operation, i, status);
		else
			heddle__mpi_request_complete(operation->handles[i], operation->call.begun, &failed);
	}
}

/*
 * If a program ignores statuses, returns the first error itself: because of the wrapper's statuses, the library
 * returned MPI_ERR_IN_STATUS.
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

void heddle__mpi_complete(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	const unsigned char *statuses = (const unsigned char *)operation->words[at->status];
	bool some = at->index >= 0 && operation->function->kinds[at->status] == 'A';
	operation->parts = operation->count;
	if (!succeeded(operation))
		complete_failed(operation, statuses, at->index < 0 && operation->function->kinds[at->status] == 'A');
	restore_error(operation);
	if (operation->count && happened(operation)) {
		int index = at->index >= 0 && !some ? *(const int *)operation->words[at->index] : -1;
		if (some)
			complete_some(operation, statuses);
		else if (at->index < 0)
			complete_all(operation, statuses);
		else if (index >= 0)
			complete_one(operation, (size_t)index, statuses);
		operation->moved.size = operation->moved.bytes_received;
	}
	if (operation->moved.received) /* for failed calls, too */
		operation->moved.size = operation->moved.bytes_received;
	operation->moved.moves = operation->moved.received || operation->moved.bytes_received;
	if (HEDDLE_UNLIKELY(operation->mapped))
		heddle__mpi_unmap(operation->mapped, operation->mapped_size);
}

/* ---- requests that are freed ---- */

/*
 * A program may free a request that it knows to be complete from other messages, instead of completing it. Therefore
 * the library is queried before the call.
 */
void heddle__mpi_freeing(struct heddle_mpi_operation *operation)
{
	const struct heddle_mpi_helpers *mpi = &heddle__mpi_helpers;
	struct heddle_mpi_request *request = &operation->freed;
	int complete = 0;
	bool found = heddle__mpi_request_take(request_of(operation), request);
	if (found && (request->active || !request->persistent) && mpi->Request_get_status &&
		mpi->Request_get_status(request->handle, &complete, operation->few_statuses) != 0)
		complete = 0;
	operation->count = complete != 0;
}

void heddle__mpi_freed(struct heddle_mpi_operation *operation)
{
	if (!succeeded(operation) || !operation->count)
		return;
	operation_ends(operation, &operation->freed, operation->few_statuses);
	operation->moved.size = operation->moved.bytes_received;
	operation->moved.moves = operation->moved.received || operation->moved.bytes_received;
}
