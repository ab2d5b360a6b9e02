/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A parallel job that a launcher started: mpirun or srun created one process for each UPC thread. The processes
 * communicate with the launcher by PMI-1 (MPICH's Hydra, Slurm) or PMIx (Open MPI, Slurm).
 */
#ifndef HEDDLE_UPC_RUNTIME_JOB_H
#define HEDDLE_UPC_RUNTIME_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HUPC__JOB_VERSION 1

/*
 * A protocol to communicate with launchers. Keys and values are text without blanks, '=' and ';', of at most 40 and 200
 * characters.
 */
struct hupc__job {
	uint32_t version; /* HUPC__JOB_VERSION */
	const char *name; /* "PMI-1" or "PMIx", for messages */
	int rank, size;

	/* Publishes a value; other processes can read it after the next `fence`. */
	bool (*put)(const char *key, const char *value);

	/* A barrier of all processes, after which they can read what others published. Context: main thread. */
	bool (*fence)(void);

	/* Gets the value of a key that `rank` published; false: none. Context: any thread, one at a time. */
	bool (*get)(int rank, const char *key, char *value, size_t size);

	/* Notifies the launcher that this process ends normally. Takes at most 2 s. Context: any, also signal; once. */
	void (*finalize)(void);

	/* Ends all processes of the job with that status. May return, after at most 2 s. Context: any, also signal. */
	void (*abort)(int status, const char *why);

	/* Returns false if the launcher is known to have ended. Context: any, also signal. */
	bool (*alive)(void);
};

/* The connection to the launcher, in a rank that has joined its job; otherwise NULL. */
extern const struct hupc__job *hupc__job;

/*
 * Returns true if the program has called MPI_Init and not yet MPI_Finalize: MPI then uses the connection to the
 * launcher, too. Context: any, also signal; after hupc__job_find_mpi.
 */
bool hupc__job_has_mpi(void);

/*
 * Returns true if the program has called MPI_Init: MPI_Finalize may end the connection, although the job continues.
 * Context: any, also signal; after hupc__job_find_mpi.
 */
bool hupc__job_had_mpi(void);

/* Searches the process for an MPI library. Context: main, once. */
void hupc__job_find_mpi(void);

#endif
