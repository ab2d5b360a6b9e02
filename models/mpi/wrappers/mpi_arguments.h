/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arguments of the current call, by their positions. They are read only if MPI says that they are significant: others
 * may have any value, and the library ends the program when it is called with an invalid handle.
 */
#ifndef HEDDLE_MODELS_MPI_ARGUMENTS_H
#define HEDDLE_MODELS_MPI_ARGUMENTS_H

#include "models/mpi/wrappers/mpi_comms.h"
#include "models/mpi/wrappers/mpi_function.h"
#include "models/mpi/wrappers/mpi_library.h"

static inline int64_t number_at(const struct heddle_mpi_operation *operation, int8_t at)
{
	return operation->function->wide ? (int64_t)operation->words[at] : (int)operation->words[at];
}

static inline int64_t number_in(const struct heddle_mpi_operation *operation, uintptr_t array, int index)
{
	return operation->function->wide ? ((const int64_t *)array)[index] : ((const int *)array)[index];
}

static inline uint64_t bytes_of(int64_t count, uintptr_t type)
{
	return count > 0 ? (uint64_t)count * heddle__mpi_type_size(type) : 0;
}

/* Returns the bytes of a count of elements of a type. */
static inline uint64_t bytes_at(const struct heddle_mpi_operation *operation, int8_t count, int8_t type)
{
	return count < 0 || type < 0 ? 0 : bytes_of(number_at(operation, count), operation->words[type]);
}

static inline int rank_at(const struct heddle_mpi_operation *operation, int8_t at)
{
	return (int)operation->words[at];
}

static inline bool succeeded(const struct heddle_mpi_operation *operation)
{
	return operation->result == 0;
}

/*
 * Returns true if the call did what it may do: it succeeded, and its flag is set if it has one. After an error, the
 * flag's address may be invalid.
 */
static inline bool happened(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.flag;
	return succeeded(operation) && (at < 0 || *(const int *)operation->words[at]);
}

/* Returns NULL if the call has no communicator. */
static inline const struct heddle_mpi_comm *comm_of(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.communicator;
	return at < 0 ? NULL : heddle__mpi_comm(operation->words[at]);
}

/* Returns the root's rank in the communicator; negative: none. */
static inline int root_of(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.root;
	return at < 0 ? -1 : rank_at(operation, at);
}

static inline uintptr_t request_of(const struct heddle_mpi_operation *operation)
{
	return heddle__mpi_handle_at(operation->words[operation->function->at.request], 0);
}

/* Returns a handle of those that the call is about: in an array, behind a pointer, or by value. */
static inline uintptr_t request_at(const struct heddle_mpi_operation *operation, size_t index)
{
	const struct heddle_mpi_arguments *at = &operation->function->at;
	return at->request < 0 ? operation->words[at->handle]
			       : heddle__mpi_handle_at(operation->words[at->request], index);
}

static inline size_t count_requests(const struct heddle_mpi_operation *operation)
{
	int8_t at = operation->function->at.count;
	int count = at < 0 ? 1 : (int)operation->words[at];
	return count > 0 ? (size_t)count : 0;
}

#endif
