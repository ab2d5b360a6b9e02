/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes of one command that work together, started by mpirun or srun. They take their rank from the
 * environment and meet in a directory of a shared file system. So the command needs no MPI library (it would have to be
 * mpirun's), and works under any MPI.
 */
#ifndef HEDDLE_CLI_RANKS_H
#define HEDDLE_CLI_RANKS_H

#include <stdbool.h>
#include <stddef.h>

struct heddle_ranks {
	size_t rank, count;
	bool launched;       /* by mpirun or srun, perhaps as the only rank */
	char *directory;     /* where they meet */
	const char *command; /* "merge", for messages */
};

/* Alone (count 1) when nothing says otherwise. Returns false, having said why, for numbers that make no sense. */
bool heddle__ranks_detect(struct heddle_ranks *ranks);

/*
 * A name of the job that each rank of a node derives alike, and the UPC run-time system as well
 * (upc/runtime/start/job_environment.c): the number of the launcher's process, where nothing better is known.
 */
void heddle__ranks_job(const struct heddle_ranks *ranks, char *name, size_t size);

/* Meets the other ranks in `directory`, which rank 0 makes. 0, or an exit status after a line: the directory exists. */
int heddle__ranks_meet(struct heddle_ranks *ranks, const char *directory);

/* The name of the file that a rank leaves for others; free() it; NULL: no memory. */
char *heddle__ranks_file(const struct heddle_ranks *ranks, const char *what, size_t rank);

/* Waits until another rank has left a file. False, after a line: a rank failed, or no file came within an hour. */
bool heddle__ranks_wait(const struct heddle_ranks *ranks, const char *path);

/* Notifies the other ranks that this one gave up. */
void heddle__ranks_fail(const struct heddle_ranks *ranks);

/* Rank 0, when all is done: removes the directory with what is in it. */
void heddle__ranks_clean(const struct heddle_ranks *ranks);
void heddle__ranks_free(struct heddle_ranks *ranks);

#endif
