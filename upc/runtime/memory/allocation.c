/* SPDX-License-Identifier: BSD-3-Clause */
/* upc.h: shared memory allocation by one thread (UPC library 7.2.2 and 7.2.3). */
#include "upc/runtime/base/library.h"

#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/heap.h"

upcrt_shared upc_global_alloc(size_t blocks, size_t bytes)
{
	struct hupc__site site = hupc__site_take();
	upcrt_shared got = 0;
	uint64_t size = hupc__bytes_of_thread(blocks, bytes);
	hupc__event(&site, GASP_UPC_GLOBAL_ALLOC, GASP_START, blocks, bytes);
	if (size)
		got = hupc__heap_take_global(&site, "upc_global_alloc", size);
	hupc__event(&site, GASP_UPC_GLOBAL_ALLOC, GASP_END, blocks, bytes, &got);
	return got;
}

static upcrt_shared alloc(struct hupc__site *site, const char *what, size_t bytes)
{
	upcrt_shared got = 0;
	hupc__event(site, GASP_UPC_ALLOC, GASP_START, bytes);
	if (bytes)
		got = hupc__heap_take_local(site, what, bytes);
	hupc__event(site, GASP_UPC_ALLOC, GASP_END, bytes, &got);
	return got;
}

upcrt_shared upc_alloc(size_t bytes)
{
	struct hupc__site site = hupc__site_take();
	return alloc(&site, "upc_alloc", bytes);
}

/* Deprecated since UPC 1.2: all blocks have affinity to the calling thread. */
upcrt_shared upc_local_alloc(size_t blocks, size_t bytes)
{
	struct hupc__site site = hupc__site_take();
	size_t size;
	if (__builtin_mul_overflow(blocks, bytes, &size))
		size = SIZE_MAX;
	return alloc(&site, "upc_local_alloc", size);
}

void upc_free(upcrt_shared pointer)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_FREE, GASP_START, &pointer);
	if (pointer)
		hupc__heap_give(&site, "upc_free", pointer);
	hupc__event(&site, GASP_UPC_FREE, GASP_END, &pointer);
}
