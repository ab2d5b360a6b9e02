/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPI library behind the wrappers: its functions, found by name, and the differences between the binary interfaces
 * of MPI libraries. No mpi.h is used: arguments are words, and handles are words of which an ABI may use 32 bits.
 */
#ifndef HEDDLE_MODELS_MPI_LIBRARY_H
#define HEDDLE_MODELS_MPI_LIBRARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/base/likely.h"
#include "models/mpi/wrappers/mpi_function.h"

struct heddle_mpi_abi {
	const char *name;
	uint8_t handle;                     /* bytes of a handle in memory */
	uint8_t status, source, tag, error; /* size of a status, offsets in it */
	uintptr_t in_place, status_ignore;  /* MPI_IN_PLACE, MPI_STATUS(ES)_IGNORE */
	int proc_null, root, undefined;     /* MPI_PROC_NULL, MPI_ROOT, MPI_UNDEFINED */
	int cartesian, graph, lock_shared;  /* MPI_CART, MPI_GRAPH, MPI_LOCK_SHARED */
	int other, in_status;               /* MPI_ERR_OTHER, MPI_ERR_IN_STATUS */
	uintptr_t world, byte;              /* MPI_COMM_WORLD, MPI_BYTE */
	uintptr_t request_null, comm_null;  /* MPI_REQUEST_NULL, MPI_COMM_NULL */
	uintptr_t type_null;                /* MPI_DATATYPE_NULL */
};

/* Set by heddle__mpi_library_ready. */
extern struct heddle_mpi_abi heddle__mpi_abi;

/* Functions of the library that the wrappers call themselves; NULL: it has none. */
#define HEDDLE_MPI_HELPERS(X)                                                             \
	X(Comm_rank, uintptr_t, int *)                                                    \
	X(Comm_size, uintptr_t, int *)                                                    \
	X(Comm_group, uintptr_t, uintptr_t *)                                             \
	X(Comm_remote_group, uintptr_t, uintptr_t *)                                      \
	X(Comm_test_inter, uintptr_t, int *)                                              \
	X(Group_size, uintptr_t, int *)                                                   \
	X(Group_rank, uintptr_t, int *)                                                   \
	X(Group_free, uintptr_t *)                                                        \
	X(Group_translate_ranks, uintptr_t, uintptr_t, const int *, uintptr_t, int *)     \
	X(Group_from_session_pset, uintptr_t, const char *, uintptr_t *)                  \
	X(Barrier, uintptr_t)                                                             \
	X(Group_incl, uintptr_t, uintptr_t, const int *, uintptr_t *)                     \
	X(Comm_create_group, uintptr_t, uintptr_t, uintptr_t, uintptr_t *)                \
	X(Comm_get_parent, uintptr_t *)                                                   \
	X(Comm_free, uintptr_t *)                                                         \
	X(Send, const void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t)      \
	X(Recv, void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t) \
	X(Type_size, uintptr_t, int *)                                                    \
	X(Type_size_x, uintptr_t, int64_t *)                                              \
	X(Get_count_c, const void *, uintptr_t, int64_t *)                                \
	X(Test_cancelled, const void *, int *)                                            \
	X(Topo_test, uintptr_t, int *)                                                    \
	X(Cartdim_get, uintptr_t, int *)                                                  \
	X(Cart_shift, uintptr_t, uintptr_t, uintptr_t, int *, int *)                      \
	X(Graph_neighbors_count, uintptr_t, uintptr_t, int *)                             \
	X(Dist_graph_neighbors_count, uintptr_t, int *, int *, int *)                     \
	X(Win_get_group, uintptr_t, uintptr_t *)                                          \
	X(Request_get_status, uintptr_t, int *, void *)                                   \
	X(Initialized, int *)

struct heddle_mpi_helpers {
#define X(name, ...) int (*name)(__VA_ARGS__);
	HEDDLE_MPI_HELPERS(X)
#undef X
};

extern struct heddle_mpi_helpers heddle__mpi_helpers;

/* True if the ABI and the helpers are known; they are looked up at the first call. Context: any thread. */
bool heddle__mpi_library_find(void);
extern _Atomic bool heddle__mpi_library_found;

static inline bool heddle__mpi_library_ready(void)
{
	return HEDDLE_LIKELY(atomic_load_explicit(&heddle__mpi_library_found, memory_order_acquire)) ||
	       heddle__mpi_library_find();
}

/* Returns the next definition of MPI_x or PMPI_x; NULL: no loaded library has one. Context: any thread. */
void (*heddle__mpi_real(struct heddle_mpi_function *function, enum heddle_mpi_entry entry))(void);

/* The next definition of any function. Context: any thread. */
void (*heddle__mpi_symbol(const char *name))(void);

/* ---- handles, counts and statuses ---- */

static inline uintptr_t heddle__mpi_handle(uintptr_t word)
{
	return heddle__mpi_abi.handle == sizeof(uintptr_t) ? word : (uint32_t)word;
}

/* Returns a handle in memory: `array` is an address, or 0, which the library will refuse; then there is no handle. */
static inline uintptr_t heddle__mpi_handle_at(uintptr_t array, size_t index)
{
	if (!array)
		return 0;
	return heddle__mpi_abi.handle == sizeof(uintptr_t) ? ((const uintptr_t *)array)[index]
							   : ((const uint32_t *)array)[index];
}

static inline int heddle__mpi_source(const unsigned char *status)
{
	int source;
	memcpy(&source, status + heddle__mpi_abi.source, sizeof(source));
	return source;
}

static inline int heddle__mpi_tag(const unsigned char *status)
{
	int tag;
	memcpy(&tag, status + heddle__mpi_abi.tag, sizeof(tag));
	return tag;
}

static inline int heddle__mpi_error(const unsigned char *status)
{
	int error;
	memcpy(&error, status + heddle__mpi_abi.error, sizeof(error));
	return error;
}

/*
 * Returns the bytes of an access to a file, from its status, whether cancelled or not: libraries do not distinguish.
 * UINT64_MAX: not known.
 */
uint64_t heddle__mpi_accessed(const unsigned char *status);

/*
 * The slow paths of heddle__mpi_type_size and heddle__mpi_received: query the library, or read the status as its ABI
 * defines it.
 */
uint64_t heddle__mpi_ask_type_size(uintptr_t type);
uint64_t heddle__mpi_ask_received(const unsigned char *status);

/* Bytes of one element of a type; 0: not known. */
static inline uint64_t heddle__mpi_type_size(uintptr_t type)
{
	if (heddle__mpi_abi.handle == 4 && (type & 0xff000000) == 0x4c000000) /* a basic type has its size in it */
		return type >> 8 & 0xff;
	return heddle__mpi_ask_type_size(type);
}

/* Bytes that were received; UINT64_MAX: the operation was cancelled. */
static inline uint64_t heddle__mpi_received(const unsigned char *status)
{
	uint32_t halves[2];
	if (heddle__mpi_abi.handle != 4)
		return heddle__mpi_ask_received(status);
	memcpy(halves, status, sizeof(halves));
	return halves[1] & 1 ? UINT64_MAX : halves[0] | (uint64_t)(halves[1] >> 1) << 32;
}

#endif
