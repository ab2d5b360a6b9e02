/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See the header. Every wait is short: another rank may be on a machine with other files, and a launcher that ends the
 * ranks by SIGTERM kills them a second later. Who renames the job's mark prints the summary: one alone succeeds.
 */
#include "cli/run/companions.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ENDED ".ended-"
#define LOST ".lost-"
#define PATIENCE_MS 1500
#define PATIENCE_FAILED_MS 300
#define STEP_MS 5

/* The names of a job's files in its directory. */
struct names {
	char ended[sizeof ENDED + sizeof(((struct heddle_output *)NULL)->job)]; /* followed by the rank, as the next */
	char lost[sizeof LOST + sizeof(((struct heddle_output *)NULL)->job)];
	char *mark, *taken; /* absolute; NULL: no memory */
};

static struct names names_of(const struct heddle_output *output)
{
	struct names names = {.mark = heddle__output_mark(output)};
	snprintf(names.ended, sizeof names.ended, ENDED "%s-", output->job);
	snprintf(names.lost, sizeof names.lost, LOST "%s-", output->job);
	if (asprintf(&names.taken, "%s/.said-%s", output->absolute, output->job) < 0)
		names.taken = NULL;
	return names;
}

static void free_names(struct names *names)
{
	free(names->mark);
	free(names->taken);
}

static bool begins(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static void count(const struct heddle_output *output, const struct names *names, size_t *ended, size_t *lost)
{
	DIR *entries = opendir(output->absolute);
	struct dirent *entry;
	*ended = *lost = 0;
	while (entries && (entry = readdir(entries)) != NULL) {
		*ended += begins(entry->d_name, names->ended);
		*lost += begins(entry->d_name, names->lost);
	}
	if (entries)
		closedir(entries);
}

static void say_ended(const struct heddle_output *output, const char *prefix, size_t rank)
{
	char *path;
	if (asprintf(&path, "%s/%s%zu", output->absolute, prefix, rank) < 0)
		return;
	int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	if (descriptor >= 0)
		close(descriptor);
	free(path);
}

static bool is_open(const struct names *names)
{
	return names->mark && access(names->mark, F_OK) == 0;
}

/* Waits until all ranks have ended, or another one prints the summary. */
static void wait_for_all(const struct heddle_output *output, const struct names *names, size_t all, int patience_ms,
	struct heddle_companions *companions)
{
	struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
	size_t ended;
	count(output, names, &ended, &companions->lost);
	for (int waited = 0; waited < patience_ms && ended < all && is_open(names); waited += STEP_MS) {
		nanosleep(&step, NULL);
		count(output, names, &ended, &companions->lost);
	}
	companions->running = ended < all ? all - ended : 0;
}

static void wait_for_summary(const struct names *names, int patience_ms)
{
	struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
	for (int waited = 0; waited < patience_ms && (is_open(names) || access(names->taken, F_OK) == 0);
		waited += STEP_MS)
		nanosleep(&step, NULL);
}

/* Of the ranks that may print it, one does. */
static bool take_summary(const struct names *names)
{
	return names->taken && rename(names->mark, names->taken) == 0;
}

static bool meet(const struct heddle_output *output, const struct names *names, size_t rank, struct heddle_rank_end end,
	struct heddle_companions *companions)
{
	int patience_ms = end.failed ? PATIENCE_FAILED_MS : PATIENCE_MS;
	if (end.lost)
		say_ended(output, names->lost, rank);
	say_ended(output, names->ended, rank);
	wait_for_all(output, names, companions->count, patience_ms, companions);
	if (rank > 0 && companions->running == 0) /* rank 0 is about to */
		wait_for_summary(names, PATIENCE_FAILED_MS);
	if ((rank == 0 || end.failed) && take_summary(names))
		return true;
	wait_for_summary(names, PATIENCE_FAILED_MS);
	return false;
}

bool heddle__companions_end(const struct heddle_output *output, const struct heddle_ranks *ranks,
	struct heddle_rank_end end, struct heddle_companions *companions)
{
	struct names names = names_of(output);
	bool prints = false;
	*companions = (struct heddle_companions){.count = ranks->count, .rank = ranks->rank};
	if (is_open(&names)) /* else the summary was printed without this rank */
		prints = meet(output, &names, ranks->rank, end, companions);
	free_names(&names);
	return prints;
}

void heddle__companions_leave(const struct heddle_output *output)
{
	struct names names = names_of(output);
	DIR *entries = opendir(output->absolute);
	struct dirent *entry;
	while (entries && (entry = readdir(entries)) != NULL) {
		if (begins(entry->d_name, names.ended) || begins(entry->d_name, names.lost))
			unlinkat(dirfd(entries), entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
	if (names.taken)
		unlink(names.taken);
	free_names(&names);
	heddle__output_remove_if_empty(output);
}
