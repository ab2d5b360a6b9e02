/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_collective.h: relocalization (UPC library 7.3.2). Each thread copies the data that it sends or receives. Data of
 * other threads is accessed only between two synchronizations of all threads, unless the flags omit one.
 */
#include "upc/runtime/sync/collective.h"

#include "upc/runtime/base/library.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/move/move.h"
#include "upc/runtime/sync/message_queue.h"

/* Block `number` of an array distributed in blocks of `size` bytes. */
static upcrt_shared block(upcrt_shared array, uint64_t number, uint64_t size)
{
	uint64_t threads = (uint64_t)hupc__threads, at = UPCRT_THREAD(array) + number;
	return UPCRT_POINTER(0, at % threads, UPCRT_OFFSET(array) + at / threads * size);
}

static struct hupc__collective prepare(const struct hupc__site *site, enum hupc__meeting meeting, upcrt_shared to,
	upcrt_shared from, size_t size, int flags)
{
	uint64_t digest = hupc__digest(hupc__digest(hupc__digest(to, from), size), (uint64_t)flags);
	return (struct hupc__collective){site, meeting, flags, digest};
}

static void copy(const struct hupc__site *site, const char *what, upcrt_shared to, upcrt_shared from, size_t size)
{
	hupc__check_range(site, what, to, size);
	hupc__check_range(site, what, from, size);
	if (to != from)
		hupc__copy(to, from, size);
}

/*
 * Broadcasts over a network by a binomial tree: a thread gets the data from its parent's copy, and notifies its
 * children. Threads are numbered from the one that has the data.
 */
static void broadcast_by_tree(const struct hupc__site *site, upcrt_shared to, upcrt_shared from, size_t size)
{
	uint64_t threads = (uint64_t)hupc__threads, root = UPCRT_THREAD(from);
	uint64_t me = ((uint64_t)hupc__mythread + threads - root) % threads, step = 1;
	upcrt_shared mine = block(to, (uint64_t)hupc__mythread, size);
	char ready = 0;
	while (step < threads && !(me & step))
		step <<= 1;
	if (me) {
		uint64_t parent = (me - step + root) % threads;
		hupc__queue_receive((int)parent, &ready, sizeof(ready));
		copy(site, "upc_all_broadcast", mine, block(to, parent, size), size);
	} else {
		copy(site, "upc_all_broadcast", mine, from, size);
	}
	for (step >>= 1; step; step >>= 1) {
		if (me + step < threads)
			hupc__queue_send((int)((me + step + root) % threads), &ready, sizeof(ready));
	}
}

static void broadcast(const struct hupc__site *site, upcrt_shared to, upcrt_shared from, size_t size)
{
	if (hupc__network) {
		broadcast_by_tree(site, to, from, size);
		return;
	}
	copy(site, "upc_all_broadcast", block(to, (uint64_t)hupc__mythread, size), from, size);
}

static void scatter(const struct hupc__site *site, upcrt_shared to, upcrt_shared from, size_t size)
{
	uint64_t me = (uint64_t)hupc__mythread;
	copy(site, "upc_all_scatter", block(to, me, size), from + me * size, size);
}

static void gather(const struct hupc__site *site, upcrt_shared to, upcrt_shared from, size_t size)
{
	uint64_t me = (uint64_t)hupc__mythread;
	copy(site, "upc_all_gather", to + me * size, block(from, me, size), size);
}

/*
 * Gathers over a network: in each round a thread has `have` blocks, beginning with its own, and gets as many more from
 * the thread that has the next ones. The number of rounds is the number of bits of THREADS - 1.
 */
