/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks up objects through a small cache per thread: sets of entries by source line and owner, so that a line which
 * accesses several variables of several threads in turn finds all of them.
 */
#include "models/upc/upc_access.h"

#include <stdio.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/string_table.h"
#include "core/threads/region.h"
#include "core/threads/trace.h"
#include "models/upc/upc_allocated.h"
#include "models/upc/upc_arguments.h"
#include "models/upc/upc_effect.h"
#include "models/upc/upc_handles.h"
#include "models/upc/upc_nonblocking.h"
#include "models/upc/upc_objects.h"
#include "models/upc/upc_sketch.h"
#include "models/upc/upc_vocabulary.h"

#define SETS 64u
#define WAYS 4u

/* One end of an access in shared memory. */
struct end {
	const void *pointer;            /* NULL: the access has no such end */
	uint32_t object;                /* number of its description plus 1; 0: unknown */
	struct heddle_partner *partner; /* NULL: unknown owner */
};

struct ends {
	struct end source, destination;
	uint32_t object; /* the one to which the access's visit and time belong */
};

struct cached_object {
	uint64_t low, size; /* address fields of the object; size 0: unused */
	const volatile uint64_t *now;
	uint64_t version; /* the entry is valid while *now has this value */
	struct heddle_partner *partner;
	uint32_t owner, object;
	uint32_t element; /* as in heddle_upc_object */
	_Atomic uint32_t *members;
};

/* The objects that a thread accessed most recently, and its open access. */
struct heddle_upc_access_cache {
	struct cached_object sets[SETS][WAYS];
	struct heddle_partner *open;    /* of the open access; NULL: none */
	const struct heddle_slot *slot; /* slot of its region */
	uint64_t charged;               /* elapsed time of that slot when it began */
	struct heddle_upc_accessed accessed;
	uint8_t next; /* way to be replaced next */
};

bool heddle__upc_accesses;

static struct heddle_upc_access_cache *cache_of(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_of(thread);
	if (handles && !handles->cache)
		handles->cache = heddle__alloc(sizeof(*handles->cache));
	return handles ? handles->cache : NULL;
}

const struct heddle_upc_accessed *heddle__upc_accessed(struct heddle_thread *thread)
{
	struct heddle_upc_handles *handles = heddle__upc_handles_known(thread);
	return handles && handles->cache ? &handles->cache->accessed : NULL;
}

/* ---- accesses ---- */

static struct heddle_partner *find_partner(struct heddle_thread *thread, uint32_t object, uint32_t owner)
{
	struct heddle_partner *partner = heddle__partner_find(&thread->partners, object, owner);
	if (partner && !partner->side)
		partner->side = heddle__upc_side_of(owner);
	return partner;
}

/* Gets the object that the pointer points into from the run-time system. Returns false if it has none. */
static bool ask(const void *pointer, uint32_t owner, struct heddle_upc_object *object)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	struct heddle_upc_memory memory = {0};
	if (!bridge->memory_of || !bridge->memory_of(pointer, &memory))
		return false;
	*object = (struct heddle_upc_object){.low = memory.low,
		.high = memory.high,
		.owner = memory.for_all ? HEDDLE_UPC_ALL_THREADS : owner,
		.description = heddle__upc_describe_memory(&memory),
		.now = memory.now,
		.version = memory.version};
	if (!object->description)
		return false;
	heddle__upc_object_add(object);
	return true;
}

/* Returns the object that the pointer points into; all 0: unknown. An unknown object may become known later. */
static struct heddle_upc_object object_of(const void *pointer, uint32_t owner, uint64_t address)
{
	struct heddle_upc_object object;
	if (!heddle__upc_object_find(owner, address, &object) && !ask(pointer, owner, &object))
		object = (struct heddle_upc_object){0};
	return object;
}

/* The slow path: the object is not in the cache. */
static const struct cached_object *find_object(struct heddle_thread *thread, struct heddle_upc_access_cache *cache,
	struct cached_object *set, const void *pointer, uint32_t owner, uint64_t address)
{
	struct cached_object *cached = &set[cache->next++ % WAYS];
	struct heddle_upc_object object = object_of(pointer, owner, address);
	*cached = (struct cached_object){.low = object.low,
		.size = object.high - object.low,
		.now = object.now,
		.version = object.version,
		.owner = owner,
		.object = object.description,
		.element = object.element,
		.members = object.members};
	cached->partner = find_partner(thread, cached->object, owner);
	return cached;
}

static inline const struct cached_object *object_at(
	struct heddle_thread *thread, struct heddle_upc_access_cache *cache, uint64_t site, const void *pointer)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	uint32_t owner = (uint32_t)bridge->threadof(pointer);
	uint64_t address = bridge->addrfield(pointer);
	struct cached_object *set = cache->sets[heddle__hash(site ^ owner) >> 58];
	_Static_assert(SETS == 64, "six bits of hash");
	for (unsigned int way = 0; way < WAYS; way++) {
		const struct cached_object *cached = &set[way];
		if (address - cached->low < cached->size && cached->owner == owner && *cached->now == cached->version)
			return cached;
	}
	return find_object(thread, cache, set, pointer, owner, address);
}

