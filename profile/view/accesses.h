/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The accesses to shared memory of a measurement, for reports and for what is built on them (advice, tuning): one row
 * for each call path, source line and variable; and one for each pair of threads and variable.
 */
#ifndef HEDDLE_PROFILE_ACCESSES_H
#define HEDDLE_PROFILE_ACCESSES_H

#include "profile/file/partners.h"
#include "profile/names/naming.h"
#include "profile/view/object.h"

/* Elements of `count` and `bytes` are by enum profile_side. */
struct profile_access {
	uint32_t node;                          /* of the measurement's tree: the access's OBJECT node, or its REGION */
	uint32_t region;                        /* its REGION */
	const struct profile_event_kind *event; /* "GASP_UPC_GET": what kind of access */
	const char *file;                       /* as the compiler wrote it; "": unknown */
	uint32_t line;                          /* 0: unknown */
	const struct profile_object *object; /* the variable; NULL: unknown, or not measured (heddle run --accesses) */
	const char *variable;                /* its name; "[unknown]" */
	uint64_t count[HEDDLE_SIDES];
	uint64_t unknown;             /* accesses to memory whose owner no event reports; they are in none of count */
	uint64_t bytes[HEDDLE_SIDES]; /* moved; those of LOCAL are what is left of bytes_got + bytes_put */
	uint64_t bytes_got, bytes_put;
	uint64_t time_ns;           /* elapsed time of the accessing threads in these accesses: they block */
	uint64_t flight_ns;         /* of those that do not block: until their data arrived */
	uint64_t smallest, largest; /* bytes of one access; 0, 0: unknown */
};

/* A pair of threads. */
struct profile_pair {
	uint32_t thread; /* rank of the accessing thread; HEDDLE_NO_RANK: it has none */
	uint32_t owner;  /* rank of the thread whose memory it is */
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
	struct profile_access *rows; /* in the order of nodes: callers before what they call */
	size_t row_count;
	struct profile_pair
		*pairs; /* by thread, then owner, then variable; those of threads of one rank are added up */
	size_t pair_count;
	struct profile_access_thread *threads; /* by rank */
	size_t thread_count;
	const char *rank, *ranks;     /* what the model of the ranks calls one, as in Model of the schema */
	struct profile_naming naming; /* of rows whose events report no line */
};

/*
 * Rows and pairs of a measurement, whose tree they point into. Models may know no variables, and UPC's without
 * --accesses no pairs. 0 or a negative error, after which there is nothing to free.
 */
int profile_accesses_make(struct profile_accesses *accesses, const struct profile_measurement *measurement);

/*
 * The same of one thread: the rows have the values of the threads with that rank, and pairs are theirs. The measurement
 * needs keep_threads. -HEDDLE_MERGED: a merged file has no such rows.
 */
int profile_accesses_make_of(
	struct profile_accesses *accesses, const struct profile_measurement *measurement, uint32_t rank);
void profile_accesses_free(struct profile_accesses *accesses);

/* True if the variable of any access is known. */
bool profile_accesses_name_variables(const struct profile_accesses *accesses);

/* Keeps the rows and pairs of the variables with that name. False: there are none, and nothing was changed. */
bool profile_accesses_keep_variable(struct profile_accesses *accesses, const char *name);

/* The size of an element as far as the row shows it: the variable's, or that of all accesses if it is the same; 0:
 * unknown. */
uint64_t profile_access_element(const struct profile_access *access);

#endif
