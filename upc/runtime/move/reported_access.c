/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relaxed accesses of single objects that compiled code does not perform itself (upc/abi.h): performs them, and reports
 * them to the tool, which may let compiled code count the next ones. Context of all: any thread.
 */
#include <string.h>

#include "upc/runtime/base/system.h"
#include "upc/runtime/end/fault.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/events/site.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/move/counts.h"

/* Out of line, because counted accesses do not need this code. */
#define REPORTED __attribute__((__noinline__))

static struct hupc__site site_of(const struct upcrt_access *access)
{
	return (struct hupc__site){.file = access->file, .line = (int)access->line, .events = hupc__gasp_here()};
}

/* Copies objects of usual sizes by one instruction, as compiled code does. */
static inline void copy(void *to, const void *from, uint64_t size)
{
	if (size == 8)
		memcpy(to, from, 8);
	else if (size == 4)
		memcpy(to, from, 4);
	else if (size == 1)
		memcpy(to, from, 1);
	else if (size == 2)
		memcpy(to, from, 2);
	else
		memcpy(to, from, size);
}

static bool is_same_node(upcrt_shared pointer)
{
	return __upcrt_same_node[UPCRT_THREAD(pointer)];
}

/* In compiled code, an address without memory faults and is then reported; a fault here would have another place. */
static void *address_of(upcrt_shared pointer, const struct upcrt_access *access, void *code)
{
	if (__builtin_expect(!hupc__in_range(pointer, access->size), 0))
		hupc__fault_report((char *)code - 1, pointer & UPCRT_ADDRESS_MASK);
	return UPCRT_ADDRESS(pointer);
}

/* Cycles since `start`, without the time to read the counter. */
static inline uint64_t cycles_since(uint64_t before, uint64_t start)
{
	uint64_t took = hupc__cycles() - start, reading = start - before;
	return took > reading ? took - reading : 0;
}

/* Returns the cycles of the access if it is TIMED and on this node. */
static uint64_t get(upcrt_shared from, void *buffer, const struct upcrt_access *access, void *code, bool timed)
{
	if (!is_same_node(from)) {
		__upcrt_remote_get(from, access->size, buffer, 0, code);
		return 0;
	}
	const void *object = address_of(from, access, code);
	uint64_t before = timed ? hupc__cycles() : 0, start = timed ? hupc__cycles() : 0;
	copy(buffer, object, access->size);
	return timed ? cycles_since(before, start) : 0;
}

static uint64_t put(upcrt_shared to, const void *buffer, const struct upcrt_access *access, void *code, bool timed)
{
	if (!is_same_node(to)) {
		__upcrt_remote_put(to, access->size, buffer, 0, code);
		return 0;
	}
	void *object = address_of(to, access, code);
	uint64_t before = timed ? hupc__cycles() : 0, start = timed ? hupc__cycles() : 0;
	copy(object, buffer, access->size);
	return timed ? cycles_since(before, start) : 0;
}

/* An access that is reported. */
struct reported {
	struct upcrt_count *count; /* of its place */
	upcrt_shared pointer;
	struct hupc__chosen chosen;
	bool counting; /* the tool is called */
	bool events;
	int begun;
};

/* The decrement before the call must not count. */
static struct reported begin(struct upcrt_count *count, upcrt_shared pointer, bool events)
{
	struct reported it = {.count = count, .pointer = pointer, .events = events};
	count->left++;
	it.counting = events && hupc__counting;
	if (!it.counting)
		return it;
	it.chosen = hupc__choose_count(count, pointer, is_same_node(pointer));
	it.begun = hupc__counting->begin(it.chosen.count);
	if (it.begun && it.chosen.is_new)
		hupc__leave_range(count, it.chosen);
	return it;
}

/* Returns true if the tool wants the access to be timed. */
static bool is_timed(const struct reported *it)
{
	return it->begun && it->begun != HEDDLE_UPC_UNTIMED;
}

/*
 * On a thread that the tool does not measure, nothing is reported. An access in a handler of a signal that arrived
 * during an event is not counted, and what is counted does not change.
 */
static void end(const struct reported *it, const struct heddle_upc_counted *counted)
{
	if (it->counting)
		hupc__counting->end(it->chosen.count, counted, it->begun);
	else if (counted->same_node)
		it->count->left = it->events ? 0 : INT32_MAX;
	if (counted->same_node && (it->begun || !it->counting || !hupc__counting->memory))
		hupc__set_range(it->count, it->chosen, it->pointer, counted->range);
}

static struct heddle_upc_counted describe(upcrt_shared pointer, const struct upcrt_access *access, bool put,
	uint64_t cycles, struct heddle_upc_range *range)
{
	return (struct heddle_upc_counted){.size = (size_t)access->size,
		.put = put,
		.local = (int)UPCRT_THREAD(pointer) == hupc__mythread,
		.same_node = is_same_node(pointer),
		.cycles = cycles,
		.range = range};
}

static REPORTED void report_get(
	upcrt_shared from, void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	struct hupc__site site = site_of(access);
	struct heddle_upc_range range = {0};
	struct reported it = begin(count, from, site.events);
	hupc__event(&site, GASP_UPC_GET, GASP_START, 1, NULL, &from, (size_t)access->size);
	uint64_t took = get(from, buffer, access, code, is_timed(&it));
	hupc__event(&site, GASP_UPC_GET, GASP_END, 1, NULL, &from, (size_t)access->size);
	struct heddle_upc_counted counted = describe(from, access, false, took, &range);
	end(&it, &counted);
}

static REPORTED void report_put(
	upcrt_shared to, const void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	struct hupc__site site = site_of(access);
	struct heddle_upc_range range = {0};
	struct reported it = begin(count, to, site.events);
	hupc__event(&site, GASP_UPC_PUT, GASP_START, 1, &to, NULL, (size_t)access->size);
	uint64_t took = put(to, buffer, access, code, is_timed(&it));
	hupc__event(&site, GASP_UPC_PUT, GASP_END, 1, &to, NULL, (size_t)access->size);
	struct heddle_upc_counted counted = describe(to, access, true, took, &range);
	end(&it, &counted);
}

void __upcrt_reported_get(
	upcrt_shared from, void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	if (hupc__count_further(count, from))
		copy(buffer, UPCRT_ADDRESS(from), access->size);
	else
		report_get(from, buffer, access, count, code);
}

void __upcrt_reported_put(
	upcrt_shared to, const void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	if (hupc__count_further(count, to))
		copy(UPCRT_ADDRESS(to), buffer, access->size);
	else
		report_put(to, buffer, access, count, code);
}
