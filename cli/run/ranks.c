/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks exchange files in a shared directory and poll for them. No MPI call is made here. */
#include "cli/run/ranks.h"

#include "cli/base/exit_status.h"
#include "format/kernel_clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_SECONDS 3600
#define MEETING_SECONDS 600 /* between the starts of the first and the last rank */

/*
 * Variables with a process's rank and the number of ranks. Slurm sets SLURM_NTASKS in batch scripts, too, where a
 * command runs alone; only srun sets the number of tasks of a step.
 */
static const struct {
	const char *rank, *count;
} variables[] = {
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI */
	{"PMI_RANK", "PMI_SIZE"},                         /* MPICH, Intel MPI, Cray MPICH */
	{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},   /* MVAPICH */
	{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},         /* srun */
};

static bool read_number(const char *text, size_t *number)
{
	char *end;
	errno = 0;
	unsigned long value = strtoul(text, &end, 10);
	*number = value;
	return errno == 0 && end != text && *end == '\0' && *text != '-' && value <= 1000000;
}

bool heddle__ranks_detect(struct heddle_ranks *ranks)
{
	*ranks = (struct heddle_ranks){.count = 1, .command = "merge"};
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *rank = getenv(variables[i].rank), *count = getenv(variables[i].count);
		if (!rank || !count)
			continue;
		ranks->launched = true;
		if (read_number(rank, &ranks->rank) && read_number(count, &ranks->count) && ranks->rank < ranks->count)
			return true;
		fprintf(stderr, "heddle: %s=%s and %s=%s don't fit: unset both, or start by mpirun\n",
			variables[i].rank, rank, variables[i].count, count);
		return false;
	}
	return true;
}

static bool is_step_of_slurm(const struct heddle_ranks *ranks)
{
	const char *rank = getenv("SLURM_PROCID"), *count = getenv("SLURM_STEP_NUM_TASKS");
	size_t number;
	return getenv("SLURM_JOB_ID") && getenv("SLURM_STEP_ID") && rank && read_number(rank, &number) &&
	       number == ranks->rank && count && read_number(count, &number) && number == ranks->count;
}

void heddle__ranks_job(const struct heddle_ranks *ranks, char *name, size_t size)
{
	const char *space = getenv("PMIX_NAMESPACE");
	if (space && *space != '\0')
		snprintf(name, size, "%s", space);
	else if (is_step_of_slurm(ranks))
		snprintf(name, size, "%s.%s", getenv("SLURM_JOB_ID"), getenv("SLURM_STEP_ID"));
	else
		snprintf(name, size, "%ld", (long)getppid());
	for (; *name != '\0'; name++) {
		if (*name == '/')
			*name = '_';
	}
}

static bool others_wait(const struct heddle_ranks *ranks)
{
	return ranks->directory && ranks->count > 1;
}

/*
 * Opening the directory refreshes a network file system's cache, which may otherwise not show a new file for a long
 * time. Returns false if it does not exist.
 */
static bool refresh(const char *directory)
{
	DIR *open = opendir(directory);
	if (open)
		closedir(open);
	return open || (errno != ENOENT && errno != ENOTDIR && errno != ESTALE);
}

static bool is_there(const struct heddle_ranks *ranks, const char *what, size_t rank)
{
	char *path = heddle__ranks_file(ranks, what, rank);
	bool found = path && access(path, F_OK) == 0;
	free(path);
	return found;
}

/* What ends a wait. The rank that failed has printed why. */
enum wait_end {
	WAIT_FOUND,
	WAIT_OTHER_FAILED,
	WAIT_TIMED_OUT,
};

