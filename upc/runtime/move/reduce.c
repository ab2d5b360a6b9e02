/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_collective.h: computation (UPC library 7.3.3). In a reduction, each thread reduces its own elements, then one
 * thread combines the partial results. A prefix reduction, and a reduction with a non-commutative function, is computed
 * in order by one thread, which can access all segments directly.
 */
#include <string.h>

#include "upc/runtime/base/library.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/move/move.h"
#include "upc/runtime/sync/collective.h"
#include "upc/runtime/sync/message_queue.h"

/* Iterates over the elements of a blocked array in order; elements of a run are contiguous. */
struct walk {
	uint64_t thread, start; /* of the block: thread, offset of its first element */
	uint64_t at, run;       /* offset of the next element; number of elements left in the block */
	uint64_t block, size;   /* elements per block, 0: indefinite; bytes per element */
};

static struct walk walk_from(upcrt_shared array, uint64_t block, uint64_t size)
{
	uint64_t phase = block ? UPCRT_PHASE(array) % block : 0, at = UPCRT_OFFSET(array);
	return (struct walk){
		UPCRT_THREAD(array), at - phase * size, at, block ? block - phase : UINT64_MAX, block, size};
}

static void next_block(struct walk *walk)
{
	if (++walk->thread == (uint64_t)hupc__threads) {
		walk->thread = 0;
		walk->start += walk->block * walk->size;
	}
	walk->at = walk->start;
	walk->run = walk->block;
}

#define PIECE 4096 /* bytes of another node's memory that are read at once */

/* Returns the next contiguous elements, at most `count`, checks that they are in range, and advances. */
static upcrt_shared next_run(
	struct walk *walk, const struct hupc__site *site, const char *what, uint64_t count, uint64_t *length)
{
	if (!walk->run)
		next_block(walk);
	*length = walk->run < count ? walk->run : count;
	upcrt_shared here = UPCRT_POINTER(0, walk->thread, walk->at);
	uint64_t bytes;
	if (__builtin_mul_overflow(*length, walk->size, &bytes))
		bytes = UINT64_MAX;
	hupc__check_range(site, what, here, bytes);
	walk->run -= *length;
	walk->at += bytes;
	return here;
}

/* As next_run, for reading: returns the elements where they are mapped, or a copy in `piece`. */
static const void *read_run(struct walk *walk, const struct hupc__site *site, const char *what, uint64_t count,
	uint64_t *length, void *piece)
{
	if (hupc__network && count > PIECE / walk->size)
		count = PIECE / walk->size;
	upcrt_shared here = next_run(walk, site, what, count, length);
	if (hupc__is_mapped(here))
		return UPCRT_ADDRESS(here);
	hupc__get(piece, here, *length * walk->size);
	return piece;
}

/* The arguments of one call. */
struct reduction {
	struct hupc__collective call;
	const char *name;
	upcrt_shared to, from;
	int operation;
	uint64_t count, block;
};

static struct reduction describe(const struct hupc__site *site, enum hupc__meeting meeting, gasp_upc_reduction_t type,
	const char *name, upcrt_shared to, upcrt_shared from, int operation, size_t count, size_t block, int flags)
{
	uint64_t digest = hupc__digest(hupc__digest(hupc__digest(to, from), count), block);
	digest = hupc__digest(digest, (uint64_t)operation << 32 | (uint64_t)type << 16 | (uint64_t)flags);
	return (struct reduction){{site, meeting, flags, digest}, name, to, from, operation, count, block};
}

/* The number of the first block with affinity to this thread, from the start of the array. */
static uint64_t first_own_block(const struct reduction *it)
{
	uint64_t threads = (uint64_t)hupc__threads;
	return ((uint64_t)hupc__mythread + threads - UPCRT_THREAD(it->from)) % threads;
}

/* Returns a block of this thread; NULL after the last one. */
static void *own_block(const struct reduction *it, uint64_t number, uint64_t size, uint64_t *length)
{
	uint64_t block = it->block ? it->block : UINT64_MAX;
	uint64_t phase = it->block ? UPCRT_PHASE(it->from) % block : 0;
	uint64_t begin = number ? block - phase + (number - 1) * block : 0, all = number ? block : block - phase;
	if (begin >= it->count || (number && !it->block))
		return NULL;
	*length = all < it->count - begin ? all : it->count - begin;
	uint64_t row = (UPCRT_THREAD(it->from) + number) / (uint64_t)hupc__threads;
	uint64_t at = UPCRT_OFFSET(it->from) - phase * size + row * it->block * size + (number ? 0 : phase * size);
	upcrt_shared here = UPCRT_POINTER(0, hupc__mythread, at);
	hupc__check_range(it->call.site, it->name, here, *length * size);
	return UPCRT_ADDRESS(here);
}

/* two slots for partial results, used alternately, because those of the last call may still be read */
static unsigned int turn;

_Noreturn static void bad_operation(const struct reduction *it)
{
	hupc__fatal(it->call.site, "%s: operation %d is not defined for this type", it->name, it->operation);
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)
#define F(name) PASTE(name##_, SUFFIX)

#define SUFFIX C
#define TYPE signed char
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX UC
#define TYPE unsigned char
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX S
#define TYPE short
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX US
#define TYPE unsigned short
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX I
#define TYPE int
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX UI
#define TYPE unsigned int
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX L
#define TYPE long
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX UL
#define TYPE unsigned long
#define INTEGER 1
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX F
#define TYPE float
#define INTEGER 0
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX D
#define TYPE double
#define INTEGER 0
#include "upc/runtime/move/reduce_type.h"

#define SUFFIX LD
#define TYPE long double
#define INTEGER 0
#include "upc/runtime/move/reduce_type.h"
