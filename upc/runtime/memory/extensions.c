/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of bupc_extensions.h, which other UPC compilers have in addition to the standard's. Weak: a program may
 * define functions of these names. They report no events.
 */
#include "upc/runtime/base/control.h"
#include "upc/runtime/base/library.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/messages/network.h"

#include <errno.h>
#include <sched.h>

#include "upc/runtime/base/say.h"
#include "upc/runtime/memory/heap_block.h"

#define DUMP_LENGTH 100 /* BUPC_DUMP_MIN_LENGTH */

/* BUPC_THREADS_SAME, BUPC_THREADS_VERYNEAR, BUPC_THREADS_VERYFAR */
enum distance {
	DISTANCE_SAME = 0,
	DISTANCE_NODE = 1,
	DISTANCE_NETWORK = 4,
};

/* For loops that wait for another thread's write: makes them read memory again, and lets other threads run. */
__attribute__((__weak__)) void upc_poll(void)
{
	__upcrt_site.file = NULL;
	hupc__order();
	hupc__memory_may_be_freed();
	sched_yield();
}

__attribute__((__weak__)) void bupc_poll(void)
{
	upc_poll();
}

__attribute__((__weak__)) unsigned bupc_thread_distance(int a, int b)
{
	if (a == b)
		return DISTANCE_SAME;
	return hupc__node_of(a) == hupc__node_of(b) ? DISTANCE_NODE : DISTANCE_NETWORK;
}

__attribute__((__weak__)) int bupc_dump_shared(upcrt_shared pointer, char *text, int size)
{
	if (size < DUMP_LENGTH) {
		errno = EINVAL;
		return -1;
	}
	hupc__format(text, (size_t)size, "<address=%llu thread=%d phase=%d>", (unsigned long long)UPCRT_OFFSET(pointer),
		(int)UPCRT_THREAD(pointer), (int)UPCRT_PHASE(pointer));
	return 0;
}

/* The pointer INCREMENT elements of SIZE bytes after POINTER. BLOCK: elements in a block; 0: indefinite block size. */
__attribute__((__weak__)) upcrt_shared bupc_ptradd(upcrt_shared pointer, size_t block, size_t size, ptrdiff_t increment)
{
	if (block == 0)
		return (pointer & UPCRT_ADDRESS_MASK) + (upcrt_shared)(increment * (ptrdiff_t)size);
	ptrdiff_t length = (ptrdiff_t)block, row = length * hupc__threads, phase = (ptrdiff_t)UPCRT_PHASE(pointer);
	ptrdiff_t place = (ptrdiff_t)UPCRT_THREAD(pointer) * length + phase + increment;
	ptrdiff_t rest = (place % row + row) % row, rows = (place - rest) / row, new_phase = rest % length;
	ptrdiff_t moved = (rows * length + new_phase - phase) * (ptrdiff_t)size;
	return UPCRT_POINTER(new_phase, rest / length, UPCRT_OFFSET(pointer) + (upcrt_shared)moved);
}
