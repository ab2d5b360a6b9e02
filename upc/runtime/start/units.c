/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the records of all units: checks that they match, places and initializes shared variables. Some of it runs
 * before constructors.
 */
#include "upc/runtime/start/units.h"

#include <string.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/events/site.h"

extern const struct upcrt_unit_record __start_upcrt_units[] __attribute__((weak));
extern const struct upcrt_unit_record __stop_upcrt_units[] __attribute__((weak));
extern const struct upcrt_shared_record __start_upcrt_shared[] __attribute__((weak));
extern const struct upcrt_shared_record __stop_upcrt_shared[] __attribute__((weak));

#define FOR_EACH_UNIT(unit) \
	for (const struct upcrt_unit_record *unit = __start_upcrt_units; unit < __stop_upcrt_units; unit++)
#define FOR_EACH_SHARED(it) \
	for (const struct upcrt_shared_record *it = __start_upcrt_shared; it < __stop_upcrt_shared; it++)

int hupc__units_static_threads(void)
{
	const struct upcrt_unit_record *first = NULL;
	FOR_EACH_UNIT(unit)
	{
		if (unit->abi != UPCRT_ABI_VERSION) {
			hupc__say("%s was compiled by another version of the compiler; compile it again", unit->file);
			return -1;
		}
		if (!unit->static_threads)
			continue;
		if (first && first->static_threads != unit->static_threads) {
			hupc__say("%s was compiled for %d threads and %s for %d; compile both for the same number",
				first->file, first->static_threads, unit->file, unit->static_threads);
			return -1;
		}
		first = unit;
	}
	return first ? first->static_threads : 0;
}

static uint64_t count_elements(const struct upcrt_shared_record *it)
{
	return it->elements * (it->flags & UPCRT_TIMES_THREADS ? (uint64_t)hupc__threads : 1);
}

static uint64_t block_of(const struct upcrt_shared_record *it)
{
	uint64_t elements = count_elements(it);
	return it->block ? it->block : elements ? elements : 1;
}

static uint64_t count_blocks(const struct upcrt_shared_record *it)
{
	return (count_elements(it) + block_of(it) - 1) / block_of(it);
}

static uint64_t bytes_of_thread(const struct upcrt_shared_record *it)
{
	uint64_t rows = (count_blocks(it) + (uint64_t)hupc__threads - 1) / (uint64_t)hupc__threads;
	uint64_t bytes;
	if (__builtin_mul_overflow(rows, block_of(it), &bytes) ||
		__builtin_mul_overflow(bytes, it->element_size, &bytes))
		return UINT64_MAX / 2;
	return bytes;
}

static bool too_large(const struct upcrt_shared_record *it, uint64_t end)
{
	if (end <= hupc__control->segment_size)
		return false;
	if (hupc__ask_to_end(1))
		hupc__say("%s:%u: no room for the shared variable %s: %lu bytes of each thread's %lu; increase it with "
			  "UPC_SHARED_HEAP_SIZE or -shared-heap",
			it->file ? it->file : "?", it->line, it->name ? it->name : "?",
			(unsigned long)bytes_of_thread(it), (unsigned long)hupc__control->segment_size);
	return true;
}

uint64_t hupc__units_place(void)
{
	uint64_t offset = HUPC__PAGE;
	FOR_EACH_SHARED(it)
	{
		uint64_t alignment = it->alignment > 16 ? it->alignment : 16;
		offset = (offset + alignment - 1) & ~(alignment - 1);
		*it->slot = UPCRT_POINTER(0, 0, offset);
		offset += bytes_of_thread(it);
		if (too_large(it, offset))
			return 0;
	}
	return offset;
}

/* Stores the initial contents of this thread's blocks. */
static void store_contents(const struct upcrt_shared_record *it)
{
	uint64_t threads = (uint64_t)hupc__threads, bytes = block_of(it) * it->element_size;
	for (uint64_t block = (uint64_t)hupc__mythread; block < count_blocks(it); block += threads) {
		uint64_t from = block * bytes, size = bytes;
		if (from >= it->initial_size)
			return;
		if (size > it->initial_size - from)
			size = it->initial_size - from;
		upcrt_shared to = UPCRT_POINTER(0, hupc__mythread, UPCRT_OFFSET(*it->slot) + block / threads * bytes);
		memcpy(UPCRT_ADDRESS(to), (const char *)it->initial + from, size);
	}
}

void hupc__units_start(void)
{
	FOR_EACH_UNIT(unit)
	{
		if (unit->start)
			unit->start();
	}
	FOR_EACH_SHARED(it)
	{
		if (it->initial)
			store_contents(it);
	}
}

void hupc__units_announce(void)
{
	if (!hupc__gasp_here())
		return;
	FOR_EACH_SHARED(it)
	{
		struct hupc__site site = {.file = it->file, .line = (int)it->line, .events = true};
		size_t blocks = count_blocks(it), bytes = block_of(it) * it->element_size;
		hupc__event(&site, GASP_HUPC_STATIC_SHARED, GASP_ATOMIC, blocks, bytes, (gasp_upc_PTS_t *)it->slot,
			(size_t)it->element_size, it->name ? it->name : "?", it->type ? it->type : "?");
	}
}
