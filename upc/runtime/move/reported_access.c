/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relaxed accesses of single objects that compiled code does not do by itself (upc/abi.h): does them, and reports them
 * to the tool, which may let compiled code count the next ones. Context of all: any thread.
 */
#include <heddle/upc_bridge.h>
#include <stddef.h>
#include <string.h>

#include "upc/runtime/base/system.h"
#include "upc/runtime/end/fault.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/events/site.h"
#include "upc/runtime/memory/range.h"

static struct hupc__site site_of(const struct upcrt_access *access)
{
	return (struct hupc__site){.file = access->file, .line = (int)access->line, .events = hupc__gasp_here()};
}

/* Objects of usual sizes by one instruction, as compiled code does. */
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

/* Compiled code leaves the message about an address without memory to the fault; here the fault would be elsewhere. */
static void *address_of(upcrt_shared pointer, const struct upcrt_access *access, void *code)
{
	if (__builtin_expect(!hupc__in_range(pointer, access->size), 0))
		hupc__fault_report((char *)code - 1, pointer & UPCRT_ADDRESS_MASK);
	return UPCRT_ADDRESS(pointer);
}

/* Cycles since `start`, without those of reading the counter. */
static inline uint64_t cycles_since(uint64_t before, uint64_t start)
{
	uint64_t took = hupc__cycles() - start, reading = start - before;
	return took > reading ? took - reading : 0;
}

/* Returns the cycles of the access, if it is TIMED and on this node. */
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

/* The decrement before the call does not count. Returns whether the tool lets compiled code count. */
static int begin(struct upcrt_count *count, bool events)
{
	count->left++;
	return events && hupc__counting ? hupc__counting->begin((struct heddle_upc_count *)count) : 0;
}

/*
 * On a thread that the tool does not measure, nothing has to be reported. What may be counted is all of the node's
 * memory, or what the tool says, which is the pointer's thread's.
 */
static void end(struct upcrt_count *count, const struct heddle_upc_counted *counted, upcrt_shared pointer, bool events,
	int begun)
{
	const uint64_t *range = counted->range;
	if (events && hupc__counting)
		hupc__counting->end((struct heddle_upc_count *)count, counted, begun);
	else if (counted->same_node)
		count->left = events ? 0 : INT32_MAX;
	if (!counted->same_node)
		return;
	count->low = range[1] ? UPCRT_POINTER(0, UPCRT_THREAD(pointer), range[0]) : 0 - __upcrt_node_shift;
	count->size = range[1] ? range[1] - range[0] : __upcrt_node_size;
}

static struct heddle_upc_counted describe(
	upcrt_shared pointer, const struct upcrt_access *access, bool put, uint64_t cycles, uint64_t range[2])
{
	return (struct heddle_upc_counted){.size = (size_t)access->size,
		.put = put,
		.local = (int)UPCRT_THREAD(pointer) == hupc__mythread,
		.same_node = is_same_node(pointer),
		.cycles = cycles,
		.range = range};
}

_Static_assert(offsetof(struct upcrt_count, low) == sizeof(struct heddle_upc_count) &&
		       offsetof(struct upcrt_count, number) == offsetof(struct heddle_upc_count, number),
	"compiled code and the tool mean the same");

void __upcrt_reported_get(
	upcrt_shared from, void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	struct hupc__site site = site_of(access);
	int begun = begin(count, site.events);
	hupc__event(&site, GASP_UPC_GET, GASP_START, 1, NULL, &from, (size_t)access->size);
	uint64_t took = get(from, buffer, access, code, begun && begun != HEDDLE_UPC_UNTIMED);
	hupc__event(&site, GASP_UPC_GET, GASP_END, 1, NULL, &from, (size_t)access->size);
	uint64_t range[2] = {0, 0};
	struct heddle_upc_counted counted = describe(from, access, false, took, range);
	end(count, &counted, from, site.events, begun);
}

void __upcrt_reported_put(
	upcrt_shared to, const void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	struct hupc__site site = site_of(access);
	int begun = begin(count, site.events);
	hupc__event(&site, GASP_UPC_PUT, GASP_START, 1, &to, NULL, (size_t)access->size);
	uint64_t took = put(to, buffer, access, code, begun && begun != HEDDLE_UPC_UNTIMED);
	hupc__event(&site, GASP_UPC_PUT, GASP_END, 1, &to, NULL, (size_t)access->size);
	uint64_t range[2] = {0, 0};
	struct heddle_upc_counted counted = describe(to, access, true, took, range);
	end(count, &counted, to, site.events, begun);
}
