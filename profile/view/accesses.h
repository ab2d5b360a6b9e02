/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A measurement's accesses to shared memory, for reports and for advice and tuning: one row for each call path, source
 * line and variable, and one for each pair of threads and variable.
 */
#ifndef HEDDLE_PROFILE_ACCESSES_H
#define HEDDLE_PROFILE_ACCESSES_H

#include "profile/file/partners.h"
#include "profile/names/naming.h"
#include "profile/view/object.h"

/* `count` and `bytes` are indexed by enum profile_side. */
struct profile_access {
	uint32_t node;                          /* in the measurement's tree: the access's OBJECT node, or its REGION */
	uint32_t region;                        /* its REGION */
	const struct profile_event_kind *event; /* kind of access: "GASP_UPC_GET" */
	const char *file;                       /* as the compiler wrote it; "": unknown */
	uint32_t line;                          /* 0: unknown */
	const struct profile_object *object; /* the variable; NULL: unknown, or not measured (heddle run --accesses) */
	const char *variable;                /* its name; "[unknown]" */
	uint64_t count[HEDDLE_SIDES];
	uint64_t unknown;             /* accesses to memory whose owner no event reports; not in `count` */
	uint64_t bytes[HEDDLE_SIDES]; /* moved; LOCAL has the rest of bytes_got + bytes_put */
	uint64_t bytes_got, bytes_put;
	uint64_t time_ns;           /* elapsed time of the accessing threads in these accesses, which block */
	uint64_t flight_ns;         /* of non-blocking accesses: until their data arrived */
	uint64_t smallest, largest; /* bytes of one access; 0, 0: unknown */
};

/* A pair of threads. */
struct profile_pair {
	uint32_t thread; /* rank of the accessing thread; HEDDLE_NO_RANK: none */
	uint32_t owner;  /* rank of the thread that owns the memory */
	enum profile_side side;
	const struct profile_object *object; /* NULL: unknown */
	const char *variable;
	uint64_t gets, puts, bytes_got, bytes_put, time_ns;
};
#define HEDDLE_NO_RANK UINT32_MAX

/* A thread that has pairs. */
struct profile_access_thread {
	uint32_t rank;
	uint64_t wall_ns; /* its elapsed time */
};

struct profile_accesses {
	struct profile_objects objects;
	struct profile_access *rows; /* in the order of nodes: callers before callees */
	size_t row_count;
	struct profile_pair *pairs; /* by thread, owner, variable; threads of one rank are added up */
	size_t pair_count;
	struct profile_access_thread *threads; /* by rank */
	size_t thread_count;
	const char *rank, *ranks;     /* what the ranks' model calls one, and several; as in Model of the schema */
	struct profile_naming naming; /* of rows whose events report no line */
};

/*
 * Makes the rows and pairs of a measurement, which point into its tree. There are no variables if the model has none,
 * and for UPC no pairs without --accesses. Returns 0 or a negative error, after which there is nothing to free.
 */
int profile_accesses_make(struct profile_accesses *accesses, const struct profile_measurement *measurement);

/*
 * Like profile_accesses_make, but only for the threads of that rank. The measurement needs keep_threads.
 * -HEDDLE_MERGED: a merged file has no such rows.
 */
int profile_accesses_make_of(
	struct profile_accesses *accesses, const struct profile_measurement *measurement, uint32_t rank);
void profile_accesses_free(struct profile_accesses *accesses);

/* True if the variable of any access is known. */
bool profile_accesses_name_variables(const struct profile_accesses *accesses);

/* Keeps only the rows and pairs of the variables with that name. False: there are none, and nothing was changed. */
bool profile_accesses_keep_variable(struct profile_accesses *accesses, const char *name);

/* Returns the size of an element, of the variable or of all accesses if they have one size; 0: unknown. */
uint64_t profile_access_element(const struct profile_access *access);

#endif
