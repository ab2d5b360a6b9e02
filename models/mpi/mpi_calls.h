/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between libheddle-mpi.so, which wraps an MPI library, and libheddle.so, which measures calls, messages
 * and bytes without knowledge of MPI.
 */
#ifndef HEDDLE_MODELS_MPI_CALLS_H
#define HEDDLE_MODELS_MPI_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/clock.h"
#include "core/base/frame.h"
#include "core/base/likely.h"
#include "core/tree/event.h"
#include "format/trace.h"

/* Changed with the structures below: the two libraries must be of one build. */
#define HEDDLE_MPI_INTERFACE 13u

/* An exchange with a rank or a file, or a collective. */
struct heddle_mpi_message {
	uint32_t communicator;          /* or file, as returned by `text`; 0: not known */
	int32_t partner;                /* rank in MPI_COMM_WORLD; negative: none, any, or not known */
	enum heddle_exchange_kind kind; /* 0: it is only recorded */
	uint64_t bytes;

	/* for traces */
	enum heddle_trace_message record; /* 0: none, or recorded before */
	uint32_t group;                   /* the communicator's number; 0: not known */
	int32_t tag;                      /* negative: any or none */
	uint64_t request;                 /* as in format/trace.h */
};

/* What a trace records at a call's begin. */
struct heddle_mpi_entered {
	uint64_t communicator;                  /* of a collective, as HEDDLE_TRACE_COMMUNICATOR; 0: not known */
	bool meets_all;                         /* all ranks are in it, and wait for each other */
	int32_t root;                           /* in MPI_COMM_WORLD; negative: none */
	uint32_t across;                        /* HEDDLE_TRACE_ACROSS; 0: of one group */
	const struct heddle_mpi_message *sends; /* that it begins with */
	size_t send_count;
};

struct heddle_thread;

/* One call of the program; on the wrapper's stack. */
struct heddle_mpi_call {
	const struct heddle_call *from; /* not a copy: reading what was just written in parts stalls the processor */
	const struct heddle_event *event;
	const struct heddle_mpi_entered *entered; /* NULL: there is no trace */
	uint64_t begun, ended;                    /* measured ticks */

	/* for libheddle.so only */
	struct heddle_thread *thread; /* in which a region was opened; NULL: none was */
};

/* What a call moved, as far as it is known when the call ends. The first four are in the order of their metrics. */
struct heddle_mpi_moved {
	uint64_t sent, received; /* messages */
	uint64_t bytes_sent, bytes_received;
	uint64_t overlapped; /* the part of `flight` before the call */
	uint64_t flight;     /* ticks from the start of operations that it completed until now */
	uint64_t synced; /* ticks of a barrier before it, which waits for all: the rest is work; 0: there was none */
	uint64_t size;   /* bytes by which calls of one path are compared; UINT64_MAX: the call has no size */
	bool moves;      /* the size is that of data, not of a wait */
};

/* Context of all but attach: any thread, not nested, not a signal handler. errno stays. */
struct heddle_mpi_interface {
	bool traces;                            /* records of messages are wanted */
	bool syncs;                             /* so is a barrier before each collective */
	bool reads_tsc;                         /* ticks may be taken by heddle__mpi_ticks, without a call */
	const _Atomic uint64_t *measured_clock; /* as heddle__measured_clock */
	const char *directory, *host;           /* of the measurement: an absolute path; this machine's name */

	/* Before the real function. Elapsed time from then on is the region's, until the tick `ended`. */
	void (*begin)(struct heddle_mpi_call *call);

	/* Measured ticks: taken after the real function. */
	uint64_t (*ticks)(void);

	/* Adds messages of the call, whose time is divided among so many `parts`. */
	void (*exchange)(
		struct heddle_mpi_call *call, const struct heddle_mpi_message *messages, size_t count, size_t parts);

	/* Adds the last messages like `exchange`; ends the region, and adds to its metrics. */
	void (*end)(struct heddle_mpi_call *call, const struct heddle_mpi_moved *moved,
		const struct heddle_mpi_message *messages, size_t count, size_t parts);

	/* Ends the region of a call that was abandoned (longjmp, exceptions). */
	void (*abandon)(const struct heddle_event *event);

	/* Counts a call without duration. */
	void (*count)(const struct heddle_event *event);

	/* Returns the number of a text plus 1, for communicators and files; 0: no memory. */
	uint32_t (*text)(const char *text);

	/* A communicator, before the first message by it. */
	void (*group)(const struct heddle_trace_group *group);

	/* The process's rank in MPI_COMM_WORLD, and how many there are. */
	void (*ranks)(uint32_t rank, uint32_t count);

	/*
	 * clock returns CLOCK_MONOTONIC in ns. measure_clock measures the offset to that of another machine, which
	 * `read` returns.
	 */
	uint64_t (*clock)(void);
	void (*measure_clock)(int (*read)(uint64_t *ns));

	/* MPI_Pcontrol: 0 pauses, 1 continues, 2 writes the profile as it stands. */
	void (*control)(int level);

	/* The library is about to end the process: writes the profile. */
	void (*end_process)(void);

	/*
	 * The launcher is about to end all ranks, including the `heddle run` of each: writes the profile and the
	 * summary.
	 */
	void (*end_job)(void);
};

/* Returns the same as `ticks`, by a fast path. */
static inline uint64_t heddle__mpi_ticks(const struct heddle_mpi_interface *interface)
{
	uint64_t clock = atomic_load_explicit(interface->measured_clock, memory_order_relaxed);
	return HEDDLE_LIKELY(interface->reads_tsc && !(clock & 1)) ? heddle__tsc() - (clock >> 1) : interface->ticks();
}

/*
 * Register the events, which must stay valid, and get the interface; NULL: MPI is not measured, or `version` is not
 * HEDDLE_MPI_INTERFACE. Context: init.
 */
const struct heddle_mpi_interface *heddle_mpi_attach(
	unsigned int version, struct heddle_event *events, unsigned int count);

/*
 * Exported by libheddle-mpi.so, for wrappers of libraries that are built on MPI: calls of MPI from the stack below this
 * address are not the program's. Returns the former address, to be set again; 0: none. Context: any thread.
 */
uintptr_t heddle_mpi_hide(uintptr_t below);

#endif
