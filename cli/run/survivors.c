/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads /proc. This needs no cooperation of the measured processes, which may have closed all descriptors and left
 * their session, process group and parent (daemon(3)).
 */
#include "cli/run/survivors.h"

#include "profile/base/intern.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Reads a file of /proc and adds a null byte; free() it. NULL: the process has ended, or access is not permitted. */
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

enum standing {
	OTHER,    /* it writes no profile there */
	SURVIVES, /* it will write one */
	STARTS,   /* it is executing a program at the moment: not known yet */
};

/* True if the environment names the directory, or is empty: during exec, the new one does not exist yet. */
static bool may_name_directory(const char *environment, size_t size, const char *directory)
{
	char entry[PATH_MAX + sizeof "HEDDLE_OUTPUT="];
	size_t length = (size_t)snprintf(entry, sizeof entry, "HEDDLE_OUTPUT=%s", directory);
	bool found = size == 0;
	for (size_t i = 0; !found && i < size; i += strlen(environment + i) + 1)
		found = strlen(environment + i) == length && memcmp(environment + i, entry, length) == 0;
	return found;
}

/*
 * True while exec is in progress. It maps the program, the dynamic linker and the vdso, in that order, and then makes
 * the environment; the dynamic linker maps preloaded libraries first and the C library after them.
 */
static bool is_starting(const char *maps)
{
	if (!strstr(maps, "[vdso]"))
		return true;
	return strstr(maps, "/ld-") && !strstr(maps, "/ld-musl") && !strstr(maps, "/libc.so") &&
	       !strstr(maps, "/libc-");
}

/*
 * True if a file of /proc is incomplete: exec replaces the whole address space, and in between the file is empty or
 * ends early.
 */
static bool is_replaced(const char *process, const char *maps)
{
	enum { PF_KTHREAD = 0x200000 };
	size_t size;
	char state = 'X';
	unsigned flags = 0;
	char *text = read_whole(process, *maps ? "maps" : "stat", &size);
	const char *fields = text && !*maps ? strrchr(text, ')') : NULL;
	bool replaced = text && *maps && strcmp(text, maps) != 0;
	if (fields && sscanf(fields, ") %c %*d %*d %*d %*d %*d %u", &state, &flags) == 2)
		replaced = !strchr("ZX", state) && !(flags & PF_KTHREAD); /* such processes have no maps at all */
	free(text);
	return replaced;
}

struct search {
	const char *directory;
	int survivors; /* processes that write a profile there */
	int starting;  /* processes that may be such ones in a moment */
	bool news;     /* the last list had processes that the list before did not have */
};

static enum standing standing_of(const char *process, const char *directory)
{
	size_t size, environment_size;
	char *environment = read_whole(process, "environ", &environment_size);
	char *maps = environment && may_name_directory(environment, environment_size, directory)
			     ? read_whole(process, "maps", &size)
			     : NULL;
	enum standing standing = OTHER;
	if (maps && strstr(maps, "/libheddle.so"))
		standing = environment_size ? SURVIVES : STARTS;
	else if (maps && (is_replaced(process, maps) || (*maps && is_starting(maps))))
		standing = STARTS;
	free(environment);
	free(maps);
	return standing;
}

/* Process ids, ascending, as /proc lists them. */
struct processes {
	int *ids;
	size_t count;
};

static bool is_listed(const struct processes *processes, int id)
{
	size_t low = 0, high = processes->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (processes->ids[middle] == id)
			return true;
		if (processes->ids[middle] < id)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* free() the ids. If memory is exhausted, the list is shorter. */
static struct processes list_processes(void)
{
	struct processes processes = {NULL, 0};
	size_t room = 0;
	struct dirent *entry;
	DIR *directory = opendir("/proc");
	while (directory && (entry = readdir(directory)) != NULL) {
		if (*entry->d_name < '1' || *entry->d_name > '9')
			continue;
		if (profile_reserve(&processes.ids, &room, processes.count + 1, sizeof *processes.ids) != 0)
			break;
		processes.ids[processes.count++] = atoi(entry->d_name);
	}
	if (directory)
		closedir(directory);
	return processes;
}

/* Counts the processes of `now` that `before` does not list. */
static void search_new(struct search *search, const struct processes *before, const struct processes *now)
{
	char name[16];
	for (size_t i = 0; i < now->count; i++) {
		if (is_listed(before, now->ids[i]))
			continue;
		snprintf(name, sizeof name, "%d", now->ids[i]);
		enum standing standing = standing_of(name, search->directory);
		search->survivors += standing == SURVIVES;
		search->starting += standing == STARTS;
		search->news = true;
	}
}

/*
 * A process may have forked and ended since /proc was listed. Its child is in the next list: lists are read until there
 * are no new processes.
 */
static void count(struct search *search)
{
	enum { LISTS = 20 };
	struct processes before = {NULL, 0};
	search->news = true;
	for (int i = 0; i < LISTS && search->news; i++) {
		struct processes now = list_processes();

		search->news = false;
		search_new(search, &before, &now);
		free(before.ids);
		before = now;
	}
	free(before.ids);
}

/* A process that takes longer to start, as from a slow file system or on a busy machine, counts as a survivor. */
int heddle__survivors(const char *directory)
{
	enum { TRIES = 200, MS_BETWEEN_TRIES = 5 };
	struct search search = {.starting = 1};
	for (int i = 0; i < TRIES && search.starting > 0; i++) {
		if (i > 0)
			nanosleep(&(struct timespec){.tv_nsec = MS_BETWEEN_TRIES * 1000000L}, NULL);
		search = (struct search){.directory = directory};
		count(&search);
	}
	return search.survivors + search.starting;
}
