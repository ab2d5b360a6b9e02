/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of the table as the code of the wrappers sees them: where each argument is. */
#ifndef HEDDLE_MODELS_MPI_FUNCTION_H
#define HEDDLE_MODELS_MPI_FUNCTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/tree/event.h"
#include "models/mpi/wrappers/mpi_effects.h"
#include "models/mpi/wrappers/mpi_table.h"

/* MPI_x and PMPI_x. */
enum heddle_mpi_entry { HEDDLE_MPI_NAMED, HEDDLE_MPI_PROFILED, HEDDLE_MPI_ENTRIES };

/* Positions of arguments; -1: none. */
struct heddle_mpi_arguments {
	int8_t send, send_count, send_type; /* a buffer, its count and type */
	int8_t receive, receive_count, receive_type;
	int8_t destination, source, tag, root, communicator, made, window, file;
	int8_t received_tag; /* of the received message: the last tag, if there are two */
	int8_t partitions;   /* each has the count */
	int8_t request, message, count, status, flag, index;
	int8_t handle;                              /* of a request, not its address */
	bool requests, send_counts, receive_counts; /* arrays */
	bool send_types, receive_types;
	bool either;     /* one buffer, sent or received by the rank */
	bool mirrored;   /* each rank sends as many bytes as it receives, by the same arguments */
	bool neighbours; /* ranks are neighbours */
};

/* What a call needs is first, in two cache lines. */
struct heddle_mpi_function {
	_Alignas(64) void (*_Atomic real[HEDDLE_MPI_ENTRIES])(void); /* NULL: not looked up yet */
	void (*before)(struct heddle_mpi_operation *operation);      /* of its effect, if it is needed; NULL: none */
	void (*after)(struct heddle_mpi_operation *operation);
	struct heddle_event *event;
	uint8_t effect; /* enum heddle_mpi_effect */
	uint8_t arity;
	bool wide;          /* counts have 64 bits */
	bool prepares;      /* there is an act after the region has begun, before the real function */
	uint8_t collective; /* enum heddle_trace_collective */
	uint8_t waits;      /* enum heddle_event_role: who waits for whom in a collective, blocking or not */
	struct heddle_mpi_arguments at;
	const char *name; /* "PMPI_Send" */
	const char *kinds, *moved;
};

enum heddle_mpi_number {
#define M(name, ...) HEDDLE_MPI_##name,
	HEDDLE_MPI_FUNCTIONS
#undef M
		HEDDLE_MPI_FUNCTION_COUNT
};

extern struct heddle_mpi_function heddle__mpi_functions[HEDDLE_MPI_FUNCTION_COUNT];
extern struct heddle_event heddle__mpi_events[HEDDLE_MPI_FUNCTION_COUNT];

/* Returns the function's number plus 1, for requests. */
static inline uint16_t heddle__mpi_function_number(const struct heddle_mpi_function *function)
{
	return (uint16_t)(function - heddle__mpi_functions + 1);
}

/*
 * Finds the positions of all functions' arguments, and the acts that each needs, when it is known what is measured.
 * Context: init.
 */
void heddle__mpi_functions_init(void);

#endif
