/* SPDX-License-Identifier: BSD-3-Clause */
/* How a process detects that a launcher started it (job_environment.c), and connects to the launcher (job_open.c). */
#ifndef HEDDLE_UPC_RUNTIME_LAUNCHER_H
#define HEDDLE_UPC_RUNTIME_LAUNCHER_H

#include "upc/runtime/base/job.h"

/*
 * Returns true if a launcher started this process as one of several ranks, or the only one, by its environment. Reads
 * the rank and, if the environment has it, the size (else 0). Programs that ranks start are not ranks. Context: also
 * before constructors.
 */
#define HUPC__JOB_TAKEN "HUPC_JOB_TAKEN" /* a variable that ranks set for the programs that they start */
bool hupc__job_is_rank(char **environment, int *rank, int *size);

/*
 * A name of the job that all ranks of a node compute equally, as does `heddle run` (cli/run/ranks.c): the number of the
 * launcher's process, if nothing better is known. Context: also before constructors.
 */
void hupc__job_name(char **environment, int rank, int size, char *name, size_t name_size);

/* Connects to the launcher. NULL: no launcher, or (after a message) it cannot be reached. Context: main, once. */
const struct hupc__job *hupc__job_open(void);

/* Waits until the launcher has had time to print the last line, before this process ends or requests the job's end. */
void hupc__job_await_line(void);

/* A fence of the job. Does not return on failure: the launcher ends the job, or does not answer, which is reported. */
void hupc__job_meet(const struct hupc__job *job);

/*
 * The client of PMI-1, in every program. NULL on failure; `problem` is then a line that says why. Context: main, once.
 */
const struct hupc__job *hupc__job_open_pmi1(char *problem, size_t size);

/*
 * The client of PMIx, which the plug-in defines: as hupc__job_open_pmi1, if the version is the plug-in's. Its threads
 * block all signals. Context: main, once.
 */
typedef const struct hupc__job *hupc__job_open_function(uint32_t version, char *problem, size_t problem_size);
hupc__job_open_function hupc_job_open;

#endif