/* Returns the description of the member at the address: the object's description with the offset in the element. */
static uint32_t member_at(const struct cached_object *cached, uint64_t address)
{
	uint32_t offset = (uint32_t)((address - cached->low) % cached->element);
	uint32_t known = atomic_load_explicit(&cached->members[offset], memory_order_relaxed);
	if (HEDDLE_LIKELY(known))
		return known;
	char text[1000];
	snprintf(text, sizeof(text), "%s\t%u", heddle__string(cached->object - 1), offset);
	uint32_t made = heddle__string_number(text) + 1;
	atomic_store_explicit(&cached->members[offset], made, memory_order_relaxed);
	return made;
}

/*
 * Describes the access for upc_counted.c. Objects that the runtime reports may be freed; those known by events stay
 * valid. If the access is smaller than an element, the next one may be to another member, so no range is set.
 */
static void set_accessed(
	struct heddle_upc_access_cache *cache, const struct cached_object *cached, const struct end *end, size_t size)
{
	bool stays = cached->now == &heddle__upc_objects_generation;
	bool ranged = cached->object && heddle__upc_vocabulary.bridge->memory_of && size >= cached->element;
	cache->accessed = (struct heddle_upc_accessed){.partner = end->partner,
		.low = ranged ? cached->low : 0,
		.high = ranged ? cached->low + cached->size : 0,
		.now = stays ? NULL : cached->now,
		.version = cached->version};
}

static void find_end(struct heddle_thread *thread, struct heddle_upc_access_cache *cache, uint64_t site,
	const void *pointer, size_t size, struct end *end)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	*end = (struct end){.pointer = pointer};
	if (!pointer || !cache || !bridge || !bridge->threadof || !bridge->addrfield)
		return;
	const struct cached_object *cached = object_at(thread, cache, site, pointer);
	end->object = cached->object;
	end->partner = cached->partner;
	if (size < cached->element) {
		end->object = member_at(cached, bridge->addrfield(pointer));
		end->partner = find_partner(thread, end->object, cached->owner);
	}
	set_accessed(cache, cached, end, size);
}

static bool is_elsewhere(const struct end *end)
{
	return end->partner && end->partner->side != HEDDLE_TRACE_LOCAL;
}

static void find_ends(struct heddle_thread *thread, const struct heddle_upc_kind *kind,
	const struct heddle_upc_arguments *arguments, uint64_t site, struct ends *ends)
{
	struct heddle_upc_access_cache *cache = cache_of(thread);
	bool gets = kind->effect != HEDDLE_UPC_EFFECT_PUT, puts = kind->effect != HEDDLE_UPC_EFFECT_GET;
	if (cache)
		cache->accessed = (struct heddle_upc_accessed){0};
	find_end(thread, cache, site, gets ? arguments->source : NULL, arguments->size, &ends->source);
	find_end(thread, cache, site, puts ? arguments->destination : NULL, arguments->size, &ends->destination);
	bool by_source = gets && (!puts || is_elsewhere(&ends->source) || !is_elsewhere(&ends->destination));
	ends->object = by_source ? ends->source.object : ends->destination.object;
}

/*
 * Returns the slot of one end of the access, whose region has `slot`. It is another slot if the two ends of a copy are
 * different objects.
 */
static struct heddle_slot *slot_of(
	struct heddle_thread *thread, struct heddle_slot *slot, uint32_t opened, const struct end *end)
{
	if (end->object == opened)
		return slot;
	uint32_t region = opened ? heddle__tree_node(slot->node)->parent : slot->node;
	if (!end->object)
		return heddle__node_slot(thread, region);
	return heddle__event_slot(thread, region, HEDDLE_NODE_META(HEDDLE_NODE_OBJECT, 0), end->object - 1);
}

static void count_end(struct heddle_slot *slot, uint32_t access, const struct end *end, size_t size)
{
	struct heddle_partner *partner = end->partner;
	if (!partner) {
		heddle__upc_count_access(slot, access, -1, HEDDLE_TRACE_ANYWHERE, size);
		return;
	}
	bool puts = access & HEDDLE_TRACE_ACCESS_PUT;
	partner->gets += !puts;
	partner->puts += puts;
	*(puts ? &partner->bytes_put : &partner->bytes_got) += size;
	heddle__upc_count_access(slot, access, partner->owner, (enum heddle_trace_side)partner->side, size);
}

