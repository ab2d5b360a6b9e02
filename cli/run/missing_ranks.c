/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A profile has its process's rank and the number of ranks. These do not distinguish several worlds: with more than
 * one, a rank occurs twice, or the numbers of ranks differ.
 */
#include "cli/run/missing_ranks.h"

#include "format/job_marks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS_MOST 16777216 /* limit, since a file may contain any number */
#define RANGES_SHOWN 8

struct world {
	uint32_t count; /* number of ranks; 0: unknown */
	bool *written;  /* by rank */
	bool mixed;     /* several worlds, or no memory */
	uint32_t ender; /* number plus 1 of a rank that ended all; 0: none is known */
	const char *how;
};

static void add_rank(struct world *world, uint32_t rank, uint32_t count)
{
	if (!world->written && count <= RANKS_MOST) {
		world->written = calloc(count, sizeof *world->written);
		world->count = count;
	}
	world->mixed |= !world->written || count != world->count || rank >= count || world->written[rank];
	if (!world->mixed)
		world->written[rank] = true;
}

/* Returns how a rank ended the others, from the end of its profile; NULL: it did not. */
static const char *ends_job(const char *ended_by)
{
	if (strcmp(ended_by, HEDDLE_ENDED_BY_ABORT) == 0)
		return "called MPI_Abort";
	return strcmp(ended_by, HEDDLE_ENDED_BY_ERROR) == 0 ? "had a fatal error" : NULL;
}

static void add_profile(struct world *world, const Heddle__Profile__Process *process)
{
	if (process->rank > 0)
		add_rank(world, process->rank - 1, process->ranks);
	if (process->rank > 0 && ends_job(process->ended_by)) {
		world->ender = process->rank;
		world->how = ends_job(process->ended_by);
	}
}

static uint32_t count_missing(const struct world *world)
{
	uint32_t missing = 0;
	for (uint32_t rank = 0; rank < world->count; rank++)
		missing += !world->written[rank];
	return missing;
}

/* Prints "0, 2 to 5, ...". */
static void print_missing(const struct world *world)
{
	unsigned shown = 0;
	for (uint32_t rank = 0; rank < world->count; rank++) {
		uint32_t first = rank;
		if (world->written[rank])
			continue;
		while (rank + 1 < world->count && !world->written[rank + 1])
			rank++;
		if (shown++ == RANGES_SHOWN) {
			fputs(", ...", stderr);
			return;
		}
		fprintf(stderr, "%s%u", shown > 1 ? ", " : "", first);
		if (rank > first)
			fprintf(stderr, "%s%u", rank == first + 1 ? ", " : " to ", rank);
	}
}

bool heddle__missing_ranks_say(const struct heddle_run_profiles *profiles)
{
	struct world world = {0};
	uint32_t missing;
	for (size_t i = 0; i < profiles->count; i++)
		if (profiles->items[i].process)
			add_profile(&world, profiles->items[i].process);
	missing = world.mixed ? 0 : count_missing(&world);
	if (missing > 0) {
		fprintf(stderr, "heddle: incomplete: rank%s ", missing > 1 ? "s" : "");
		print_missing(&world);
		fprintf(stderr, " of %u %s no profile: ", world.count, missing > 1 ? "have" : "has");
		if (world.ender > 0)
			fprintf(stderr, "rank %u %s, and the launcher killed %s", world.ender - 1, world.how,
				missing > 1 ? "them" : "it");
		else
			fputs("killed, or not measured", stderr);
		fputs("; `--flush-seconds N` writes profiles every N seconds, too\n", stderr);
	}
	free(world.written);
	return missing > 0;
}
