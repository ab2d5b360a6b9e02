/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts of accesses by object and owner, as a tool adds them up: each access is counted once, for the object that was
 * at its address. All threads free and allocate objects at the same time, and few accesses are reported.
 */
#include "upc/runtime/base/control.h"
#include "upc_program.h"

#include <heddle/gasp_upc.h>
#include <heddle/upc_bridge.h>

UNIT(NULL);

#define OBJECTS 12
#define ELEMENTS 16 /* longs of each thread, or of the one thread */
#define SITES 4
#define ROUNDS 6000
#define NUMBERS 200 /* of counts */
#define MOST_SERIALS 1000

struct object {
	upcrt_shared pointer; /* to its first part */
	uint32_t serial;      /* of the allocation */
	int parts;            /* 1, or THREADS */
	int is_static;
};

/* What the tool has recorded for a count. */
struct known {
	struct heddle_upc_count *count;
	uint32_t serial, owner; /* of its accesses */
	int32_t from;
};

struct _gasp_context_S {
	int unused;
};

static upcrt_shared variable;
static struct object objects[OBJECTS];
static struct known known[NUMBERS];
static uint32_t made, serials, reported;
static uint32_t expected[MOST_SERIALS][8], counted[MOST_SERIALS][8];
static _Thread_local struct upcrt_count counts[SITES];
static const struct object *accessed; /* the object, and the owner, that the program accesses now */
static uint32_t accessed_owner;
static int range_is_known = 1, in_event;
static struct upcrt_count *accessing; /* the count of the current place */
static uint64_t state;

__attribute__((section(UPCRT_SHARED_SECTION), used)) static const struct upcrt_shared_record records[] = {
	{&variable, "variable", "long", "program.upc", NULL, ELEMENTS, sizeof(long), ELEMENTS, 0, 8, __LINE__,
		UPCRT_TIMES_THREADS, 0},
};

static uint32_t next_random(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % below;
}

/* Simulates a signal handler that interrupts an event. */
static void interrupt(void);

/* ---- the tool ---- */

/* NOLINTNEXTLINE(readability-non-const-parameter): GASP's prototype */
gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv)
{
	static struct _gasp_context_S context;
	(void)model, (void)argc, (void)argv;
	return &context;
}

void gasp_event_notify(
	gasp_context_t context, unsigned int tag, gasp_evttype_t type, const char *file, int line, int column, ...)
{
	(void)context, (void)file, (void)line, (void)column;
	reported += tag == GASP_UPC_GET && type == GASP_START;
	if (in_event && type == GASP_START && next_random(4) == 0)
		interrupt();
}

static void add_up(struct known *it)
{
	CHECK(it->count->left <= it->from);
	counted[it->serial][it->owner] += (uint32_t)(it->from - it->count->left);
	it->from = it->count->left;
}

static int begin(struct heddle_upc_count *count)
{
	if (in_event)
		return 0;
	in_event = 1;
	if (!count->number)
		count->number = ++made;
	CHECK(count->number < NUMBERS);
	struct known *it = &known[count->number];
	if (it->count)
		add_up(it);
	it->count = count;
	return 1;
}

static void end(struct heddle_upc_count *count, const struct heddle_upc_counted *access, int begun)
{
	struct known *it = &known[count->number];
	if (!begun)
		return;
	in_event = 0;
	CHECK(access->size == sizeof(long) && !access->put && access->same_node);
	CHECK(it->count == count && !access->range->high);
	count->left = it->from = range_is_known ? (int32_t)next_random(200) : 0;
	if (!range_is_known)
		return;
	it->serial = accessed->serial;
	it->owner = accessed_owner;
	access->range->low = UPCRT_OFFSET(accessed->pointer);
	access->range->high = access->range->low + ELEMENTS * sizeof(long);
	struct heddle_upc_memory memory;
	if (accessed->is_static)
		return;
	CHECK(heddle_upc_bridge()->memory_of(&accessed->pointer, &memory));
	access->range->now = memory.now;
	access->range->version = memory.version;
}

static void *memory(size_t size)
{
	return calloc(1, size);
}

/* Called after a change that later accesses must not be counted under. */
static void end_counting(void)
{
	for (uint32_t i = 1; i <= made; i++) {
		add_up(&known[i]);
		known[i].count->left = known[i].from = 0;
	}
}

/* ---- the program ---- */

