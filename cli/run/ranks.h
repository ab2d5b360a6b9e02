/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes of one command that cooperate, started by mpirun or srun. They read their rank from the environment
 * and communicate by files in a directory of a shared file system. So the command needs no MPI library (it would have
 * to be that of mpirun), and works with any MPI.
 */
#ifndef HEDDLE_CLI_RANKS_H
#define HEDDLE_CLI_RANKS_H

#include <stdbool.h>
#include <stddef.h>

struct heddle_ranks {
	size_t rank, count;
	bool launched;       /* by mpirun or srun, perhaps as the only rank */
	char *directory;     /* for files that ranks exchange */
	const char *command; /* "merge", for messages */
};

/*
 * Without information, a process is alone (count 1). Returns false, after printing the reason, for impossible numbers.
 */
bool heddle__ranks_detect(struct heddle_ranks *ranks);

/*
 * Makes a name of the job that each rank of a node derives in the same way, as does the UPC run-time system
 * (upc/runtime/start/job_environment.c): the process id of the launcher, if nothing better is known.
 */
void heddle__ranks_job(const struct heddle_ranks *ranks, char *name, size_t size);

/*
 * Waits for the other ranks in `directory`, which rank 0 makes. Returns 0, or an exit status: the directory exists or
 * cannot be made, after a line of rank 0, or a rank did not come within ten minutes.
 */
int heddle__ranks_meet(struct heddle_ranks *ranks, const char *directory);

/* Returns the name of the file that a rank leaves for others; free() it; NULL: no memory. */
char *heddle__ranks_file(const struct heddle_ranks *ranks, const char *what, size_t rank);

/*
 * Waits until another rank has left a file. Returns false if a rank failed, which printed why, or after a line if there
 * is no file within an hour.
 */
bool heddle__ranks_wait(const struct heddle_ranks *ranks, const char *path);

/* Notifies the other ranks that this one failed, after a line. */
void heddle__ranks_fail(const struct heddle_ranks *ranks);

/* Removes the directory with its files. Called by rank 0 when all is done. */
void heddle__ranks_clean(const struct heddle_ranks *ranks);
void heddle__ranks_free(struct heddle_ranks *ranks);

#endif
