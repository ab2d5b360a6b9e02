/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relaxed accesses of single objects that compiled code does not do by itself (upc/abi.h): does them, and reports them
 * to the tool, which may let compiled code count the next ones. Context of all: any thread.
 */
#include <string.h>

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

static void get(upcrt_shared from, void *buffer, const struct upcrt_access *access, void *code)
{
	if (is_same_node(from))
		copy(buffer, address_of(from, access, code), access->size);
	else
		__upcrt_remote_get(from, access->size, buffer, 0, code);
}

static void put(upcrt_shared to, const void *buffer, const struct upcrt_access *access, void *code)
{
	if (is_same_node(to))
		copy(address_of(to, access, code), buffer, access->size);
	else
		__upcrt_remote_put(to, access->size, buffer, 0, code);
}

/* The decrement before the call does not count. Nothing is reported on a thread that the tool does not measure. */
static void settle(struct upcrt_count *count, bool events)
{
	count->left = events ? 0 : INT32_MAX;
}

void __upcrt_reported_get(
	upcrt_shared from, void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	struct hupc__site site = site_of(access);
	hupc__event(&site, GASP_UPC_GET, GASP_START, 1, NULL, &from, (size_t)access->size);
	get(from, buffer, access, code);
	hupc__event(&site, GASP_UPC_GET, GASP_END, 1, NULL, &from, (size_t)access->size);
	settle(count, site.events);
}

void __upcrt_reported_put(
	upcrt_shared to, const void *buffer, const struct upcrt_access *access, struct upcrt_count *count, void *code)
{
	struct hupc__site site = site_of(access);
	hupc__event(&site, GASP_UPC_PUT, GASP_START, 1, &to, NULL, (size_t)access->size);
	put(to, buffer, access, code);
	hupc__event(&site, GASP_UPC_PUT, GASP_END, 1, &to, NULL, (size_t)access->size);
	settle(count, site.events);
}
