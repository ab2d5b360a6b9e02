/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads /proc: it needs no help of the measured processes, which may have closed all descriptors and left their
 * session, process group and parent (daemon(3)).
 */
#include "cli/run/survivors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a file of /proc, with a null byte at its end; free() it. NULL: gone, or not permitted. */
static char *read_whole(const char *process, const char *file, size_t *size)
{
	char path[PATH_MAX], *text = NULL;
	size_t room = 0;
	ssize_t n = 0;
	*size = 0;
	snprintf(path, sizeof path, "/proc/%s/%s", process, file);
	int descriptor = open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return NULL;
	do {
		*size += (size_t)n;
		if (room - *size < 2) {
			char *more = realloc(text, room = room * 2 + 4096);

			if (!more)
				break;
			text = more;
		}
		n = read(descriptor, text + *size, room - *size - 1);
	} while (n > 0 || (n < 0 && errno == EINTR && (n = 0) == 0));
	close(descriptor);
	if (text)
		text[*size] = '\0';
	return text;
}

static bool names_directory(const char *process, const char *directory)
{
	char entry[PATH_MAX + sizeof "HEDDLE_OUTPUT="];
	size_t size, length = (size_t)snprintf(entry, sizeof entry, "HEDDLE_OUTPUT=%s", directory);
	char *environment = read_whole(process, "environ", &size);
	bool found = false;
	for (size_t i = 0; !found && i < size; i += strlen(environment + i) + 1)
		found = strlen(environment + i) == length && memcmp(environment + i, entry, length) == 0;
	free(environment);
	return found;
}

static bool holds_library(const char *process)
{
	size_t size;
	char *maps = read_whole(process, "maps", &size);
	bool found = maps && strstr(maps, "/libheddle.so");
	free(maps);
	return found;
}

int heddle__survivors(const char *directory)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	int count = 0;
	if (!processes)
		return 0;
	while ((entry = readdir(processes)) != NULL) {
		if (*entry->d_name >= '1' && *entry->d_name <= '9')
			count += names_directory(entry->d_name, directory) && holds_library(entry->d_name);
	}
	closedir(processes);
	return count;
}
