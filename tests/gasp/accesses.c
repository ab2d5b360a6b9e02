/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HEDDLE_ACCESSES without symbols: only events report objects. Berkeley's and the bundled run-time system announce
 * static variables; allocation and release events report dynamic memory. Memory without an event belongs to no object.
 */
#define BRIDGE_EVENTS                                                                            \
	{"GASP_BUPC_STATIC_SHARED", 1140}, {"GASP_HUPC_STATIC_SHARED", GASP_HUPC_STATIC_SHARED}, \
		{"GASP_UPC_GET", GASP_UPC_GET}, {"GASP_UPC_MEMCPY", GASP_UPC_MEMCPY},            \
		{"GASP_UPC_ALLOC", GASP_UPC_ALLOC}, {"GASP_UPC_FREE", GASP_UPC_FREE},            \
	{                                                                                        \
		"GASP_UPC_ALL_ALLOC", GASP_UPC_ALL_ALLOC                                         \
	}
#define BRIDGE_USER 100, 999
#define BRIDGE_TRIVIAL 0, 0
#include "bridge.h"

static gasp_context_t context;

static void read_at(int line, void *pointer)
{
	char local[8];
	START(context, GASP_UPC_GET, "a.upc", line, 0, 1, (void *)local, pointer, (size_t)8);
	END(context, GASP_UPC_GET, "a.upc", line, 0, 1, (void *)local, pointer, (size_t)8);
}

static void copy(int line, void *to, void *from, size_t size)
{
	START(context, GASP_UPC_MEMCPY, "a.upc", line, 0, to, from, size);
	END(context, GASP_UPC_MEMCPY, "a.upc", line, 0, to, from, size);
}

static void allocate(unsigned int event, int line, size_t size, void *got)
{
	if (event == GASP_UPC_ALLOC) {
		START(context, event, "a.upc", line, 0, size);
		END(context, event, "a.upc", line, 0, size, got);
	} else {
		START(context, event, "a.upc", line, 0, (size_t)BRIDGE_THREADS, size);
		END(context, event, "a.upc", line, 0, (size_t)BRIDGE_THREADS, size, got);
	}
}

static void release(int line, void *pointer)
{
	START(context, GASP_UPC_FREE, "a.upc", line, 0, pointer);
	END(context, GASP_UPC_FREE, "a.upc", line, 0, pointer);
}

static void play_static(void)
{
	void *symbol = &context;
	/* 4 blocks of 1000 bytes, one on each thread. 6 blocks of 16, up to 2 on a thread. */
	ATOMIC(context, 1140, "_STARTUP", 0, 0, (size_t)4, (size_t)1000, (void *)SHARED_AT(0, 4096), symbol, (size_t)8,
		"table", "A4_i");
	ATOMIC(context, GASP_HUPC_STATIC_SHARED, "a.upc", 3, 0, (size_t)6, (size_t)16, (void *)SHARED_AT(0, 8192),
		(size_t)8, "own", "int");
	read_at(10, SHARED_AT(0, 4096));
	read_at(10, SHARED_AT(3, 4096 + 999));
	read_at(11, SHARED_AT(3, 4096 + 1000)); /* beyond it */
	read_at(12, SHARED_AT(1, 8192 + 31));
	read_at(13, SHARED_AT(1, 8192 + 32));
	EXPECT("visits", "GASP_UPC_GET @a.upc:10;variable table", 2);
	EXPECT("visits", "GASP_UPC_GET @a.upc:11", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:12;variable own", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:13", 1);
}

static void play_dynamic(void)
{
	allocate(GASP_UPC_ALLOC, 20, 100, SHARED_AT(0, 20000)); /* on thread 0 */
	allocate(GASP_UPC_ALL_ALLOC, 21, 64, SHARED_AT(0, 30000));
	read_at(22, SHARED_AT(0, 20099));
	read_at(22, SHARED_AT(1, 20099)); /* on another thread */
	read_at(23, SHARED_AT(2, 30063));
	read_at(24, SHARED_AT(2, 30064));
	release(25, SHARED_AT(0, 20000));
	read_at(26, SHARED_AT(0, 20050));
	allocate(GASP_UPC_ALLOC, 27, 50, SHARED_AT(0, 20000));
	read_at(28, SHARED_AT(0, 20049));
	read_at(28, SHARED_AT(0, 20050));
	/* An address is allocated again, though its release was not reported. */
	allocate(GASP_UPC_ALL_ALLOC, 29, 16, SHARED_AT(0, 30048));
	read_at(30, SHARED_AT(1, 30050));
	read_at(31, SHARED_AT(1, 30000));
	EXPECT("visits", "GASP_UPC_GET @a.upc:22;memory upc_alloc:20", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:22", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:23;memory upc_all_alloc:21", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:24", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:26", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:28;memory upc_alloc:27", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:28", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:30;memory upc_all_alloc:29", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:31", 1);
}

/* Counts and bytes of each side belong to its object; the visit belongs to one of them. */
static void play_copies(void)
{
	copy(40, SHARED_AT(1, 8192), SHARED_AT(2, 4096), 24);
	copy(41, SHARED_AT(1, 4096), SHARED_AT(2, 4096), 16);
	copy(42, SHARED_AT(1, 50000), SHARED_AT(0, 4096), 12);
	EXPECT("bytes-got", "GASP_UPC_MEMCPY @a.upc:40;variable table", 24);
	EXPECT("bytes-put", "GASP_UPC_MEMCPY @a.upc:40;variable own", 24);
	EXPECT("visits", "GASP_UPC_MEMCPY @a.upc:40*", 1);
	EXPECT("remote-accesses", "GASP_UPC_MEMCPY @a.upc:41;variable table", 2);
	EXPECT("bytes-put", "GASP_UPC_MEMCPY @a.upc:41;variable table", 16);
	EXPECT("bytes-got", "GASP_UPC_MEMCPY @a.upc:42;variable table", 12);
	EXPECT("bytes-put", "GASP_UPC_MEMCPY @a.upc:42", 12);
}

int main(void)
{
	context = init_upc();
	play_static();
	play_dynamic();
	play_copies();
	return 0;
}
