/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses of far memory that compiled code makes (upc/abi.h). Far memory that is mapped all the same, with
 * UPC_NODE_SIZE on one machine, is copied. Context of all: any thread.
 */
#include <string.h>

#include "upc/runtime/fault.h"
#include "upc/runtime/library.h"

/* The instruction that called, for messages: a return address is behind it. */
#define CALLER ((char *)__builtin_return_address(0) - 1)

static void check(void *code, upcrt_shared pointer, uint64_t size)
{
	if (__builtin_expect(hupc__in_range(pointer, size), 1))
		return;
	/* Report the first byte that is out of range. */
	uint64_t offset = UPCRT_OFFSET(pointer), end = hupc__control->segment_size;
	bool behind = offset >= HUPC__PAGE && offset < end && UPCRT_THREAD(pointer) < (uint64_t)hupc__threads;
	hupc__fault_report(code, UPCRT_POINTER(0, UPCRT_THREAD(pointer), behind ? end : offset));
}

/* A strict access is ordered against all others of its thread. */
static void order(int flags)
{
	if (flags & UPCRT_ACCESS_STRICT)
		atomic_thread_fence(memory_order_seq_cst);
}

/* Scalars in one piece. The memory may be the same. */
static void copy(void *to, const void *from, uint64_t size)
{
	switch (size) {
	case 8:
		__builtin_memcpy(to, from, 8);
		break;
	case 4:
		__builtin_memcpy(to, from, 4);
		break;
	case 2:
		__builtin_memcpy(to, from, 2);
		break;
	default:
		memmove(to, from, size);
	}
}

void __upcrt_far_get(upcrt_shared from, uint64_t size, void *buffer, int flags)
{
	check(CALLER, from, size);
	order(flags);
	copy(buffer, UPCRT_ADDRESS(from), size);
	order(flags);
}

void __upcrt_far_put(upcrt_shared to, uint64_t size, const void *buffer, int flags)
{
	check(CALLER, to, size);
	order(flags);
	copy(UPCRT_ADDRESS(to), buffer, size);
	order(flags);
}

void __upcrt_far_copy(
	upcrt_shared to, void *private_to, upcrt_shared from, const void *private_from, uint64_t size, int flags)
{
	if (!size)
		return;
	if (to || !private_to) {
		check(CALLER, to, size);
		private_to = UPCRT_ADDRESS(to);
	}
	if (from || !private_from) {
		check(CALLER, from, size);
		private_from = UPCRT_ADDRESS(from);
	}
	order(flags);
	copy(private_to, private_from, size);
	order(flags);
}

void __upcrt_far_set(upcrt_shared to, int byte, uint64_t size, int flags)
{
	if (!size)
		return;
	check(CALLER, to, size);
	order(flags);
	memset(UPCRT_ADDRESS(to), byte, size);
	order(flags);
}

/* Puts are complete when they return. */
void __upcrt_order(void)
{
	atomic_thread_fence(memory_order_seq_cst);
}
