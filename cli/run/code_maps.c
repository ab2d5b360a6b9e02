/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. A profile's name ends with the number of its process. */
#include "cli/run/code_maps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/ids.h"
#include "profile/base/regular_file.h"
#include "profile/file/code_map.h"

#define SIZE_LIMIT ((off_t)512 << 20)

/* Returns the process id in a profile's name, 4711 in "prog.node7.4711.heddle". 0: not a profile's name. */
static long process_of(const char *name)
{
	const char *end = strstr(name, HEDDLE_FILE_SUFFIX), *at = end;
	if (!end || *name == '.')
		return 0;
	while (at > name && at[-1] >= '0' && at[-1] <= '9')
		at--;
	return at > name && at[-1] == '.' && at < end ? strtol(at, NULL, 10) : 0;
}

static int open_map(long pid, long since)
{
	char path[64];
	struct stat status;
	snprintf(path, sizeof(path), "/tmp/perf-%ld.map", pid);
	int descriptor = profile_open_regular(path);
	if (descriptor < 0)
		return -1;
	if (fstat(descriptor, &status) == 0 && status.st_uid == geteuid() && status.st_mtime >= since &&
		status.st_size <= SIZE_LIMIT)
		return descriptor;
	close(descriptor);
	return -1;
}

static bool copy(int from, const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	ssize_t n = to < 0 ? -1 : 1;
	while (n > 0)
		n = sendfile(to, from, NULL, (size_t)1 << 20);
	bool done = n == 0;
	if (to >= 0 && close(to) != 0)
		done = false;
	if (!done && to >= 0)
		unlink(path);
	return done;
}

static void bring(const char *directory, const char *name, long since)
{
	char *profile = NULL, *path = NULL;
	long pid = process_of(name);
	int from = pid > 0 ? open_map(pid, since) : -1;
	if (from < 0)
		return;
	if (asprintf(&profile, "%s/%s", directory, name) >= 0)
		path = profile_code_map_path(profile);
	if (path && access(path, F_OK) != 0 && !copy(from, path))
		fprintf(stderr,
			"heddle: cannot copy /tmp/perf-%ld.map to %s: %s: names of code made at run time are missing\n",
			pid, path, strerror(errno));
	close(from);
	free(path);
	free(profile);
}

void heddle__code_maps_bring(const char *directory, long since)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	while (entries && (entry = readdir(entries)) != NULL)
		bring(directory, entry->d_name, since);
	if (entries)
		closedir(entries);
}
