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
 * time.
 */
static bool is_there(const char *directory, const char *path)
{
	DIR *open = opendir(directory);
	if (open)
		closedir(open);
	return access(path, F_OK) == 0;
}

static bool wait_for(const struct heddle_ranks *ranks, const char *directory, const char *path)
{
	char *failed = heddle__ranks_file(ranks, "failed", 0);
	struct timespec nap = {.tv_nsec = 2000000};
	uint64_t until = heddle__kernel_clock_ns(CLOCK_MONOTONIC) + PATIENCE_SECONDS * UINT64_C(1000000000);
	bool found = false;
	while (failed && heddle__kernel_clock_ns(CLOCK_MONOTONIC) < until) {
		found = is_there(directory, path);
		if (found || access(failed, F_OK) == 0)
			break;
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < 100000000)
			nap.tv_nsec += nap.tv_nsec / 4;
	}
	free(failed);
	if (!found)
		fprintf(stderr,
			"heddle: %s: rank %zu: timed out waiting for %s: another rank failed or never started\n",
			ranks->command, ranks->rank, path);
	return found;
}

bool heddle__ranks_wait(const struct heddle_ranks *ranks, const char *path)
{
	return wait_for(ranks, ranks->directory, path);
}

static void complain_directory(const struct heddle_ranks *ranks, const char *directory, int error)
{
	const char *command = ranks->command;
	if (error == EEXIST)
		fprintf(stderr,
			"heddle: %s: can't make %s: it exists: another %s is at work, or it was left by one that "
			"failed: remove it\n",
			command, directory, command);
	else
		fprintf(stderr, "heddle: %s: can't make %s: %s: choose another place with -o FILE\n", command,
			directory, strerror(error));
}

/* Files in the directory are read, and may be executed: no other user may have made it, or be able to write to it. */
static bool is_own(const struct heddle_ranks *ranks, const char *directory)
{
	struct stat status;
	if (lstat(directory, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
		(status.st_mode & (S_IWGRP | S_IWOTH)) == 0)
		return true;
	fprintf(stderr, "heddle: %s: rank %zu: %s is no directory of this user, or others may write to it: remove it\n",
		ranks->command, ranks->rank, directory);
	return false;
}

int heddle__ranks_meet(struct heddle_ranks *ranks, const char *directory)
{
	ranks->directory = strdup(directory);
	if (!ranks->directory)
		return HEDDLE_EXIT_FAILED;
	if (ranks->count == 1)
		return 0;
	if (ranks->rank == 0 && mkdir(directory, 0700) != 0) {
		complain_directory(ranks, directory, errno);
		free(ranks->directory);
		ranks->directory = NULL;
		return HEDDLE_EXIT_OUTPUT;
	}
	char *copy = strdup(directory);
	bool found = copy && wait_for(ranks, dirname(copy), directory);
	free(copy);
	return found && is_own(ranks, directory) ? 0 : HEDDLE_EXIT_FAILED;
}

char *heddle__ranks_file(const struct heddle_ranks *ranks, const char *what, size_t rank)
{
	char *path;
	return asprintf(&path, "%s/%s-%zu", ranks->directory, what, rank) < 0 ? NULL : path;
}

void heddle__ranks_fail(const struct heddle_ranks *ranks)
{
	char *path = others_wait(ranks) ? heddle__ranks_file(ranks, "failed", 0) : NULL;
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600) : -1;
	if (fd >= 0)
		close(fd);
	free(path);
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

void heddle__ranks_free(struct heddle_ranks *ranks)
{
	free(ranks->directory);
}
