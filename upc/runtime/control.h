/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the processes of one program share beside the segments: how many they are, who has ended, barriers, heaps. It
 * stands at the start of the memory file, zero when the program starts. Only offsets and numbers: each process has its
 * own addresses.
 */
#ifndef HEDDLE_UPC_RUNTIME_CONTROL_H
#define HEDDLE_UPC_RUNTIME_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "upc/abi.h"

#define HUPC__STRIDE (UINT64_C(1) << UPCRT_OFFSET_BITS)
#define HUPC__PAGE UINT64_C(4096) /* the first page of each segment is never there: null pointers fault */
#define HUPC__LINE 64
#define HUPC__HEAP_BINS 128

/* A place in the source, told in a way that the other processes understand (place.h). */
struct hupc__shared_place {
	int64_t file; /* from the program's start, 0: unknown */
	int32_t line;
};

enum hupc__thread_state { HUPC__RUNNING, HUPC__FINISHING, HUPC__FINISHED };

struct hupc__thread_control {
	_Alignas(HUPC__LINE) _Atomic uint32_t state; /* enum hupc__thread_state */
	_Atomic uint32_t gone;                       /* the process has ended, in whatever way */
	_Atomic int32_t status;                      /* what it ended with */
	_Atomic uint64_t arrivals;                   /* how many barriers it has come to */
	struct hupc__shared_place place;             /* of the last one */
	/* What it adds to a reduction, in turns of two (reduce.c). */
	_Alignas(16) unsigned char partial[2][16];
	uint32_t has_partial[2];
};

struct hupc__barrier_control {
	_Alignas(HUPC__LINE) _Atomic uint32_t arrived;
	_Alignas(HUPC__LINE) _Atomic uint32_t generation;
	_Atomic uint32_t sleepers;
	_Alignas(HUPC__LINE) _Atomic uint64_t expected; /* what those that have come said (barrier.c) */
	_Atomic uint64_t agreed[2];                     /* the same of complete generations, even and odd ones */
};

/* A lock between processes for short stretches of the run-time system's own code. */
struct hupc__mutex {
	_Atomic uint32_t state; /* 0 free, 1 held, 2 held and waited for */
};

/* One heap (heap.c): of one thread, or the one whose blocks stand at the same offset in every segment. */
struct hupc__heap_control {
	_Alignas(HUPC__LINE) struct hupc__mutex mutex;
	uint64_t low, high; /* offsets that belong to it */
	uint64_t last;      /* the block before `high` */
	uint64_t filled[HUPC__HEAP_BINS / 64];
	uint64_t free[HUPC__HEAP_BINS];
};

struct hupc__control {
	uint64_t magic;
	uint32_t threads;
	uint32_t processors;   /* that the program may use */
	uint64_t segment_size; /* a thread's */

	/* The end: 0, or HUPC__ENDING | exit status, once. */
	_Alignas(HUPC__LINE) _Atomic uint32_t ending;
	_Atomic uint32_t ended;     /* grows with each thread that is about to end, or whose process is gone */
	_Atomic uint64_t chosen[2]; /* what one thread hands to all in a collective function */

	struct hupc__barrier_control barrier;
	struct hupc__mutex edge; /* between the heaps: `static_end`, low and high */
	struct hupc__heap_control global_heap;
	struct hupc__thread_control thread[UPCRT_MAX_THREADS];
	struct hupc__heap_control heap[UPCRT_MAX_THREADS];
};

#define HUPC__ENDING 0x100u
#define HUPC__MAGIC UINT64_C(0x4c4f525443435055)

/* Of this process. */
extern struct hupc__control *hupc__control;
extern int hupc__threads, hupc__mythread; /* what compiled code calls THREADS and MYTHREAD */
extern bool hupc__is_thread;              /* false in the process that waits for the others */

static inline struct hupc__thread_control *hupc__me(void)
{
	return &hupc__control->thread[hupc__mythread];
}

/*
 * Ask for the program's end with this status; the first to ask decides. Returns whether that was the caller.
 * Context: any, a signal handler too.
 */
bool hupc__ask_to_end(int status);

#endif
