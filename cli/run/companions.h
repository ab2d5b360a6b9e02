/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several `heddle run` that a launcher started, for one measurement: one of them, most often that of rank 0, prints
 * the summary when all have ended. They notify each other by files in the measurement's directory.
 */
#ifndef HEDDLE_CLI_COMPANIONS_H
#define HEDDLE_CLI_COMPANIONS_H

#include "cli/output.h"
#include "cli/run/ranks.h"

/* What of the other ranks is known when one prints the summary. */
struct heddle_companions {
	size_t count;   /* of all ranks; 1: alone */
	size_t rank;    /* this one */
	size_t running; /* they had not ended */
	size_t lost;    /* they ended, perhaps this one too, and left no profile */
};

/* What became of the program of this rank. */
struct heddle_rank_end {
	bool failed;      /* launchers end the others then, some of them at once */
	bool interrupted; /* by SIGINT, as all are: they end by themselves, unless one ends before them */
	bool lost;        /* it left no profile */
};

/*
 * The program of this rank has ended. Returns whether this is the one that prints the summary: rank 0, or the first
 * rank that failed if rank 0 does not soon, which may then not live to do it. The others return when the summary is
 * printed, at the same time as the rank that printed it, or after a moment. Fills *companions.
 */
bool heddle__companions_end(const struct heddle_output *output, const struct heddle_ranks *ranks,
	struct heddle_rank_end end, struct heddle_companions *companions);

/* The summary is printed: sets the time at which all ranks end, and returns at that time. */
void heddle__companions_leave(const struct heddle_output *output);

#endif