static void gather_all_by_rounds(const struct hupc__site *site, upcrt_shared to, upcrt_shared from, size_t size)
{
	uint64_t threads = (uint64_t)hupc__threads, me = (uint64_t)hupc__mythread;
	upcrt_shared mine = block(to, me, size * threads);
	char ready = 0;
	copy(site, "upc_all_gather_all", mine + me * size, block(from, me, size), size);
	for (uint64_t have = 1; have < threads; have *= 2) {
		uint64_t partner = (me + have) % threads, more = have < threads - have ? have : threads - have;
		upcrt_shared its = block(to, partner, size * threads);
		hupc__queue_send((int)((me + threads - have) % threads), &ready, sizeof(ready));
		hupc__queue_receive((int)partner, &ready, sizeof(ready));
		for (uint64_t i = 0; i < more; i++) {
			uint64_t at = (partner + i) % threads * size;
			copy(site, "upc_all_gather_all", mine + at, its + at, size);
		}
	}
}

static void gather_all(const struct hupc__site *site, upcrt_shared to, upcrt_shared from, size_t size)
{
	uint64_t threads = (uint64_t)hupc__threads;
	upcrt_shared mine = block(to, (uint64_t)hupc__mythread, size * threads);
	if (hupc__network) {
		gather_all_by_rounds(site, to, from, size);
		return;
	}
	for (uint64_t t = 0; t < threads; t++)
		copy(site, "upc_all_gather_all", mine + t * size, block(from, t, size), size);
}

static void exchange(const struct hupc__site *site, upcrt_shared to, upcrt_shared from, size_t size)
{
	uint64_t threads = (uint64_t)hupc__threads, me = (uint64_t)hupc__mythread;
	upcrt_shared mine = block(to, me, size * threads);
	for (uint64_t t = 0; t < threads; t++)
		copy(site, "upc_all_exchange", mine + t * size, block(from, t, size * threads) + me * size, size);
}

#define RELOCATION(name, NAME)                                                                          \
	void upc_all_##name(upcrt_shared to, upcrt_shared from, size_t size, int flags)                 \
	{                                                                                               \
		struct hupc__site site = hupc__site_take();                                             \
		struct hupc__collective call = prepare(&site, HUPC__ALL_##NAME, to, from, size, flags); \
		hupc__event(&site, GASP_UPC_ALL_##NAME, GASP_START, &to, &from, size, flags);           \
		hupc__collective_enter(&call);                                                          \
		name(&site, to, from, size);                                                            \
		hupc__collective_leave(&call);                                                          \
		hupc__event(&site, GASP_UPC_ALL_##NAME, GASP_END, &to, &from, size, flags);             \
	}

RELOCATION(broadcast, BROADCAST)
RELOCATION(scatter, SCATTER)
RELOCATION(gather, GATHER)
RELOCATION(gather_all, GATHER_ALL)
RELOCATION(exchange, EXCHANGE)

static void permute(
	const struct hupc__site *site, upcrt_shared to, upcrt_shared from, upcrt_shared permutation, size_t size)
{
	uint64_t me = (uint64_t)hupc__mythread;
	upcrt_shared entry = block(permutation, me, sizeof(int));
	hupc__check_range(site, "upc_all_permute", entry, sizeof(int));
	int target = *(int *)UPCRT_ADDRESS(entry);
	if (target < 0 || target >= hupc__threads)
		hupc__fatal(site, "upc_all_permute: %d in the permutation, but the threads are 0 to %d", target,
			hupc__threads - 1);
	copy(site, "upc_all_permute", block(to, (uint64_t)target, size), block(from, me, size), size);
}

void upc_all_permute(upcrt_shared to, upcrt_shared from, upcrt_shared permutation, size_t size, int flags)
{
	struct hupc__site site = hupc__site_take();
	struct hupc__collective call = prepare(&site, HUPC__ALL_PERMUTE, to, from, size, flags);
	call.digest = hupc__digest(call.digest, permutation);
	hupc__event(&site, GASP_UPC_ALL_PERMUTE, GASP_START, &to, &from, &permutation, size, flags);
	hupc__collective_enter(&call);
	permute(&site, to, from, permutation, size);
	hupc__collective_leave(&call);
	hupc__event(&site, GASP_UPC_ALL_PERMUTE, GASP_END, &to, &from, &permutation, size, flags);
}
