/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries: upc.h's functions on pointers (UPC library 7.2.4), upc_tick.h and upc_castable.h. They report no events. */
#include "upc/runtime/base/control.h"
#include "upc/runtime/base/library.h"
#include "upc/runtime/base/nodes.h"

#include <time.h>

/* These calls report no event: discards the site, so that the next call does not use it. */
static inline void forget_site(void)
{
	__upcrt_site.file = NULL;
}

size_t upc_threadof(upcrt_shared pointer)
{
	forget_site();
	return UPCRT_THREAD(pointer);
}

size_t upc_phaseof(upcrt_shared pointer)
{
	forget_site();
	return UPCRT_PHASE(pointer);
}

size_t upc_addrfield(upcrt_shared pointer)
{
	forget_site();
	return UPCRT_OFFSET(pointer);
}

upcrt_shared upc_resetphase(upcrt_shared pointer)
{
	forget_site();
	return pointer & UPCRT_ADDRESS_MASK;
}

size_t upc_affinitysize(size_t size, size_t block, size_t thread)
{
	size_t threads = (size_t)hupc__threads;
	forget_site();
	if (!block || !size)
		return thread == 0 ? size : 0;
	size_t full = size / block, rest = size % block;
	size_t mine = full / threads * block;
	if (thread < full % threads)
		mine += block;
	else if (thread == full % threads)
		mine += rest;
	return mine;
}

uint64_t upc_ticks_now(void)
{
	struct timespec now;
	forget_site();
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t upc_ticks_to_ns(uint64_t ticks)
{
	forget_site();
	return ticks;
}

void *upc_cast(upcrt_shared pointer)
{
	forget_site();
	bool castable = pointer & UPCRT_ADDRESS_MASK && hupc__is_same_node((int)UPCRT_THREAD(pointer));
	return castable ? UPCRT_ADDRESS(pointer) : NULL;
}

/* All shared memory of the node's threads is mapped: UPC_CASTABLE_ALL. */
struct hupc__thread_info upc_thread_info(size_t thread)
{
	int all = thread < (size_t)hupc__threads && hupc__is_same_node((int)thread) ? 0xf : 0;
	forget_site();
	return (struct hupc__thread_info){all, all};
}
