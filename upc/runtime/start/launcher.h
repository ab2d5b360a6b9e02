/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process learns that a launcher started it (job_environment.c), and connects to the launcher (job_open.c). */
#ifndef HEDDLE_UPC_RUNTIME_LAUNCHER_H
#define HEDDLE_UPC_RUNTIME_LAUNCHER_H

#include "upc/runtime/base/job.h"

/*
 * True if a launcher started this process as one of several (or one) ranks: from its environment alone. Reads rank and,
 * where the environment has it, size (else 0). Programs that ranks start are none. Context: also before constructors.
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

/* Gives the launcher time to print the last line, before this process ends or asks for the end of the job. */
void hupc__job_await_line(void);

/* A fence of it. Does not return when it fails: the launcher ends the job, or does not answer, which is reported. */
void hupc__job_meet(const struct hupc__job *job);

/* The client of PMI-1, in every program. NULL: `problem` is one line that says why. Context: main, once. */
const struct hupc__job *hupc__job_open_pmi1(char *problem, size_t size);

/*
 * What the plug-in for PMIx defines; the same, if the version is its own. Its threads block all signals. Context: main,
 * once.
 */
typedef const struct hupc__job *hupc__job_open_function(uint32_t version, char *problem, size_t problem_size);
hupc__job_open_function hupc_job_open;

#endif
