/* SPDX-License-Identifier: BSD-3-Clause */
/* upc.h: shared string handling (UPC library 7.2.6). */
#include <string.h>

#include "upc/runtime/base/library.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/move/move.h"

static void copy(const struct hupc__site *site, const char *what, upcrt_shared to, upcrt_shared from, size_t size)
{
	hupc__check_range(site, what, to, size);
	hupc__check_range(site, what, from, size);
	hupc__copy(to, from, size);
}

static void get(const struct hupc__site *site, const char *what, void *to, upcrt_shared from, size_t size)
{
	hupc__check_range(site, what, from, size);
	hupc__get(to, from, size);
}

static void put(const struct hupc__site *site, const char *what, upcrt_shared to, const void *from, size_t size)
{
	hupc__check_range(site, what, to, size);
	hupc__put(to, from, size);
}

static void set(const struct hupc__site *site, const char *what, upcrt_shared to, int byte, size_t size)
{
	hupc__check_range(site, what, to, size);
	hupc__set(to, byte, size);
}

/* The fast path: no tool, and all memory is in range and mapped here. The slow functions handle all other calls. */
static inline bool is_fast_path(upcrt_shared pointer, size_t size)
{
	return __builtin_expect(!__upcrt_site.file && hupc__is_here(pointer, size), 1);
}

__attribute__((noinline)) static void memcpy_slowly(upcrt_shared to, upcrt_shared from, size_t size)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_MEMCPY, GASP_START, &to, &from, size);
	copy(&site, "upc_memcpy", to, from, size);
	hupc__event(&site, GASP_UPC_MEMCPY, GASP_END, &to, &from, size);
}

void upc_memcpy(upcrt_shared to, upcrt_shared from, size_t size)
{
	if (is_fast_path(to, size) && is_fast_path(from, size))
		memmove(UPCRT_ADDRESS(to), UPCRT_ADDRESS(from), size);
	else
		memcpy_slowly(to, from, size);
}

__attribute__((noinline)) static void memget_slowly(void *to, upcrt_shared from, size_t size)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_MEMGET, GASP_START, to, &from, size);
	get(&site, "upc_memget", to, from, size);
	hupc__event(&site, GASP_UPC_MEMGET, GASP_END, to, &from, size);
}

void upc_memget(void *to, upcrt_shared from, size_t size)
{
	if (is_fast_path(from, size))
		memcpy(to, UPCRT_ADDRESS(from), size);
	else
		memget_slowly(to, from, size);
}

__attribute__((noinline)) static void memput_slowly(upcrt_shared to, const void *from, size_t size)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_MEMPUT, GASP_START, &to, from, size);
	put(&site, "upc_memput", to, from, size);
	hupc__event(&site, GASP_UPC_MEMPUT, GASP_END, &to, from, size);
}

void upc_memput(upcrt_shared to, const void *from, size_t size)
{
	if (is_fast_path(to, size))
		memcpy(UPCRT_ADDRESS(to), from, size);
	else
		memput_slowly(to, from, size);
}

__attribute__((noinline)) static void memset_slowly(upcrt_shared to, int byte, size_t size)
{
	struct hupc__site site = hupc__site_take();
	hupc__event(&site, GASP_UPC_MEMSET, GASP_START, &to, byte, size);
	set(&site, "upc_memset", to, byte, size);
	hupc__event(&site, GASP_UPC_MEMSET, GASP_END, &to, byte, size);
}

void upc_memset(upcrt_shared to, int byte, size_t size)
{
	if (is_fast_path(to, size))
		memset(UPCRT_ADDRESS(to), byte, size);
	else
		memset_slowly(to, byte, size);
}
