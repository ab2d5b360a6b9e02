/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. Also upc.h: shared memory allocation by all threads (UPC library 7.2.2 and 7.2.3). */
#include "upc/runtime/sync/collective_allocation.h"

#include "upc/runtime/base/library.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/heap.h"
#include "upc/runtime/messages/network.h"

/*
 * Thread 0 publishes the result of a collective function in one of two slots, alternately: when a slot is reused, all
 * threads have read its previous value.
 */
static unsigned int turn;

upcrt_shared hupc__collective_take(
	const struct hupc__site *site, enum hupc__meeting meeting, uint64_t arguments, hupc__taker *taker, void *data)
{
	_Atomic uint64_t *chosen = &hupc__control->chosen[turn++ & 1];
	upcrt_shared mine = hupc__mythread == 0 ? taker(site, data) : 0;

	if (hupc__mythread == 0)
		atomic_store(chosen, mine);
	uint64_t value = hupc__meet_with_value(site, meeting, arguments, mine);
	return hupc__network ? value : atomic_load(chosen);
}

static upcrt_shared take_for_all(const struct hupc__site *site, void *size)
{
	return hupc__heap_take_global(site, "upc_all_alloc", *(uint64_t *)size);
}

upcrt_shared upc_all_alloc(size_t blocks, size_t bytes)
{
	struct hupc__site site = hupc__site_take();
	upcrt_shared got = 0;
	uint64_t size = hupc__bytes_of_thread(blocks, bytes);
	hupc__event(&site, GASP_UPC_ALL_ALLOC, GASP_START, blocks, bytes);
	if (size)
		got = hupc__collective_take(&site, HUPC__ALL_ALLOC, hupc__digest(blocks, bytes), take_for_all, &size);
	else
		hupc__meet(&site, HUPC__ALL_ALLOC, hupc__digest(blocks, bytes));
	hupc__event(&site, GASP_UPC_ALL_ALLOC, GASP_END, blocks, bytes, &got);
	return got;
}

/* No memory is freed before all threads have called this. */
void upc_all_free(upcrt_shared pointer)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_FREE, GASP_START, &pointer);
	hupc__meet(&site, HUPC__ALL_FREE, pointer);
	if (pointer && hupc__mythread == 0)
		hupc__heap_give(&site, "upc_all_free", pointer);
	hupc__event(&site, GASP_UPC_FREE, GASP_END, &pointer);
}
