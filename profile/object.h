/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared variables of a measurement, by the descriptions that OBJECT nodes and Partners have (docs/format.md).
 * Static ones have their name in the description. Dynamic shared memory is named after what its allocation was assigned
 * to, read from the source, if that is at hand.
 */
#ifndef HEDDLE_PROFILE_OBJECT_H
#define HEDDLE_PROFILE_OBJECT_H

#include "profile/measurement.h"

struct profile_object {
	const char *description;
	/*
	 * "label", "strips[].now" of memory; "strips.now" of a member, several of which may have one name;
	 * "upc_all_alloc@cc.upc:117": not known. Otherwise distinct.
	 */
	const char *name;
	const char *function; /* that allocated it: "upc_all_alloc"; "": a static variable */
	const char *file;     /* of its definition or allocation, as the compiler told it; "": unknown */
	uint32_t line;
	const char *type;      /* of an element, of a static variable; "": unknown */
	uint64_t element_size; /* bytes, of a static variable; 0: unknown */
	uint64_t block;        /* elements of a block; 0: unknown */
	const char *whole;     /* of a member of the element, the variable's name; else its own */
	bool is_member;
	uint64_t offset; /* of the member in the element, bytes */
	uint32_t path;   /* tag of the allocation's call path (profile/allocation_path.h); 0: unknown */
};

struct profile_objects {
	struct profile_object *items; /* by description */
	size_t count;
	struct profile_intern keys, texts;
};

/* All that a measurement refers to. Reads sources. 0 or -ENOMEM, after which there is nothing to free. */
int profile_objects_make(struct profile_objects *objects, const struct profile_measurement *measurement);
void profile_objects_free(struct profile_objects *objects);

/* The object of a description; NULL: it is none of the measurement's. */
const struct profile_object *profile_object_find(const struct profile_objects *objects, const char *description);

/*
 * What the result of `function` is assigned to in that source text at that line (from 1), written to `name`; subscripts
 * are left out. False: it is not an assignment of this form, or of a variable that the function returns soon after.
 */
bool profile_object_assigned(const char *source, uint32_t line, const char *function, char *name, size_t size);

#endif
