/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of the random program: choices, groups of ranks, and requests. */
#ifndef HEDDLE_TESTS_MPI_RANDOM_H
#define HEDDLE_TESTS_MPI_RANDOM_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "known.h"

#define ALL KNOWN_RANKS /* ranks at most */
#define MANY 24         /* requests at a time at most */
#define REGION 400000   /* bytes for each of them */

/* A communicator and its groups: both groups of an intercommunicator, otherwise the same group twice. */
struct group {
	MPI_Comm comm;
	bool inter;
	int side, rank; /* of this process */
	int sizes[2];
	int world[2][ALL]; /* ranks in MPI_COMM_WORLD */
	bool shared;       /* by threads, each with its own tags */
};

static inline int own_size(const struct group *group)
{
	return group->sizes[group->side];
}

static inline int other_size(const struct group *group)
{
	return group->sizes[!group->side];
}

/* Returns the same number in all members of a group, if they call it in the same order. */
int pick(int below);
/* Returns a number that this process alone chooses. */
int choose(int below);

/* Returns the first of MANY tags that no other exchange of this communicator has, as a rank may be ahead of others. */
int new_tag(void);

enum { CHARS, INTS, DOUBLES, SPREAD, MIXED, TYPES };
extern MPI_Datatype types[TYPES];
extern const int type_sizes[TYPES];

extern _Thread_local char *out, *in;

/* Requests, and what they receive. */
struct pending {
	int count;
	MPI_Request request[MANY];
	int partner[MANY]; /* in MPI_COMM_WORLD; negative: none */
	long long bytes[MANY];
	long long read[MANY]; /* from a file */
	bool persistent[MANY];
};

/* Adds a request that receives `bytes` from `partner`, -1 if nothing. Returns where the request must be stored. */
MPI_Request *expect_request(struct pending *pending, int partner, long long bytes, bool persistent);
/* Completes all requests in some way, and frees the persistent ones. */
void complete(struct pending *pending);
/* Does the same for requests of files. */
void complete_files(struct pending *pending);
void finish(MPI_Request *request);

/* Steps; all members of the group execute them. */
void exchange(const struct group *group);
void blocking(const struct group *group);
void cancel(const struct group *group);
void partitioned(const struct group *group);
void collective(const struct group *group);
void grid(const struct group *group);
void window(const struct group *group);
void file(const struct group *group);

/* Writes lines NAME OPENS READS WRITES BYTES_READ BYTES_WRITTEN to files.RANK. */
void write_known_files(int rank);

#endif
