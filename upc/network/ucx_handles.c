/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See ucx.h. A handle is a place in a table and the number of that place's use. The table is not freed before the end,
 * and a handle of an earlier use of a place does not match its present use. Context: lock held.
 */
#include "upc/network/ucx.h"
#include <stdlib.h>

#define FIRST 64
#define PLACE_BITS 32

struct place {
	void *object;
	uint32_t use; /* how often this place was used; from 1 */
	uint32_t kind;
	int32_t thread;
	uint32_t next; /* free place + 1 */
};

static struct {
	struct place *places;
	uint32_t count, free; /* `free`: place + 1; 0: none */
} table;

/* Does not return without memory: a program whose messages are lost would hang. */
static void grow(void)
{
	uint32_t count = table.count ? 2 * table.count : FIRST;
	struct place *places = realloc(table.places, count * sizeof *places);
	if (!places)
		abort();
	for (uint32_t i = count; i-- > table.count;) {
		places[i] = (struct place){.next = table.free};
		table.free = i + 1;
	}
	table.places = places;
	table.count = count;
}

uint64_t hupc__ucx_handle(enum hupc__ucx_handle kind, int thread, void *object)
{
	uint32_t at;
	struct place *place;
	if (!table.free)
		grow();
	at = table.free - 1;
	place = &table.places[at];
	table.free = place->next;
	place->object = object;
	place->kind = kind;
	place->thread = thread;
	if (++place->use == 0)
		place->use = 1;
	return (uint64_t)place->use << PLACE_BITS | at;
}

static struct place *find_place(uint64_t handle)
{
	uint64_t at = handle & ((UINT64_C(1) << PLACE_BITS) - 1);
	bool valid = at < table.count && table.places[at].kind && table.places[at].use == handle >> PLACE_BITS;
	return valid ? &table.places[at] : NULL;
}

void *hupc__ucx_handle_find(enum hupc__ucx_handle kind, int thread, uint64_t handle)
{
	const struct place *place = find_place(handle);
	return place && place->kind == (uint32_t)kind && place->thread == thread ? place->object : NULL;
}

void hupc__ucx_handle_free(uint64_t handle)
{
	struct place *place = find_place(handle);
	if (!place)
		return;
	place->kind = HUPC__UCX_NO_HANDLE;
	place->object = NULL;
	place->next = table.free;
	table.free = (uint32_t)(place - table.places) + 1;
}

void hupc__ucx_handles_clear(void)
{
	free(table.places);
	table.places = NULL;
	table.count = table.free = 0;
}
