/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. Every wait is short: another rank may be on a machine with other files. */
#include "cli/run/companions.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ENDED ".ended-"
#define PATIENCE_MS 1500
#define STEP_MS 5

static bool is_mark(const struct dirent *entry)
{
	return strncmp(entry->d_name, ENDED, strlen(ENDED)) == 0;
}

static size_t count_ended(const struct heddle_output *output)
{
	DIR *entries = opendir(output->absolute);
	struct dirent *entry;
	size_t count = 0;
	while (entries && (entry = readdir(entries)) != NULL)
		count += is_mark(entry);
	if (entries)
		closedir(entries);
	return count;
}

static void say_ended(const struct heddle_output *output, size_t rank)
{
	char *path;
	if (asprintf(&path, "%s/" ENDED "%zu", output->absolute, rank) < 0)
		return;
	int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	if (descriptor >= 0)
		close(descriptor);
	free(path);
}

static void nap(void)
{
	struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
	nanosleep(&step, NULL);
}

static void wait_for_rank_0(const struct heddle_output *output)
{
	char *mark = heddle__output_mark(output);
	for (int waited = 0; mark && waited < PATIENCE_MS && access(mark, F_OK) == 0; waited += STEP_MS)
		nap();
	free(mark);
}

bool heddle__companions_end(const struct heddle_output *output, const struct heddle_ranks *ranks, bool failed)
{
	if (ranks->count == 1)
		return true;
	if (ranks->rank > 0) {
		say_ended(output, ranks->rank);
		if (failed)
			wait_for_rank_0(output);
		return false;
	}
	for (int waited = 0; waited < PATIENCE_MS && count_ended(output) + 1 < ranks->count; waited += STEP_MS)
		nap();
	return true;
}

void heddle__companions_leave(const struct heddle_output *output)
{
	char *mark = *output->job != '\0' ? heddle__output_mark(output) : NULL;
	DIR *entries = mark ? opendir(output->absolute) : NULL;
	struct dirent *entry;
	while (entries && (entry = readdir(entries)) != NULL) {
		if (is_mark(entry))
			unlinkat(dirfd(entries), entry->d_name, 0);
	}
	if (entries)
		closedir(entries);
	if (mark)
		unlink(mark);
	free(mark);
}
