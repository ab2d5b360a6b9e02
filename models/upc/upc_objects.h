/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared variables and the dynamic shared memory that this process knows of, by address field. An object is
 * described by a string of the profile (docs/format.md, OBJECT nodes). Every implementation of UPC has the elements of
 * one array at the same address fields in all threads, so an object of several threads is one range.
 */
#ifndef HEDDLE_MODELS_UPC_OBJECTS_H
#define HEDDLE_MODELS_UPC_OBJECTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Owner of ranges that all threads have. */
#define HEDDLE_UPC_ALL_THREADS UINT32_MAX

struct heddle_upc_object {
	uint64_t low, high;        /* address fields: low <= address < high */
	uint32_t owner;            /* the thread that it has affinity to, or HEDDLE_UPC_ALL_THREADS */
	uint32_t description;      /* number of its string plus 1 */
	uint32_t element;          /* bytes of an element with members; 0: it has none */
	_Atomic uint32_t *members; /* descriptions of members, by their offset in the element; 0: not made yet */
	/* The object is valid while *now is `version`. */
	const volatile uint64_t *now;
	uint64_t version;
};

static inline bool heddle__upc_object_is_valid(const struct heddle_upc_object *object)
{
	return *object->now == object->version;
}

/* Incremented whenever a range is removed or replaced. For objects known by events, `now` points to it. */
extern volatile uint64_t heddle__upc_objects_generation;

/* Context of all: any thread, inside, not a signal handler. */

/* Adds a range; removes ranges of the same owner that it overlaps. */
void heddle__upc_object_add(const struct heddle_upc_object *object);

/* Removes the object that begins at that address of that thread. */
void heddle__upc_object_remove(uint32_t owner, uint64_t address);

/*
 * Finds the object at that address of that thread. Returns false if none is known; one that is no longer valid is
 * removed. Another thread may remove the found object at any time; it is then no longer valid.
 */
bool heddle__upc_object_find(uint32_t owner, uint64_t address, struct heddle_upc_object *object);

/* Drops all ranges, since another thread may have been changing them. Context: the child's only thread. */
void heddle__upc_objects_after_fork(void);

#endif
