/* SPDX-License-Identifier: BSD-3-Clause */
/* Acts of a call in addition to its region: one row of operations for each effect in the table. */
#ifndef HEDDLE_MODELS_MPI_EFFECTS_H
#define HEDDLE_MODELS_MPI_EFFECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/mpi/mpi_calls.h"
#include "models/mpi/wrappers/mpi_requests.h"

/*
 * COUNT is counted without time; TIME is a region and no more. Each of the others has functions of its name in
 * mpi_effects.c.
 */
#define HEDDLE_MPI_EFFECTS(X)                                                             \
	X(COUNT)                                                                          \
	X(TIME)                                                                           \
	X(MESSAGE)    /* sends, receives or both; without a request: when it returns */   \
	X(MATCH)      /* takes a message out, which another call receives */              \
	X(PREPARE)    /* makes a persistent request */                                    \
	X(READY)      /* lets parts of a partitioned message be sent */                   \
	X(START)      /* starts persistent requests */                                    \
	X(COMPLETE)   /* waits for requests, or tests them */                             \
	X(DROP)       /* frees a request */                                               \
	X(COLLECTIVE) /* moves what the column "moved" says */                            \
	X(ACCESS)     /* to a window */                                                   \
	X(FILE)       /* reads or writes one, or does anything else with it */            \
	X(FILE_OPEN)                                                                      \
	X(FILE_CLOSE)                                                                     \
	X(COMM_NEW)    /* makes a communicator */                                         \
	X(COPY)        /* makes a copy of one, which is there when a request completes */ \
	X(COMM_FREE)   /* frees one */                                                    \
	X(WINDOW_NEW)  /* makes a window */                                               \
	X(WINDOW_FREE) /* frees one */                                                    \
	X(FENCE)       /* of a window, collective */                                      \
	X(PASSIVE)     /* locks windows of others, or completes accesses to these */      \
	X(EPOCH)       /* begins or ends accesses of some ranks to others' windows */     \
	X(INIT)                                                                           \
	X(SESSION)  /* begins one */                                                      \
	X(FINALIZE) /* ends all */                                                        \
	X(ABORT)

enum heddle_mpi_effect {
#define X(name) HEDDLE_MPI_EFFECT_##name,
	HEDDLE_MPI_EFFECTS(X)
#undef X
		HEDDLE_MPI_EFFECT_COUNT_OF
};

struct heddle_mpi_function;
struct heddle_mpi_comm;

/* Room for statuses and handles that a wrapper keeps on its stack. */
#define HEDDLE_MPI_KEPT 32
#define HEDDLE_MPI_STATUS_SIZE 40 /* the largest of any ABI, and a little more */

/* The current call; on the wrapper's stack. Members that each call needs are first. */
struct heddle_mpi_operation {
	const struct heddle_mpi_function *function;
	uintptr_t *words; /* arguments, which may be changed before the call */
	int result;
	uint32_t file; /* the name of the one that is closed */
	struct heddle_mpi_call call;
	struct heddle_mpi_moved moved;
	uint64_t number;                       /* of an operation that continues after the call returns; 0: none */
	const struct heddle_mpi_comm *matched; /* the communicator of a message that a probe took out */
	size_t messages;                       /* not reported yet */
	size_t parts;                          /* of the call, among which its time is divided */
	struct heddle_mpi_message message[HEDDLE_MPI_KEPT];

	/* Targets of call.entered and entered.sends, if there is a trace. */
	struct heddle_mpi_entered entered;
	struct heddle_mpi_message sends;

	/* The program's handles before the call, and the wrapper's statuses if the program has none. */
	uintptr_t *handles;
	size_t count;
	unsigned char *statuses;
	uintptr_t few_handles[HEDDLE_MPI_KEPT];
	_Alignas(16) unsigned char few_statuses[HEDDLE_MPI_KEPT * HEDDLE_MPI_STATUS_SIZE];
	void *mapped; /* when there are more; its size follows */
	size_t mapped_size;
	struct heddle_mpi_request freed; /* what is known of the request that is freed */
};

/* The parts of an effect; any may be NULL. Context: any thread, not nested. */
struct heddle_mpi_operations {
	void (*before)(struct heddle_mpi_operation *operation);
	void (*after)(struct heddle_mpi_operation *operation); /* successful or not: see result */
};

extern const struct heddle_mpi_operations heddle__mpi_operations[HEDDLE_MPI_EFFECT_COUNT_OF];

/*
 * Waits for all members of a collective's communicator before the collective, as every member does. Context: any
 * thread, not nested; after `begin`.
 */
void heddle__mpi_synchronize(struct heddle_mpi_operation *operation);

/* Reports the messages of the operation. Context: any thread, not nested. */
void heddle__mpi_exchanged(struct heddle_mpi_operation *operation);

/* Adds a call with the file of that name. Context: any thread, not nested; after the call. */
void heddle__mpi_exchange_with_file(
	struct heddle_mpi_operation *operation, uint32_t name, enum heddle_exchange_kind kind, uint64_t bytes);

/*
 * Adds a request that the call made, and fills in its other members. Context: any thread, not nested; after the call.
 */
void heddle__mpi_follow(struct heddle_mpi_operation *operation, struct heddle_mpi_request *request);

/*
 * Queries the rank, once MPI is initialized, unless the world is known: another library may have initialized MPI
 * without a call of a wrapper (Open MPI's OpenSHMEM does). Context: any thread, not nested.
 */
extern bool heddle__mpi_world_is_known;
void heddle__mpi_find_world(void);

/* NULL: nothing is measured. Set once. */
extern const struct heddle_mpi_interface *heddle__mpi;

/* Returns how many messages of the operation are not only recorded; without a trace, that is all of them. */
size_t heddle__mpi_counted(const struct heddle_mpi_operation *operation);

/* Returns by how many messages a call's time is divided: a call that sends and receives at once has two parts. */
static inline size_t heddle__mpi_parts(const struct heddle_mpi_operation *operation)
{
	size_t counted = HEDDLE_UNLIKELY(heddle__mpi->traces) ? heddle__mpi_counted(operation) : operation->messages;
	return counted > operation->parts ? counted : operation->parts;
}

#endif
