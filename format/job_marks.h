/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks that several `heddle run` of a job's ranks share: empty files in the directory of a measurement, named by these
 * prefixes and the job's name (heddle_output.job, HEDDLE_JOB). The process that removes the first mark prints the
 * summary. Also, how one rank ends a job.
 */
#ifndef HEDDLE_FORMAT_JOB_MARKS_H
#define HEDDLE_FORMAT_JOB_MARKS_H

#define HEDDLE_JOB_PREFIX ".job-"     /* the summary is not printed yet */
#define HEDDLE_ENDED_PREFIX ".ended-" /* followed by "-" and a rank, too: it has ended */

/* Process.ended_by of a rank that ends all ranks of the job. */
#define HEDDLE_ENDED_BY_ABORT "MPI_Abort"
#define HEDDLE_ENDED_BY_ERROR "fatal MPI error"

#endif
