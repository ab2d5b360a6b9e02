/* SPDX-License-Identifier: BSD-3-Clause */
/* All threads use the shared heap at once: blocks do not overlap, and memory freed by any thread can be reused. */
#include "upc/runtime/base/control.h"
#include "upc_program.h"

#include <heddle/upc_bridge.h>

UNIT(NULL);

#define SLOTS 64
#define ROUNDS 4000

struct slot {
	upcrt_shared pointer;
	uint64_t size; /* on one thread */
	uint32_t fill;
	uint32_t global;
};

static upcrt_shared slots, locks;
static uint64_t state;

static uint64_t next_random(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state >> 33;
}

static unsigned char *bytes_of(const struct slot *slot, int thread)
{
	return UPCRT_ADDRESS(slot->global ? slot->pointer + UPCRT_POINTER(0, thread, 0) : slot->pointer);
}

/* Checks that the bridge reports the whole block for an address in it, valid while *now is unchanged. */
static void check_memory_of(const struct slot *slot)
{
	const struct heddle_upc_bridge *bridge = heddle_upc_bridge();
	struct heddle_upc_memory memory;
	upcrt_shared inside = slot->pointer + next_random() % slot->size, before = slot->pointer - 1,
		     behind = slot->pointer + slot->size;
	if (slot->global)
		inside += UPCRT_POINTER(0, next_random() % (uint64_t)THREADS, 0);
	CHECK(bridge->memory_of(&inside, &memory) == 1);
	CHECK(memory.low == UPCRT_OFFSET(slot->pointer) && memory.high == memory.low + slot->size);
	CHECK(memory.for_all == (int)slot->global);
	CHECK(strcmp(memory.function, slot->global ? "upc_global_alloc" : "upc_alloc") == 0);
	CHECK(*memory.now >= memory.version);
	CHECK(!bridge->memory_of(&before, &memory) || memory.high <= UPCRT_OFFSET(slot->pointer));
	CHECK(!bridge->memory_of(&behind, &memory) || memory.low > UPCRT_OFFSET(slot->pointer));
}

/* Checks that freed memory belongs to no object, and that what was reported before is no longer valid. */
static void check_memory_gone(upcrt_shared pointer)
{
	const struct heddle_upc_bridge *bridge = heddle_upc_bridge();
	struct heddle_upc_memory memory;
	CHECK(bridge->memory_of(&pointer, &memory) == 1);
	upc_free(pointer);
	CHECK(*memory.now != memory.version);
}

static void check_and_free(struct slot *slot)
{
	check_memory_of(slot);
	for (int t = 0; t < (slot->global ? THREADS : 1); t++) {
		unsigned char *bytes = bytes_of(slot, t);
		for (uint64_t i = 0; i < slot->size; i++)
			CHECK(bytes[i] == (unsigned char)(slot->fill + (uint32_t)t));
	}
	check_memory_gone(slot->pointer);
	slot->pointer = 0;
}

static void allocate(struct slot *slot)
{
	uint64_t kind = next_random() % 100;

	slot->size = kind < 80   ? 1 + next_random() % 200
		     : kind < 97 ? next_random() % 9000 + 1
				 : next_random() % 300000 + 1;
	slot->global = next_random() % 3 == 0;
	slot->fill = (uint32_t)next_random();
	slot->pointer = slot->global ? upc_global_alloc((size_t)THREADS, slot->size) : upc_alloc(slot->size);
	CHECK(UPCRT_OFFSET(slot->pointer) % 16 == 0 && UPCRT_PHASE(slot->pointer) == 0);
	CHECK(upc_threadof(slot->pointer) == (slot->global ? 0 : (size_t)MYTHREAD));
	for (int t = 0; t < (slot->global ? THREADS : 1); t++)
		memset(bytes_of(slot, t), (int)(slot->fill + (uint32_t)t), slot->size);
	check_memory_of(slot);
}

int __upcrt_user_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	CHECK(upc_alloc(0) == 0 && upc_global_alloc(0, 8) == 0 && upc_global_alloc(8, 0) == 0);
	CHECK(upc_all_alloc(0, 1) == 0);
	upc_free(0);
	slots = upc_all_alloc(1, SLOTS * sizeof(struct slot));
	locks = upc_all_alloc(1, SLOTS * sizeof(upcrt_shared));
	struct slot *table = UPCRT_ADDRESS(slots);
	upcrt_shared *lock = UPCRT_ADDRESS(locks);
	if (MYTHREAD == 0) {
		memset(table, 0, SLOTS * sizeof(*table));
		for (int i = 0; i < SLOTS; i++)
			lock[i] = upc_global_lock_alloc();
	}
	BARRIER();
	state = (uint64_t)MYTHREAD + 1;
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t i = next_random() % SLOTS;
		upc_lock(lock[i]);
		if (table[i].pointer)
			check_and_free(&table[i]);
		else
			allocate(&table[i]);
		upc_unlock(lock[i]);
	}
	BARRIER();
	if (MYTHREAD == 0) {
		for (int i = 0; i < SLOTS; i++) {
			if (table[i].pointer)
				check_and_free(&table[i]);
			upc_lock_free(lock[i]);
		}
	}
	upc_all_free(slots);
	upc_all_free(locks);
	BARRIER();
	CHECK(hupc__control->global_heap.low == hupc__control->global_heap.high);
	CHECK(hupc__control->heap[MYTHREAD].low == hupc__control->heap[MYTHREAD].high);
	BARRIER();
	/* All memory is available again in one piece, for each heap, but not for both at once. */
	upcrt_shared most = upc_all_alloc((size_t)THREADS, hupc__control->segment_size * 3 / 4);
	upc_all_free(most);
	BARRIER();
	most = upc_alloc(hupc__control->segment_size * 3 / 4);
	upc_free(most);
	BARRIER();
	if (MYTHREAD == 0)
		print_line("passed");
	return 0;
}
