/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared variables of a measurement, by the descriptions that OBJECT nodes and Partners have (docs/format.md).
 * Static ones have their name in the description. Dynamic shared memory is named after what its allocation was assigned
 * to, read from the source, if that can be read.
 */
#ifndef HEDDLE_PROFILE_OBJECT_H
#define HEDDLE_PROFILE_OBJECT_H

#include "profile/file/measurement.h"

struct profile_object {
	const char *description;
	/*
	 * "label", "strips[].now" of memory; "strips.now" of a member, several of which may have one name;
	 * "upc_all_alloc@cc.upc:117", or ":117#2" for the second one on that line: not known. Otherwise distinct.
	 */
	const char *name;
	const char *function; /* that allocated it: "upc_all_alloc"; "": a static variable */
	const char *file;     /* of its definition or allocation, as the compiler wrote it; "": unknown */
	uint32_t line;
	const char *type;      /* of an element, of a static variable; "": unknown */
	uint64_t element_size; /* bytes, of a static variable; 0: unknown */
	uint64_t block;        /* elements of a block; 0: unknown */
	const char *whole;     /* of a member of the element, the variable's name; else its own */
	bool is_member;
	uint64_t offset;      /* of the member in the element, bytes */
	uint32_t path;        /* tag of the allocation's call path (profile/names/allocation_path.h); 0: unknown */
	uint32_t call, calls; /* of an allocation, as in struct profile_object_call */
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

/* A call in a source. */
struct profile_object_call {
	const char *function; /* that is called; with "upc_alloc", "upc_local_alloc" */
	uint32_t line;        /* from 1 */
	/* Which of the line's calls of it: 1, 2, ... of `calls`; 0 or 1 of them: the only one. */
	uint32_t call, calls;
};

enum profile_object_use {
	PROFILE_OBJECT_UNKNOWN,  /* not certain: another use, or the line has another number of calls */
	PROFILE_OBJECT_ASSIGNED, /* to a variable */
	PROFILE_OBJECT_RETURNED, /* by the function that calls, at once or soon after */
};

/*
 * What the result of a call is used for, by the source text, in which profile_object_blank has been called. Writes the
 * name of what it is assigned to, without subscripts.
 */
enum profile_object_use profile_object_use(
	const char *source, const struct profile_object_call *call, char *name, size_t size);

/* Overwrites comments, directives, and what strings contain, by blanks. */
void profile_object_blank(char *source);

#endif