/* Sketches the accesses that a cache of remote elements would serve. */
static void sketch_end(struct heddle_thread *thread, const struct heddle_upc_kind *kind, const struct heddle_slot *slot,
	const struct end *end, size_t size)
{
	const struct heddle_upc_bridge *bridge = heddle__upc_vocabulary.bridge;
	bool gets = kind == &heddle__upc_kinds[HEDDLE_UPC_GET];
	if (!gets && kind != &heddle__upc_kinds[HEDDLE_UPC_PUT])
		return;
	if (!end->object || !end->partner || end->partner->side != HEDDLE_TRACE_REMOTE)
		return;
	struct heddle_upc_sketched access = {.leaf = slot->node,
		.object = end->object,
		.element = heddle__element_of(end->partner->owner, bridge->addrfield(end->pointer)),
		.size = size,
		.use = gets ? HEDDLE_ELEMENT_READ : HEDDLE_ELEMENT_WRITTEN};
	heddle__upc_sketch_access(thread, &access);
}

/*
 * Elapsed time from here to End is charged to this pair of threads: as much as the region is charged, so without time
 * while control is off.
 */
static void follow(struct heddle_thread *thread, const struct heddle_slot *slot, const struct ends *ends)
{
	struct heddle_upc_access_cache *cache = cache_of(thread);
	bool by_source = ends->source.pointer && ends->source.object == ends->object;
	if (!cache)
		return;
	cache->open = by_source ? ends->source.partner : ends->destination.partner;
	cache->slot = slot;
	cache->charged = slot->value[HEDDLE_METRIC_WALL_TIME];
}

static void count_ends(struct heddle_thread *thread, const struct heddle_upc_kind *kind, struct heddle_slot *slot,
	const struct heddle_upc_arguments *arguments, const struct ends *ends)
{
	size_t size = arguments->size;
	bool copies = kind->effect == HEDDLE_UPC_EFFECT_COPY;
	if (ends->source.pointer)
		count_end(slot_of(thread, slot, ends->object, &ends->source), 0, &ends->source, size);
	if (ends->destination.pointer)
		count_end(slot_of(thread, slot, ends->object, &ends->destination),
			HEDDLE_TRACE_ACCESS_PUT | (copies ? HEDDLE_TRACE_ACCESS_SECOND : 0), &ends->destination, size);
	heddle__slot_distribute(slot, 0, 0, (double)size);
	sketch_end(thread, kind, slot, ends->source.pointer ? &ends->source : &ends->destination, size);
}

/* The region of an access was closed: charges elapsed time to the pair of threads. */
static void unfollow(struct heddle_thread *thread)
{
	struct heddle_upc_access_cache *cache = cache_of(thread);
	if (!cache || !cache->open)
		return;
	uint64_t charged = cache->slot->value[HEDDLE_METRIC_WALL_TIME];
	if (charged > cache->charged) { /* false in the child of a fork */
		cache->accessed.elapsed = charged - cache->charged;
		cache->open->ticks += cache->accessed.elapsed;
	}
	cache->open = NULL;
}

/* ---- acts ---- */

/* Begins the region of the access, or counts the access as an event without duration. */
static struct heddle_slot *make_access(struct heddle_thread *thread, struct heddle_upc_notice *notice,
	const struct heddle_upc_arguments *arguments, bool lasts)
{
	struct heddle_upc_location at;
	struct ends ends;
	uint64_t site = (uintptr_t)notice->file ^ (uint64_t)(unsigned int)notice->line << 8;
	heddle__upc_locate(thread, notice, &at);
	find_ends(thread, notice->kind, arguments, site, &ends);
	struct heddle_slot *slot = lasts ? heddle__upc_begin_at(thread, notice, &at, ends.object)
					 : heddle__upc_count_at(thread, notice, &at, ends.object);
	if (slot)
		count_ends(thread, notice->kind, slot, arguments, &ends);
	if (slot && lasts)
		follow(thread, slot, &ends);
	return slot;
}

void heddle__upc_variable_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	heddle__upc_decode(notice->kind, false, &notice->list, &arguments);
	make_access(thread, notice, &arguments, true);
}

void heddle__upc_variable_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	heddle__region_end(thread, notice->kind->event);
	unfollow(thread);
}

void heddle__upc_variable_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	heddle__upc_decode(notice->kind, true, &notice->list, &arguments);
	if (heddle__is_counting(thread))
		make_access(thread, notice, &arguments, false);
}

void heddle__upc_variable_nb_start(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	heddle__upc_variable_start(thread, notice);
	heddle__upc_initiate(thread);
}

void heddle__upc_variable_nb_end(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	heddle__upc_nb_end(thread, notice);
	unfollow(thread);
}

void heddle__upc_variable_nb_atomic(struct heddle_thread *thread, struct heddle_upc_notice *notice)
{
	struct heddle_upc_arguments arguments;
	heddle__upc_decode(notice->kind, true, &notice->list, &arguments);
	struct heddle_slot *slot = heddle__is_counting(thread) ? make_access(thread, notice, &arguments, false) : NULL;
	heddle__upc_handle_known(thread, notice->kind, slot, &arguments);
}
