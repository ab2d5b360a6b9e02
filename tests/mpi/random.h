/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the random program share: choices, groups of ranks, and requests. */
#ifndef HEDDLE_TESTS_MPI_RANDOM_H
#define HEDDLE_TESTS_MPI_RANDOM_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "known.h"

#define ALL KNOWN_RANKS /* ranks at most */
#define MANY 24         /* requests at a time at most */
#define REGION 400000   /* bytes for each of them */

/* A communicator; of an intercommunicator both groups, else the same one twice. */
struct group {
	MPI_Comm comm;
	bool inter;
	int side, rank; /* this process's */
	int sizes[2];
	int world[2][ALL]; /* ranks in MPI_COMM_WORLD */
	bool shared;       /* by threads, each with tags of its own */
};

static inline int own_size(const struct group *group)
{
	return group->sizes[group->side];
}

static inline int other_size(const struct group *group)
{
	return group->sizes[!group->side];
}

/* The same in all members of a group, if they ask for the same. */
int pick(int below);
/* The process's own choice. */
int choose(int below);

/* The first of MANY tags that no other exchange of this communicator has: a rank may be ahead of others. */
int new_tag(void);

enum { CHARS, INTS, DOUBLES, SPREAD, MIXED, TYPES };
extern MPI_Datatype types[TYPES];
extern const int type_sizes[TYPES];

extern _Thread_local char *out, *in;

/* Requests, and what they bring. */
struct pending {
	int count;
	MPI_Request request[MANY];
	int partner[MANY]; /* in MPI_COMM_WORLD; negative: none */
	long long bytes[MANY];
	long long read[MANY]; /* of a file */
	bool persistent[MANY];
};

/* Adds a request; `partner` and `bytes`: of what it receives, -1 if nothing. Returns where it is to be put. */
MPI_Request *expect_request(struct pending *pending, int partner, long long bytes, bool persistent);
/* Completes all of them in some way, and frees those that are persistent. */
void complete(struct pending *pending);
/* The same of accesses to files. */
void complete_files(struct pending *pending);
void finish(MPI_Request *request);

/* Steps; all members of the group take part. */
void exchange(const struct group *group);
void blocking(const struct group *group);
void cancel(const struct group *group);
void partitioned(const struct group *group);
void collective(const struct group *group);
void grid(const struct group *group);
void window(const struct group *group);
void file(const struct group *group);

/* Lines NAME OPENS READS WRITES BYTES_READ BYTES_WRITTEN go to files.RANK. */
void write_known_files(int rank);

#endif
