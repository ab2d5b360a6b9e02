/* SPDX-License-Identifier: BSD-3-Clause */
/* The bundled compiler's bridge to Heddle (heddle/upc_bridge.h); pointers are passed as gasp_upc_PTS_t *. */
#include <heddle/gasp_upc.h>
#include <heddle/upc_bridge.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/library.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/memory/heap_block.h"
#include "upc/runtime/tools/clock.h"

static int mythread(void)
{
	return hupc__mythread;
}

static int threads(void)
{
	return hupc__threads;
}

static size_t threadof(const void *pointer)
{
	return UPCRT_THREAD(*(const upcrt_shared *)pointer);
}

static size_t phaseof(const void *pointer)
{
	return UPCRT_PHASE(*(const upcrt_shared *)pointer);
}

static size_t addrfield(const void *pointer)
{
	return UPCRT_OFFSET(*(const upcrt_shared *)pointer);
}

static void *localaddr(const void *pointer)
{
	upcrt_shared value = *(const upcrt_shared *)pointer;
	return value & UPCRT_ADDRESS_MASK && hupc__is_mapped_thread((int)UPCRT_THREAD(value)) ? UPCRT_ADDRESS(value)
											      : NULL;
}

static int memory_of(const void *pointer, struct heddle_upc_memory *memory)
{
	static const char *const functions[] = {[HUPC__BY_ALLOC] = "upc_alloc",
		[HUPC__BY_GLOBAL_ALLOC] = "upc_global_alloc",
		[HUPC__BY_ALL_ALLOC] = "upc_all_alloc"};
	struct hupc__memory found;
	hupc__memory_of(*(const upcrt_shared *)pointer, &found);
	if (!found.high || found.allocator == HUPC__FOR_RUNTIME || found.allocator > HUPC__BY_ALL_ALLOC)
		return 0;
	struct hupc__shared_place place = {.file = found.file};
	*memory = (struct heddle_upc_memory){.low = found.low,
		.high = found.high,
		.for_all = found.for_all != 0,
		.function = functions[found.allocator],
		.file = hupc__place_read(&place).file,
		.line = (int)found.line,
		.tag = found.tag,
		.now = found.now,
		.version = found.version,
		.call = (int)found.call,
		.calls = (int)found.calls};
	return 1;
}

static void tag_allocation(uint32_t tag)
{
	hupc__next_tag = tag;
}

static void count_accesses(const struct heddle_upc_counting *counting)
{
	hupc__counting = counting;
}

/* Defined by the linker: the bounds of the section that holds all code of the run-time system. */
extern const char runtime_low[] __asm__("__start_" HEDDLE_UPC_RUNTIME_SECTION) __attribute__((weak));
extern const char runtime_high[] __asm__("__stop_" HEDDLE_UPC_RUNTIME_SECTION) __attribute__((weak));

const struct heddle_upc_bridge *heddle_upc_bridge(void)
{
#define X(name) {#name, name},
	static const struct heddle_upc_bridge_event events[] = {HUPC__EVENTS(X)};
#undef X
	static const struct heddle_upc_bridge bridge = {HEDDLE_UPC_BRIDGE_VERSION, "Heddle UPC", GASP_UPC_USEREVT_START,
		GASP_UPC_USEREVT_END, {NULL, NULL}, sizeof(events) / sizeof(*events), events, mythread, threads,
		threadof, phaseof, addrfield, localaddr, runtime_low, runtime_high, hupc__node_of, hupc__first_clock,
		HUPC__IN_NOSYNC, HUPC__OUT_NOSYNC, memory_of, tag_allocation, count_accesses};

	return &bridge;
}
