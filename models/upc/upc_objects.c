/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A treap of ranges, ordered by (owner, low), under a lock: threads search it only for objects that are not in their
 * caches (upc_access.c).
 */
#include "models/upc/upc_objects.h"

#include <pthread.h>
#include <stddef.h>

#include "core/base/hash.h"
#include "core/base/memory.h"

struct entry {
	struct heddle_upc_object object;
	struct entry *less, *more; /* `less` is also the link of the list of spare entries */
	uint64_t weight;           /* not less than those of its children */
};

volatile uint64_t heddle__upc_objects_generation = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects all variables below */
static struct entry *root, *spare;
static uint64_t entries_made;

static bool is_before(const struct entry *entry, uint32_t owner, uint64_t low)
{
	return entry->object.owner != owner ? entry->object.owner < owner : entry->object.low < low;
}

/* Splits a treap into the entries before (owner, low) and the others. */
static void split(struct entry *whole, uint32_t owner, uint64_t low, struct entry **before, struct entry **others)
{
	while (whole) {
		if (is_before(whole, owner, low)) {
			*before = whole;
			before = &whole->more;
			whole = whole->more;
		} else {
			*others = whole;
			others = &whole->less;
			whole = whole->less;
		}
	}
	*before = *others = NULL;
}

/* Joins two treaps; all of `before` come before all of `others`. */
static struct entry *join(struct entry *before, struct entry *others)
{
	struct entry *whole = NULL, **at = &whole;
	while (before && others) {
		if (before->weight >= others->weight) {
			*at = before;
			at = &before->more;
			before = before->more;
		} else {
			*at = others;
			at = &others->less;
			others = others->less;
		}
	}
	*at = before ? before : others;
	return whole;
}

/* Returns the last entry of that owner that begins at or before the address; NULL: none. */
static const struct entry *find_last(uint32_t owner, uint64_t address)
{
	const struct entry *best = NULL;
	for (const struct entry *at = root; at;) {
		bool after = at->object.owner != owner ? at->object.owner > owner : at->object.low > address;
		if (!after)
			best = at;
		at = after ? at->less : at->more;
	}
	return best && best->object.owner == owner ? best : NULL;
}

static const struct entry *find_object(uint32_t owner, uint64_t address)
{
	const struct entry *found = find_last(owner, address);
	return found && address < found->object.high ? found : NULL;
}

static struct entry *make(const struct heddle_upc_object *object)
{
	struct entry *entry = spare;
	if (entry)
		spare = entry->less;
	else
		entry = heddle__alloc(sizeof(*entry));
	if (!entry)
		return NULL;
	uint64_t hash = heddle__hash(++entries_made);
	*entry = (struct entry){.object = *object, .weight = heddle__hash(hash ^ hash >> 32)};
	return entry;
}

/* Removes the entry that begins exactly at that address. */
static void take_out(uint32_t owner, uint64_t low)
{
	struct entry *before, *others, *one;
	split(root, owner, low, &before, &others);
	split(others, owner, low + 1, &one, &others);
	root = join(before, others);
	if (!one)
		return;
	one->less = spare;
	spare = one;
	heddle__upc_objects_generation++;
}

void heddle__upc_object_add(const struct heddle_upc_object *object)
{
	const struct entry *overlapped;
	struct entry *before, *others;
	if (object->low >= object->high)
		return;
	pthread_mutex_lock(&lock);
	while ((overlapped = find_last(object->owner, object->high - 1)) != NULL &&
		overlapped->object.high > object->low)
		take_out(object->owner, overlapped->object.low);
	struct entry *made = make(object);
	if (made) {
		split(root, object->owner, object->low, &before, &others);
		root = join(join(before, made), others);
	}
	pthread_mutex_unlock(&lock);
}

void heddle__upc_object_remove(uint32_t owner, uint64_t address)
{
	pthread_mutex_lock(&lock);
	take_out(owner, address);
	if (owner == 0)
		take_out(HEDDLE_UPC_ALL_THREADS, address);
	pthread_mutex_unlock(&lock);
}

/*
 * True if the object is known by events: then it is valid until it is removed. The runtime invalidates objects that it
 * reported.
 */
static bool is_by_events(const struct entry *entry)
{
	return entry->object.now == &heddle__upc_objects_generation;
}

bool heddle__upc_object_find(uint32_t owner, uint64_t address, struct heddle_upc_object *object)
{
	pthread_mutex_lock(&lock);
	const struct entry *found = find_object(owner, address);
	if (!found)
		found = find_object(HEDDLE_UPC_ALL_THREADS, address);
	if (found && !is_by_events(found) && !heddle__upc_object_is_valid(&found->object)) {
		take_out(found->object.owner, found->object.low);
		found = NULL;
	}
	if (found)
		*object = found->object;
	if (found && is_by_events(found))
		object->version = heddle__upc_objects_generation;
	pthread_mutex_unlock(&lock);
	return found;
}

void heddle__upc_objects_after_fork(void)
{
	if (pthread_mutex_trylock(&lock) == 0) {
		pthread_mutex_unlock(&lock);
		return;
	}
	lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	root = spare = NULL;
	heddle__upc_objects_generation++;
}
