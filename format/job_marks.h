/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Empty files in the directory of a measurement that several `heddle run` share, as ranks of a job: the job's name
 * follows (heddle_output.job, HEDDLE_JOB). Whoever removes the first one prints the summary.
 */
#ifndef HEDDLE_FORMAT_JOB_MARKS_H
#define HEDDLE_FORMAT_JOB_MARKS_H

#define HEDDLE_JOB_PREFIX ".job-"     /* the summary is not printed yet */
#define HEDDLE_ENDED_PREFIX ".ended-" /* followed by "-" and a rank, too: it has ended */

#endif
