/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks of the heaps (heap.c), and finding the block that contains an address: an index in shared memory, for each
 * heap, has the first block that begins in each page of 64 KiB. Tools request the memory that a pointer points into.
 */
#ifndef HEDDLE_UPC_RUNTIME_HEAP_BLOCK_H
#define HEDDLE_UPC_RUNTIME_HEAP_BLOCK_H

#include "upc/runtime/events/site.h"

#define HUPC__GRAIN UINT64_C(32)
#define HUPC__ASKED_BITS 35
#define HUPC__LINE_BITS 19
#define HUPC__CALL_BITS 4 /* enough for UPCRT_MOST_CALLS */

/* Block states: the lower 32 bits of `state`; program data is unlikely to look like them. */
#define HUPC__FREE_BLOCK UINT32_C(0x46524545)
#define HUPC__LOCAL_BLOCK UINT32_C(0x75706c21)
#define HUPC__GLOBAL_BLOCK UINT32_C(0x75706721)

/* What allocated a block. */
enum hupc__allocator { HUPC__FOR_RUNTIME, HUPC__BY_ALLOC, HUPC__BY_GLOBAL_ALLOC, HUPC__BY_ALL_ALLOC };

/* Precedes the memory that the program gets. Links are offsets; 0: none. */
struct hupc__block {
	uint64_t size;   /* including this header */
	uint32_t before; /* offset / HUPC__GRAIN of the block before; 0: none */
	uint32_t tag;    /* a tool's tag of the allocation */
	uint32_t state;
	uint32_t file;   /* of the allocation: offset from the program's start; 0: unknown */
	uint64_t asked;  /* from the lowest bit on: bytes, line, call, calls, allocator */
	uint64_t link[]; /* of a free block: next, previous */
};

/* A heap, and the segment that holds its block headers. */
struct hupc__heap {
	struct hupc__heap_control *control;
	uint64_t thread;
	bool grows_up;
	uint32_t *index; /* by page: offset / HUPC__GRAIN of the first block that begins in it; 0: none */
};

/* Heaps in the memory of this machine. */
struct hupc__heap hupc__heap_local(uint64_t thread);
struct hupc__heap hupc__heap_global(void);

static inline struct hupc__block *hupc__block_at(const struct hupc__heap *heap, uint64_t offset)
{
	return UPCRT_ADDRESS(UPCRT_POINTER(0, heap->thread, offset));
}

/*
 * Adds a block that begins at `offset` to the index, or removes a block from `offset` to `end`. Context: the heap's
 * lock held.
 */
void hupc__index_add(const struct hupc__heap *heap, uint64_t offset);
void hupc__index_remove(const struct hupc__heap *heap, uint64_t offset, uint64_t end);

/*
 * Not 0 while this thread holds a heap's lock: code that runs meanwhile is in a signal handler, and must not wait for
 * it.
 */
extern _Thread_local volatile int hupc__holds_heap;

/* An allocation: its place, the function that allocates, and a tool's tag. */
struct hupc__taker {
	struct hupc__shared_place place;
	uint32_t by; /* enum hupc__allocator */
	uint32_t tag;
};
void hupc__block_sign(struct hupc__block *block, uint64_t asked, const struct hupc__taker *taker);

/* The tag for this thread's next allocation, which resets it. */
extern _Thread_local uint32_t hupc__next_tag;

/* Dynamic shared memory, as reported to tools. */
struct hupc__memory {
	uint64_t low, high; /* offsets; 0, 0: the pointer does not point into allocated memory */
	uint32_t file;      /* as in struct hupc__block */
	uint32_t line;      /* 0: unknown */
	uint32_t call, calls;
	uint32_t allocator; /* enum hupc__allocator */
	uint32_t tag;
	uint32_t for_all; /* 1: all threads have a part, at these offsets; 0: only the pointer's thread */
	/* The other members are valid while *now is `version`: until then, no memory of that heap was freed. */
	uint64_t version;
	const volatile uint64_t *now;
};

/* Finds the memory that POINTER points into. May query another machine. Context: any thread, no heap's lock held. */
void hupc__memory_of(upcrt_shared pointer, struct hupc__memory *memory);

/*
 * Called when this thread may learn of memory that others have freed: earlier results about heaps of other machines are
 * no longer valid.
 */
void hupc__memory_may_be_freed(void);

/* Called when this thread has freed shared memory: the next barrier notifies all other threads. Context: any thread. */
void hupc__memory_freed(void);

/* Returns true if this thread has freed shared memory since the last call. Context: the UPC thread's own. */
bool hupc__memory_take_freed(void);

#endif
