/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How one rank ends a job, and what several `heddle run` of its ranks share: empty files in the directory of a
 * measurement. The job's name follows (heddle_output.job, HEDDLE_JOB). Whoever removes the first one prints the
 * summary.
 */
#ifndef HEDDLE_FORMAT_JOB_MARKS_H
#define HEDDLE_FORMAT_JOB_MARKS_H

#define HEDDLE_JOB_PREFIX ".job-"     /* the summary is not printed yet */
#define HEDDLE_ENDED_PREFIX ".ended-" /* followed by "-" and a rank, too: it has ended */

/* Process.ended_by of a rank that ends all ranks of the job. */
#define HEDDLE_ENDED_BY_ABORT "MPI_Abort"
#define HEDDLE_ENDED_BY_ERROR "fatal MPI error"

#endif
