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

	/* Tells the launcher that this process ends as it should. Takes 2 s at most. Context: any, also signal; once.
	 */
	void (*finalize)(void);

	/* Ends all processes of the job with that status. May return, within 2 s. Context: any, also signal. */
	void (*abort)(int status, const char *why);

	/* Whether the launcher is still there, as far as is known. Context: any, also signal. */
	bool (*alive)(void);
};

/*
 * Whether a launcher started this process as one of several (or one) ranks: from its environment alone. Reads rank and,
 * where the environment tells it, size (else 0). Programs that ranks start are none. Context: also before constructors.
 */
#define HUPC__JOB_TAKEN "HUPC_JOB_TAKEN" /* a variable that ranks set for the programs that they start */
bool hupc__job_is_rank(char **environment, int *rank, int *size);

/*
 * A name of the job that each rank of a node derives alike, and `heddle run` as well (cli/run/ranks.c): the number of
 * the launcher's process, where nothing better is known. Context: also before constructors.
 */
void hupc__job_name(char **environment, int rank, int size, char *name, size_t name_size);

/* Connects to the launcher; NULL: no launcher, or (after a message) none that can be reached. Context: main, once. */
const struct hupc__job *hupc__job_open(void);

/* The client of PMI-1, in every program. NULL: `problem` is one line that says why. Context: main, once. */
const struct hupc__job *hupc__job_open_pmi1(char *problem, size_t size);

/*
 * What the plug-in for PMIx defines; the same, if the version is its own. Its threads block all signals. Context: main,
 * once.
 */
typedef const struct hupc__job *hupc__job_open_function(uint32_t version, char *problem, size_t problem_size);
hupc__job_open_function hupc_job_open;

/*
 * Whether the program has called MPI_Init and not yet MPI_Finalize: then the connection to the launcher is MPI's, too.
 * Context: any, also signal; after hupc__job_open.
 */
bool hupc__job_has_mpi(void);

#endif
