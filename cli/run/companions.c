/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See the header. Every wait is short: another rank may be on a machine with other files, and a launcher that ends the
 * ranks by SIGTERM kills them a second later. The rank that renames the job's mark prints the summary, since only one
 * rename succeeds. This rank then sets a time, by a symbolic link, at which all ranks end: MPICH's launcher kills the
 * running ones when one ends.
 */
#include "cli/run/companions.h"

#include "format/job_marks.h"
#include "format/kernel_clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define ENDED HEDDLE_ENDED_PREFIX
#define LOST ".lost-"
#define END ".end-"
#define PATIENCE_MS 1500
#define PATIENCE_FAILED_MS 300
#define STEP_MS 5
#define NOTICE_MS 25 /* time for all other ranks to see the time of the end */
#define TIDYING_MS 2
#define NS_PER_MS UINT64_C(1000000)

/* The names of a job's files in its directory. */
struct names {
	char ended[sizeof ENDED + sizeof(((struct heddle_output *)NULL)->job)]; /* followed by the rank, as `lost` is */
	char lost[sizeof LOST + sizeof(((struct heddle_output *)NULL)->job)];
	char *mark, *taken, *end; /* absolute; NULL: no memory */
};

static struct names names_of(const struct heddle_output *output)
{
	struct names names = {.mark = heddle__output_mark(output)};
	snprintf(names.ended, sizeof names.ended, ENDED "%s-", output->job);
	snprintf(names.lost, sizeof names.lost, LOST "%s-", output->job);
	if (asprintf(&names.taken, "%s/.said-%s", output->absolute, output->job) < 0)
		names.taken = NULL;
	if (asprintf(&names.end, "%s/" END "%s", output->absolute, output->job) < 0)
		names.end = NULL;
	return names;
}

static void free_names(struct names *names)
{
	free(names->mark);
	free(names->taken);
	free(names->end);
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

/* Returns the path of a rank's file, or NULL. */
static char *file_of(const struct heddle_output *output, const char *prefix, size_t rank)
{
	char *path;
	return asprintf(&path, "%s/%s%zu", output->absolute, prefix, rank) < 0 ? NULL : path;
}

static void say_ended(const struct heddle_output *output, const char *prefix, size_t rank)
{
	char *path = file_of(output, prefix, rank);
	if (!path)
		return;
	int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	if (descriptor >= 0)
		close(descriptor);
	free(path);
}

static void take_back(const struct heddle_output *output, const char *prefix, size_t rank)
{
	char *path = file_of(output, prefix, rank);
	if (path)
		unlink(path);
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

static void sleep_until(uint64_t ns)
{
	struct timespec time = {(time_t)(ns / (1000 * NS_PER_MS)), (long)(ns % (1000 * NS_PER_MS))};
	prctl(PR_SET_TIMERSLACK, 1);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

/*
 * Returns the time that the summary's rank set, by this machine's clock; 0: none yet, or that rank is on another
 * machine.
 */
static uint64_t time_of_end(const struct names *names)
{
	char text[24];
	ssize_t length = names->end ? readlink(names->end, text, sizeof text - 1) : -1;
	uint64_t now = heddle__kernel_clock_ns(CLOCK_MONOTONIC), ns;
	text[length > 0 ? length : 0] = '\0';
	ns = strtoull(text, NULL, 10);
	return ns > now && ns - now <= NOTICE_MS * NS_PER_MS ? ns : 0;
}

static void wait_for_summary(const struct names *names, int patience_ms)
{
	struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
	uint64_t end = 0;
	for (int waited = 0; waited < patience_ms && (is_open(names) || access(names->taken, F_OK) == 0);
		waited += STEP_MS) {
		if ((end = time_of_end(names)) != 0)
			break;
		nanosleep(&step, NULL);
	}
	if (end == 0) /* set while this rank slept */
		end = time_of_end(names);
	if (end != 0) {
		sleep_until(end);
		unlink(names->end); /* the launcher may have killed the rank that made it */
	}
}

/* Sets the time at which all ranks end, and returns it; 0: failed. */
static uint64_t give_time_of_end(const struct names *names)
{
	uint64_t end = heddle__kernel_clock_ns(CLOCK_MONOTONIC) + NOTICE_MS * NS_PER_MS;
	char text[24];
	snprintf(text, sizeof text, "%" PRIu64, end);
	return names->end && symlink(text, names->end) == 0 ? end : 0;
}

/* Returns true for the one rank that prints the summary. */
static bool take_summary(const struct names *names)
{
	return names->taken && rename(names->mark, names->taken) == 0;
}

static bool meet(const struct heddle_output *output, const struct names *names, size_t rank, struct heddle_rank_end end,
	struct heddle_companions *companions)
{
	int patience_ms = end.failed && !end.interrupted ? PATIENCE_FAILED_MS : PATIENCE_MS;
	if (end.lost)
		say_ended(output, names->lost, rank);
	say_ended(output, names->ended, rank);
	wait_for_all(output, names, companions->count, patience_ms, companions);
	if (rank > 0 && companions->running == 0) /* rank 0 is about to print it */
		wait_for_summary(names, patience_ms);
	if ((rank == 0 || end.failed) && take_summary(names))
		return true;
	wait_for_summary(names, patience_ms);
	if (!is_open(names)) { /* the summary's rank may have removed these files before this rank made its own */
		take_back(output, names->ended, rank);
		take_back(output, names->lost, rank);
	}
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
	uint64_t end = give_time_of_end(&names);
	if (names.taken)
		unlink(names.taken);
	if (end != 0) { /* the launcher may kill this rank meanwhile */
		sleep_until(end - TIDYING_MS * NS_PER_MS);
		unlink(names.end);
	}
	free_names(&names);
	heddle__output_remove_if_empty(output);
	if (end != 0)
		sleep_until(end);
}