/* Reads as compiled code does (inline.c). */
static void read_long(struct upcrt_count *count, upcrt_shared from, long value)
{
	static const struct upcrt_access access = {"program.upc", sizeof(long), 1, UPCRT_ACCESS_LOCAL};
	long got;
	int near = (from & UPCRT_ADDRESS_MASK) - count->low < count->size;
	int counts_it = --count->left >= 0;
	if (near && counts_it)
		got = *(long *)UPCRT_ADDRESS(from);
	else
		__upcrt_reported_get(from, &got, &access, count, NULL);
	CHECK(got == value);
}

static upcrt_shared part_of(const struct object *object, uint32_t owner)
{
	return object->parts == 1 ? object->pointer : object->pointer + UPCRT_POINTER(0, owner, 0);
}

static void allocate(struct object *object)
{
	object->parts = next_random(2) ? THREADS : 1;
	object->pointer = object->parts == 1 ? upc_alloc(ELEMENTS * sizeof(long))
					     : upc_global_alloc((size_t)THREADS, ELEMENTS * sizeof(long));
	object->serial = ++serials;
	CHECK(serials < MOST_SERIALS);
	for (uint32_t owner = 0; owner < (uint32_t)object->parts; owner++)
		for (long i = 0; i < ELEMENTS; i++)
			((long *)UPCRT_ADDRESS(part_of(object, owner)))[i] = (long)object->serial;
}

static void renew(void)
{
	struct object *first = &objects[1 + next_random(OBJECTS - 1)], *second = &objects[1 + next_random(OBJECTS - 1)];
	upc_free(first->pointer);
	if (second != first)
		upc_free(second->pointer);
	allocate(first);
	if (second != first)
		allocate(second);
}

static void access_one_of(const struct object *object, uint32_t part)
{
	uint32_t before = reported, owner = object->parts == 1 ? (uint32_t)MYTHREAD : part;
	accessed = object;
	accessed_owner = owner;
	range_is_known = next_random(500) > 0;
	read_long(accessing, part_of(object, part) + next_random(ELEMENTS) * sizeof(long), (long)object->serial);
	expected[object->serial][owner] += reported == before;
}

/* Accesses memory at the same place. */
static void interrupt(void)
{
	const struct object *object = accessed;
	uint32_t owner = accessed_owner, number = reported;
	int known_before = range_is_known;
	for (int i = 0; i < 3; i++) {
		const struct object *other = &objects[next_random(OBJECTS)];
		access_one_of(other, other->parts == 1 ? 0 : next_random((uint32_t)THREADS));
	}
	accessed = object;
	accessed_owner = owner;
	range_is_known = known_before;
	reported = number;
}

/* Makes some accesses at one site to one part of an object, or to several parts in turn. */
static void access_some(void)
{
	uint32_t times = 1 + next_random(60), first = next_random(OBJECTS), step = next_random(3);
	accessing = &counts[next_random(SITES)];
	for (uint32_t i = 0; i < times; i++) {
		const struct object *object = &objects[(first + i * step) % OBJECTS];
		access_one_of(object, object->parts == 1 ? 0 : (first + i / 3 * step) % (uint32_t)THREADS);
	}
}

/* Accesses one thread's memory at one site, without changes: hardly any access is reported. */
static void access_one(const struct object *object)
{
	static _Thread_local struct upcrt_count count;
	uint32_t before = reported, times = 20000;
	accessed = object;
	accessing = &count;
	range_is_known = 1;
	accessed_owner = object->parts == 1 ? (uint32_t)MYTHREAD : 0;
	for (uint32_t i = 0; i < times; i++)
		read_long(&count, object->pointer, (long)object->serial);
	expected[object->serial][accessed_owner] += times - (reported - before);
	CHECK(reported - before < times / 50);
}

int __upcrt_user_main(int argc, char **argv)
{
	static const struct heddle_upc_counting counting = {begin, end, memory};
	(void)argc, (void)argv;
	state = (uint64_t)MYTHREAD * 977 + 5;
	heddle_upc_bridge()->count_accesses(&counting);
	objects[0] = (struct object){.pointer = variable, .parts = THREADS, .is_static = 1};
	for (int i = 1; i < OBJECTS; i++)
		allocate(&objects[i]);
	for (int i = 0; i < ROUNDS; i++) {
		access_some();
		if (next_random(20) == 0)
			renew();
		if (next_random(20) == 0)
			end_counting();
	}
	BARRIER(); /* from here on no object is freed */
	access_one(&objects[0]);
	access_one(&objects[1]);
	end_counting();
	for (uint32_t serial = 0; serial <= serials; serial++)
		for (uint32_t owner = 0; owner < (uint32_t)THREADS; owner++)
			CHECK(counted[serial][owner] == expected[serial][owner]);
	BARRIER();
	if (MYTHREAD == 0)
		print_line("passed");
	return 0;
}