/* While the ranks meet, a file of rank 0 can refuse them; later one of another job's rank 0, which is ignored. */
static enum wait_end wait_for(
	const struct heddle_ranks *ranks, const char *directory, const char *path, bool meeting, int seconds)
{
	struct timespec nap = {.tv_nsec = 2000000};
	uint64_t until = heddle__kernel_clock_ns(CLOCK_MONOTONIC) + (uint64_t)seconds * UINT64_C(1000000000);
	while (heddle__kernel_clock_ns(CLOCK_MONOTONIC) < until) {
		bool exists = refresh(directory);
		if (access(path, F_OK) == 0)
			return WAIT_FOUND;
		if (!exists || is_there(ranks, "failed", 0) || (meeting && is_there(ranks, "refused", 0)))
			return WAIT_OTHER_FAILED;
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < 100000000)
			nap.tv_nsec += nap.tv_nsec / 4;
	}
	return WAIT_TIMED_OUT;
}

static enum wait_end complain_late(const struct heddle_ranks *ranks, const char *path, enum wait_end end)
{
	if (end == WAIT_TIMED_OUT)
		fprintf(stderr,
			"heddle: %s: rank %zu: timed out waiting for %s: another rank failed or never started\n",
			ranks->command, ranks->rank, path);
	return end;
}

bool heddle__ranks_wait(const struct heddle_ranks *ranks, const char *path)
{
	return complain_late(ranks, path, wait_for(ranks, ranks->directory, path, false, PATIENCE_SECONDS)) ==
	       WAIT_FOUND;
}

/* Creates an empty file for the others. Returns 0 or a negative errno: -EEXIST if it exists. */
static int leave_file(const struct heddle_ranks *ranks, const char *what, size_t rank)
{
	char *path = heddle__ranks_file(ranks, what, rank);
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
	int error = fd >= 0 ? 0 : path ? -errno : -ENOMEM;
	if (fd >= 0)
		close(fd);
	free(path);
	return error;
}

static int complain_directory(const struct heddle_ranks *ranks, int error)
{
	const char *command = ranks->command, *directory = ranks->directory;
	if (error == EEXIST)
		fprintf(stderr,
			"heddle: %s: can't make %s: it exists: another %s is at work, or it was left by one that "
			"failed: remove it\n",
			command, directory, command);
	else
		fprintf(stderr, "heddle: %s: can't make %s: %s: choose another place with -o FILE\n", command,
			directory, strerror(error));
	return HEDDLE_EXIT_OUTPUT;
}

