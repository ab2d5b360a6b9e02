/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that the processes of one program share besides the segments: thread count, thread states, barriers,
 * heaps. It is at the start of the memory file, zeroed at program start, and has only offsets and numbers, because each
 * process has its own addresses.
 */
#ifndef HEDDLE_UPC_RUNTIME_CONTROL_H
#define HEDDLE_UPC_RUNTIME_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "upc/abi.h"

#define HUPC__STRIDE (UINT64_C(1) << UPCRT_OFFSET_BITS)
#define HUPC__PAGE UINT64_C(4096) /* the first page of each segment is never mapped: null pointers fault */
#define HUPC__LINE 64
#define HUPC__HEAP_BINS 128

/* A source position in a form that is valid in all processes (site.h). */
struct hupc__shared_place {
	int64_t file; /* offset from the program's start; 0: unknown */
	int32_t line;
	uint8_t call, calls;
};

enum hupc__thread_state { HUPC__RUNNING, HUPC__FINISHING, HUPC__FINISHED };

struct hupc__thread_control {
	_Alignas(HUPC__LINE) _Atomic uint32_t state; /* enum hupc__thread_state */
	_Atomic uint32_t gone;                       /* the process has ended, in any way */
	_Atomic int32_t status;                      /* exit status, or HUPC__LOST */
	_Atomic int32_t pid;                         /* of a launcher's rank; otherwise 0 */
	_Atomic uint64_t arrivals;                   /* number of barriers at which the thread has arrived */
	struct hupc__shared_place place;             /* of the last barrier */
	/* The thread's contribution to a reduction; two slots, used alternately (reduce.c). */
	_Alignas(16) unsigned char partial[2][16];
	uint32_t has_partial[2];
};

struct hupc__barrier_control {
	_Alignas(HUPC__LINE) _Atomic uint32_t arrived;
	_Alignas(HUPC__LINE) _Atomic uint32_t generation;
	_Atomic uint32_t sleepers;
	_Alignas(HUPC__LINE) _Atomic uint64_t expected; /* what the threads must agree on (barrier.c) */
	_Atomic uint64_t agreed[2];                     /* `expected` of completed generations, even and odd */
};

/* A lock between processes, for short critical sections of the run-time system. */
struct hupc__mutex {
	_Atomic uint32_t state; /* 0 free, 1 held, 2 held with waiters */
};

/* One heap (heap.c): of one thread, or the one whose blocks are at the same offset in every segment. */
struct hupc__heap_control {
	_Alignas(HUPC__LINE) struct hupc__mutex mutex;
	uint64_t low, high; /* the range of offsets that it includes */
	uint64_t last;      /* the block before `high` */
	uint64_t given;     /* number of blocks freed so far */
	uint64_t filled[HUPC__HEAP_BINS / 64];
	uint64_t free[HUPC__HEAP_BINS];
};

#define HUPC__LOST (-1)          /* instead of an exit status: the process was killed, or called _exit */
#define HUPC__PROCESSOR_WORDS 16 /* words of a set of processors */

struct hupc__control {
	uint64_t magic;
	uint32_t threads;
	uint32_t processors;   /* number of those available to the program */
	uint64_t segment_size; /* of each thread, in bytes */
	uint64_t border;       /* with a network: the offset that separates the two heaps (heap.c); otherwise 0 */
	/* The union of the processors that a launcher's ranks may use. */
	_Atomic uint64_t processor_set[HUPC__PROCESSOR_WORDS];
	uint32_t node_size; /* threads on each node; 0: all (nodes.h) */

	/* The end of the program: 0, or HUPC__ENDING | exit status, set once. */
	_Alignas(HUPC__LINE) _Atomic uint32_t ending;
	_Atomic uint32_t ended;     /* incremented when a thread is about to end, and when its process has ended */
	_Atomic uint64_t chosen[2]; /* results of collective functions, from thread 0 to all */

	struct hupc__barrier_control barrier;
	struct hupc__mutex edge; /* protects the space between the heaps: `low` and `high` of each */
	struct hupc__heap_control global_heap;
	struct hupc__thread_control thread[UPCRT_MAX_THREADS];
	struct hupc__heap_control heap[UPCRT_MAX_THREADS];
};

#define HUPC__ENDING 0x100u
#define HUPC__MAGIC UINT64_C(0x4c4f525443435055)

/* Addresses and identity of this process. */
extern struct hupc__control *hupc__control;
extern int hupc__threads, hupc__mythread; /* THREADS and MYTHREAD of compiled code */
extern bool hupc__is_thread;              /* false in the process that waits for the others */

/* Set if the tool lets compiled code count accesses (heddle/upc_bridge.h); NULL: each is reported. */
extern const struct heddle_upc_counting *hupc__counting;

static inline struct hupc__thread_control *hupc__me(void)
{
	return &hupc__control->thread[hupc__mythread];
}

/* Returns true if that thread has ended or is about to end. */
static inline bool hupc__has_ended(int thread)
{
	struct hupc__thread_control *it = &hupc__control->thread[thread];
	return atomic_load(&it->state) != HUPC__RUNNING || atomic_load(&it->gone);
}

/* The signal that makes a thread process end; a real-time signal that programs are unlikely to use. */
#define HUPC__END_SIGNAL 58

/*
 * Requests the end of the program with this status; the first request wins. Returns true if this was the first.
 * Context: any, also signal.
 */
bool hupc__ask_to_end(int status);

#endif
