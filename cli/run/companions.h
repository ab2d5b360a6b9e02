/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes of `heddle run` that a launcher started for one measurement. One of them, usually that of rank 0,
 * prints the summary when all have ended. They notify each other by files in the measurement's directory.
 */
#ifndef HEDDLE_CLI_COMPANIONS_H
#define HEDDLE_CLI_COMPANIONS_H

#include "cli/output.h"
#include "cli/run/ranks.h"

/* What is known about the other ranks when one prints the summary. */
struct heddle_companions {
	size_t count;   /* number of ranks; 1: alone */
	size_t rank;    /* this one */
	size_t running; /* ranks that had not ended */
	size_t lost;    /* ranks that ended without a profile, perhaps including this one */
};

/* How the program of this rank ended. */
struct heddle_rank_end {
	bool failed;      /* launchers then end the other ranks, some of them at once */
	bool interrupted; /* by SIGINT, as all ranks are: each ends by itself, unless one ends before it */
	bool lost;        /* without a profile */
};

/*
 * Called when the program of this rank has ended. Returns true if this rank prints the summary: rank 0, or the first
 * rank that failed if rank 0 does not print it soon, since rank 0 may not live to do so. The other ranks return when
 * the summary is printed, at the same time as the rank that printed it, or after a moment. Fills *companions.
 */
bool heddle__companions_end(const struct heddle_output *output, const struct heddle_ranks *ranks,
	struct heddle_rank_end end, struct heddle_companions *companions);

/* Called when the summary is printed: sets the time at which all ranks end, and returns at that time. */
void heddle__companions_leave(const struct heddle_output *output);

#endif
