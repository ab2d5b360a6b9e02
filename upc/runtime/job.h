/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A parallel job that a launcher started: mpirun or srun made one process for each UPC thread. The processes find each
 * other through the launcher, by PMI-1 (MPICH's Hydra, Slurm) or PMIx (Open MPI, Slurm).
 */
#ifndef HEDDLE_UPC_RUNTIME_JOB_H
#define HEDDLE_UPC_RUNTIME_JOB_H

#include <stdbool.h>
#include <stddef.h>

/* One way of talking to launchers. Keys and values are text without blanks, '=' and ';'. */
struct hupc__job {
	const char *name; /* "PMI-1" or "PMIx", for messages */
	int rank, size;

	/* Publishes a value; others see it after the next `fence`. */
	bool (*put)(const char *key, const char *value);

	/* A barrier of all processes that exchanges what they published. Context: main thread. */
	bool (*fence)(void);

	/* The value of a key that `rank` published; false: none. Context: any thread, one at a time. */
	bool (*get)(int rank, const char *key, char *value, size_t size);

	/* Tells the launcher that this process ends as it should. Context: any thread; once. */
	void (*finalize)(void);

	/* Ends all processes of the job with that status. May return. Context: any thread. */
	void (*abort)(int status, const char *why);
};

/*
 * Whether a launcher started this process as one of several (or one) ranks: from its environment alone. Reads rank and,
 * where the environment tells it, size (else 0). Context: also before constructors.
 */
bool hupc__job_is_rank(char **environment, int *rank, int *size);

/* Connects to the launcher; NULL: no launcher, or (after a message) none that can be reached. Context: main, once. */
const struct hupc__job *hupc__job_open(void);

#endif