/* Files in the directory are read, and may be executed: no other user may have made it, or be able to write to it. */
static bool is_own(const char *directory)
{
	struct stat status;
	return lstat(directory, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int complain_owner(const struct heddle_ranks *ranks)
{
	fprintf(stderr, "heddle: %s: rank %zu: %s is no directory of this user, or others may write to it: remove it\n",
		ranks->command, ranks->rank, ranks->directory);
	return HEDDLE_EXIT_FAILED;
}

/* ---- how ranks meet ---- */

static enum wait_end meet_by(const struct heddle_ranks *ranks, const char *what, size_t rank)
{
	char *path = heddle__ranks_file(ranks, what, rank);
	enum wait_end end = WAIT_TIMED_OUT;
	if (path)
		end = complain_late(ranks, path, wait_for(ranks, ranks->directory, path, true, MEETING_SECONDS));
	free(path);
	return end;
}

static int make_directory(const struct heddle_ranks *ranks)
{
	if (mkdir(ranks->directory, 0700) == 0)
		return 0;
	int error = errno;
	if (error == EEXIST && is_own(ranks->directory))
		leave_file(ranks, "refused", 0);
	return complain_directory(ranks, error);
}

/*
 * Rank 0 makes the directory, each other rank leaves a file in it, and then rank 0 one that names their number. If the
 * directory is another job's, or was left by one, then either this rank's file exists there, or that of rank 0 for as
 * many ranks does not: rank 0 leaves one that refuses. A job at work ignores that file.
 */
static int gather(const struct heddle_ranks *ranks)
{
	enum wait_end end = WAIT_FOUND;
	int error = 0, status = make_directory(ranks);
	if (status)
		return status;
	for (size_t rank = 1; end == WAIT_FOUND && rank < ranks->count; rank++)
		end = meet_by(ranks, "rank", rank);
	if (end == WAIT_FOUND && !is_own(ranks->directory))
		return complain_owner(ranks);
	if (end == WAIT_FOUND)
		error = leave_file(ranks, "started", ranks->count);
	if (end == WAIT_FOUND && !error)
		return 0;
	heddle__ranks_fail(ranks);
	return error ? complain_directory(ranks, -error) : HEDDLE_EXIT_FAILED;
}

/*
 * Without the directory, rank 0 has no place to report that it could not make it. What prevents it, such as a full
 * disk, most likely prevents this rank from making one beside it.
 */
static bool can_be_made(const struct heddle_ranks *ranks)
{
	char *trial;
	if (asprintf(&trial, "%s-%zu", ranks->directory, ranks->rank) < 0)
		return false;
	bool made = mkdir(trial, 0700) == 0 || errno == EEXIST;
	if (made)
		rmdir(trial);
	free(trial);
	return made;
}

static enum wait_end find_directory(const struct heddle_ranks *ranks)
{
	char *copy = strdup(ranks->directory), *parent = copy ? dirname(copy) : NULL;
	enum wait_end end = WAIT_TIMED_OUT;
	for (int tried = 0; copy && end == WAIT_TIMED_OUT && tried < MEETING_SECONDS; tried++) {
		end = wait_for(ranks, parent, ranks->directory, true, 1);
		if (end == WAIT_TIMED_OUT && !can_be_made(ranks))
			end = WAIT_OTHER_FAILED;
	}
	free(copy);
	return complain_late(ranks, ranks->directory, end);
}

static int join(const struct heddle_ranks *ranks)
{
	enum wait_end end = find_directory(ranks);
	if (end == WAIT_FOUND && !is_own(ranks->directory))
		return complain_owner(ranks);
	int error = end == WAIT_FOUND ? leave_file(ranks, "rank", ranks->rank) : 0;
	if (error == -EEXIST || error == -ENOENT) /* not this job's directory, or one that another rank removed */
		return HEDDLE_EXIT_OUTPUT;
	if (error) {
		heddle__ranks_fail(ranks);
		return complain_directory(ranks, -error);
	}
	if (end == WAIT_FOUND)
		end = meet_by(ranks, "started", ranks->count);
	return end == WAIT_FOUND ? 0 : end == WAIT_OTHER_FAILED ? HEDDLE_EXIT_OUTPUT : HEDDLE_EXIT_FAILED;
}

int heddle__ranks_meet(struct heddle_ranks *ranks, const char *directory)
{
	ranks->directory = strdup(directory);
	if (!ranks->directory)
		return HEDDLE_EXIT_FAILED;
	if (ranks->count == 1)
		return 0;
	int status = ranks->rank == 0 ? gather(ranks) : join(ranks);
	if (status) {
		free(ranks->directory);
		ranks->directory = NULL;
	}
	return status;
}

char *heddle__ranks_file(const struct heddle_ranks *ranks, const char *what, size_t rank)
{
	char *path;
	return asprintf(&path, "%s/%s-%zu", ranks->directory, what, rank) < 0 ? NULL : path;
}

void heddle__ranks_clean(const struct heddle_ranks *ranks)
{
	struct dirent *entry;
	DIR *directory = others_wait(ranks) ? opendir(ranks->directory) : NULL;
	while (directory && (entry = readdir(directory)) != NULL)
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(directory), entry->d_name, 0);
	if (!directory)
		return;
	closedir(directory);
	rmdir(ranks->directory);
}

/* On a full disk no file can be created, but the directory can be removed. */
void heddle__ranks_fail(const struct heddle_ranks *ranks)
{
	int error = others_wait(ranks) ? leave_file(ranks, "failed", 0) : 0;
	if (error && error != -EEXIST)
		heddle__ranks_clean(ranks);
}

void heddle__ranks_free(struct heddle_ranks *ranks)
{
	free(ranks->directory);
}
