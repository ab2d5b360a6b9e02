/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The age of a measurement is that of its newest profile: a directory's own time changes with any file created in it.
 * Files that `heddle merge` wrote are skipped, since they came from a directory; they are read when named.
 */
#include "cli/base/newest.h"

#include "profile/file/measurement.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* Gets the time at which the newest profile in that directory was written; returns false if it has none. */
static bool youngest_profile(int parent, const char *name, struct timespec *when)
{
	int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = descriptor >= 0 ? fdopendir(descriptor) : NULL;
	struct dirent *entry;
	struct stat status;
	bool found = false;
	while (entries && (entry = readdir(entries)) != NULL) {
		if (!profile_is_name(entry->d_name) || fstatat(descriptor, entry->d_name, &status, 0) != 0 ||
			!S_ISREG(status.st_mode))
			continue;
		if (!found || is_later(status.st_mtim, *when))
			*when = status.st_mtim;
		found = true;
	}
	if (entries)
		closedir(entries);
	return found;
}

const char *heddle__newest_measurement(void)
{
	static char newest[NAME_MAX + 1];
	struct timespec latest = {0}, when;
	DIR *entries = opendir(".");
	struct dirent *entry;
	newest[0] = '\0';
	while (entries && (entry = readdir(entries)) != NULL) {
		if (entry->d_name[0] == '.' ||
			(entry->d_type != DT_DIR && entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN))
			continue;
		if (!youngest_profile(dirfd(entries), entry->d_name, &when) || (newest[0] && !is_later(when, latest)))
			continue;
		latest = when;
		snprintf(newest, sizeof(newest), "%s", entry->d_name);
	}
	if (entries)
		closedir(entries);
	if (newest[0])
		return newest;
	return youngest_profile(AT_FDCWD, ".", &when) ? "." : NULL;
}
