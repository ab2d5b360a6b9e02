/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A parallel job that a launcher started: mpirun or srun made one process for each UPC thread. The processes find each
 * other through the launcher, by PMI-1 (MPICH's Hydra, Slurm) or PMIx (Open MPI, Slurm).
 */
#ifndef HEDDLE_UPC_RUNTIME_JOB_H
#define HEDDLE_UPC_RUNTIME_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HUPC__JOB_VERSION 1

/*
 * One way of talking to launchers. Keys and values are text without blanks, '=' and ';', of at most 40 and 200
 * characters.
 */
struct hupc__job {
	uint32_t version; /* HUPC__JOB_VERSION */
	const char *name; /* "PMI-1" or "PMIx", for messages */
	int rank, size;

	/* Publishes a value; others see it after the next `fence`. */
	bool (*put)(const char *key, const char *value);

	/* A barrier of all processes that exchanges what they published. Context: main thread. */
	bool (*fence)(void);

	/* The value of a key that `rank` published; false: none. Context: any thread, one at a time. */
	bool (*get)(int rank, const char *key, char *value, size_t size);

	/* Notifies the launcher that this process ends as it should. Takes 2 s at most. Context: any, also signal;
	 * once.
	 */
	void (*finalize)(void);

	/* Ends all processes of the job with that status. May return, within 2 s. Context: any, also signal. */
	void (*abort)(int status, const char *why);

	/* Whether the launcher is still there, as far as is known. Context: any, also signal. */
	bool (*alive)(void);
};

/* The connection to the launcher, of a rank that has joined its job; else NULL. */
extern const struct hupc__job *hupc__job;

/*
 * True if the program has called MPI_Init and not yet MPI_Finalize: then the connection to the launcher is MPI's, too.
 * Context: any, also signal; after hupc__job_find_mpi.
 */
bool hupc__job_has_mpi(void);

/* True if it has called MPI_Init: the connection may end in MPI_Finalize, and the job goes on. Context: as above. */
bool hupc__job_had_mpi(void);

/* Looks for an MPI library in the process. Context: main, once. */
void hupc__job_find_mpi(void);

#endif
