/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports only facts; nothing is guessed. */
#include "cli/run/aftermath.h"

#include "cli/base/terminal.h"
#include "cli/run/descent.h"
#include "format/ids.h"
#include "profile/file/profile_peek.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* What is missing in the profiles. */
struct missing {
	size_t count;                 /* number of incomplete profiles */
	uint64_t first_pid, first_ns; /* of one of them */
	const char *other_tool;       /* the first note about an OpenMP tool, or NULL */
};

/* Returns the errno that a mark holds; 0: not a mark. */
static int read_mark(int directory, const char *name)
{
	char number[16];
	ssize_t length = readlinkat(directory, name, number, sizeof(number) - 1);
	if (length <= 0)
		return 0;
	number[length] = '\0';
	return atoi(number);
}

int heddle__aftermath_failure(const char *directory)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	int failure = 0;
	if (!entries)
		return errno;
	while ((entry = readdir(entries)) != NULL) {
		if (strncmp(entry->d_name, HEDDLE_FAILED_PREFIX, strlen(HEDDLE_FAILED_PREFIX)) != 0)
			continue;
		if (failure == 0)
			failure = read_mark(dirfd(entries), entry->d_name);
		unlinkat(dirfd(entries), entry->d_name, 0);
	}
	closedir(entries);
	return failure;
}

int heddle__aftermath_unwritable(const char *directory)
{
	struct statvfs space;
	if (faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) != 0)
		return errno;
	return statvfs(directory, &space) == 0 && space.f_bavail == 0 ? ENOSPC : 0;
}

/* A process that still runs may write its profile again. */
static bool has_ended(const Heddle__Profile__Process *process)
{
	char host[HOST_NAME_MAX + 1] = "";
	gethostname(host, sizeof(host) - 1);
	return strcmp(host, process->host) == 0 && !heddle__may_be_measured((pid_t)process->pid);
}

static void say_incomplete(const struct missing *found, int failure)
{
	char length[32];
	heddle__format_time(length, sizeof(length), found->first_ns);
	fprintf(stderr,
		"heddle: incomplete: the profile of process %" PRIu64
		" ends %s after its start, when it was last written",
		found->first_pid, length);
	if (failure != 0)
		fprintf(stderr, " (then: %s)", strerror(failure));
	if (found->count > 1)
		fprintf(stderr, "; %zu other profiles end early, too", found->count - 1);
	fputc('\n', stderr);
}

static void look_for_note(const Heddle__Profile__Process *process, struct missing *found)
{
	for (size_t i = 0; !found->other_tool && i < process->n_note; i++)
		if (strncmp(process->note[i], HEDDLE_NOTE_OTHER_TOOL, strlen(HEDDLE_NOTE_OTHER_TOOL)) == 0)
			found->other_tool = process->note[i];
}

static void check_profile(const Heddle__Profile__Process *process, struct missing *found)
{
	if (profile_is_incomplete(process) && has_ended(process) && found->count++ == 0) {
		found->first_pid = process->pid;
		found->first_ns = process->duration_ns;
	}
	look_for_note(process, found);
}

bool heddle__aftermath_say_missing(const struct heddle_run_profiles *profiles, int failure)
{
	struct missing found = {0};
	for (size_t i = 0; i < profiles->count; i++)
		if (profiles->items[i].process)
			check_profile(profiles->items[i].process, &found);
	if (found.other_tool) {
		fputs("heddle: ", stderr);
		heddle__print_safely(stderr, found.other_tool);
		fputc('\n', stderr);
	}
	if (found.count > 0)
		say_incomplete(&found, failure);
	else if (failure != 0)
		fprintf(stderr, "heddle: incomplete: a process could not write its profile: %s\n", strerror(failure));
	return found.count > 0 || failure != 0;
}
