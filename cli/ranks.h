/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes of one command that work together: started by mpirun or srun, they know their number from the
 * environment and meet in a directory of a file system that all see. So the command needs no MPI library, which would
 * have to be the one that mpirun belongs to, and works under any.
 */
#ifndef HEDDLE_CLI_RANKS_H
#define HEDDLE_CLI_RANKS_H

#include <stdbool.h>
#include <stddef.h>

struct heddle_ranks {
	size_t rank, count;
	char *directory; /* where they meet */
};

/* Alone (count 1) when nothing says otherwise. Returns false, having said why, for numbers that make no sense. */
bool heddle__ranks_detect(struct heddle_ranks *ranks);

/*
 * Meets the others in `directory`, which rank 0 makes. 0, or an exit status, having said why: the directory is there
 * already.
 */
int heddle__ranks_meet(struct heddle_ranks *ranks, const char *directory);

/* The name of what a rank leaves for others; free() it; NULL: no memory. */
char *heddle__ranks_file(const struct heddle_ranks *ranks, const char *what, size_t rank);

/* Waits until another has left a file. False: some rank failed, or none came in an hour; that is said. */
bool heddle__ranks_wait(const struct heddle_ranks *ranks, const char *path);

/* Lets the others know that this rank gave up. */
void heddle__ranks_fail(const struct heddle_ranks *ranks);

/* Rank 0, when all is done: removes the directory with what is in it. */
void heddle__ranks_clean(const struct heddle_ranks *ranks);
void heddle__ranks_free(struct heddle_ranks *ranks);

#endif
