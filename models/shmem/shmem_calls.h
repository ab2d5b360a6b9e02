/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between libheddle-shmem.so, which wraps an OpenSHMEM library, and libheddle.so, which measures calls,
 * accesses and bytes without knowledge of OpenSHMEM.
 */
#ifndef HEDDLE_MODELS_SHMEM_CALLS_H
#define HEDDLE_MODELS_SHMEM_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/frame.h"
#include "core/tree/event.h"
#include "format/trace.h"

/* Changed with the structures below: the two libraries must be of one build. */
#define HEDDLE_SHMEM_INTERFACE 2u

struct heddle_slot;
struct heddle_partner;

/* Which way the bytes of an access go; both: an atomic operation that returns a value. */
enum heddle_shmem_way {
	HEDDLE_SHMEM_GETS = 1,
	HEDDLE_SHMEM_PUTS = 2,
	HEDDLE_SHMEM_LATER = 4, /* it does not block: its data arrive until the context is completed */
};

/* One call of the program; on the wrapper's stack. */
struct heddle_shmem_call {
	struct heddle_call from;
	const struct heddle_event *event;

	/* An access to the memory of one PE, counted when the call begins. */
	int32_t pe;                  /* negative: it is none, or not of a PE */
	uint32_t ways;               /* enum heddle_shmem_way */
	uint64_t size;               /* bytes */
	enum heddle_trace_side side; /* where that memory is */
	uintptr_t context;           /* of the access, or the one that is completed */
	uint32_t variable;           /* that is accessed, as `text` gave it; 0: not known */

	/* Counted when the call ends. */
	bool completes; /* completes the context's nonblocking accesses */
	bool moves;     /* a collective that moves data: */
	uint64_t bytes_got, bytes_put;
	uint64_t allocated; /* bytes of the PE's symmetric memory */

	uintptr_t hidden; /* for heddle_mpi_hide, which hides calls of MPI that are not the program's: its result */

	uint32_t described; /* set by `end`: the variable that was allocated; 0: none */

	uint64_t lock; /* a number that is the same in all PEs; 0: no lock */
	bool locked;   /* an attempt was successful; set before `end` */

	int32_t root;   /* PE whose data all others get; negative: none */
	uint64_t group; /* the members that meet in it, as HEDDLE_TRACE_COMMUNICATOR; 0: none, or not known */
	bool meets_all; /* no member leaves it before all have entered it */

	/* For libheddle.so only. */
	bool opened;                    /* a region was opened */
	uint64_t begun;                 /* measured ticks */
	struct heddle_slot *slot;       /* of the region; NULL: nothing is counted */
	struct heddle_partner *partner; /* NULL: none */
};

/* Context of all but attach: any thread, not nested, not a signal handler. errno stays. */
struct heddle_shmem_interface {
	/* Before the real function: opens the region and counts the access. */
	void (*begin)(struct heddle_shmem_call *call);

	/* After the real function: closes the region. */
	void (*end)(struct heddle_shmem_call *call);

	/* A call without duration. */
	void (*count)(const struct heddle_event *event);

	/* The number of this PE, and how many there are. */
	void (*ranks)(uint32_t pe, uint32_t count);

	/* Returns whether variables are measured. */
	bool (*wants_variables)(void);

	/*
	 * Returns the number of a text plus 1; 0: no memory. Variables are described as in docs/format.md, OBJECT
	 * nodes.
	 */
	uint32_t (*text)(const char *text);

	/* shmem_pcontrol: 0 pauses, 1 continues, 2 writes the profile as it stands. */
	void (*control)(int level);

	/* The library is about to end the process: writes the profile. */
	void (*end_process)(void);
};

/*
 * Registers the events, which must stay valid, and returns the interface; NULL: OpenSHMEM is not measured, or `version`
 * is not HEDDLE_SHMEM_INTERFACE. Context: init.
 */
const struct heddle_shmem_interface *heddle_shmem_attach(
	unsigned int version, struct heddle_event *events, unsigned int count);

#endif
