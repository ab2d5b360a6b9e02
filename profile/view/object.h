/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shared variables of a measurement, by the descriptions that OBJECT nodes and Partners have (docs/format.md). The
 * description of a static variable has its name. Dynamic shared memory is named after the variable that the result of
 * its allocation was assigned to, if the source can be read.
 */
#ifndef HEDDLE_PROFILE_OBJECT_H
#define HEDDLE_PROFILE_OBJECT_H

#include "profile/file/measurement.h"

struct profile_object {
	const char *description;
	/*
	 * "label"; of memory "strips[].now"; of a member "strips.now", which several members may have. If the variable
	 * is not known "upc_all_alloc@cc.upc:117", or ":117#2" for the second call on that line. Otherwise distinct.
	 */
	const char *name;
	const char *function; /* that allocated it: "upc_all_alloc"; "": static variable */
	const char *file;     /* of its definition or allocation, as the compiler wrote it; "": unknown */
	uint32_t line;
	const char *type;      /* of an element of a static variable; "": unknown */
	uint64_t element_size; /* in bytes, of a static variable; 0: unknown */
	uint64_t block;        /* elements of a block; 0: unknown */
	const char *whole;     /* of a member of the element: the variable's name; else `name` */
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

/* Makes all objects that a measurement refers to; reads sources. 0 or -ENOMEM, after which there is nothing to free. */
int profile_objects_make(struct profile_objects *objects, const struct profile_measurement *measurement);
void profile_objects_free(struct profile_objects *objects);

/* Returns the object with that description; NULL: the measurement has none. */
const struct profile_object *profile_object_find(const struct profile_objects *objects, const char *description);

/* A call in a source. */
struct profile_object_call {
	const char *function; /* the called function; "upc_alloc" also stands for "upc_local_alloc" */
	uint32_t line;        /* from 1 */
	/* Number of the call among the line's calls of `function`: 1, 2, ... of `calls`. 0 or 1 calls: the only one. */
	uint32_t call, calls;
};

enum profile_object_use {
	PROFILE_OBJECT_UNKNOWN,  /* not certain: used otherwise, or the line has another number of calls */
	PROFILE_OBJECT_ASSIGNED, /* to a variable */
	PROFILE_OBJECT_RETURNED, /* by the calling function, at once or soon after */
};

/*
 * Finds what the result of a call is used for, in a source text prepared by profile_object_blank. Writes the name of
 * the variable that it is assigned to, without subscripts.
 */
enum profile_object_use profile_object_use(
	const char *source, const struct profile_object_call *call, char *name, size_t size);

/* Overwrites comments, directives, and the contents of strings by blanks. */
void profile_object_blank(char *source);

#endif
