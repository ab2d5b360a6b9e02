/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of selected events once, at init; only queries after that. */
#include "core/base/selection.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/memory.h"

#define SIZE_LIMIT ((size_t)1 << 20)
#define BLANKS " \t\r,"

static const char *file_name;
static char *text; /* the names in the file, each terminated by a null byte; NULL: all events are selected */
static size_t size;
static bool *used;      /* true at the offset of each name that an event has */
static bool names_some; /* there is a name without `!`; if all have it, all other events are selected */

static char *copy_names(const char *names, size_t *length)
{
	*length = strlen(names);
	char *copy = heddle__map(*length + 1);
	if (copy)
		memcpy(copy, names, *length);
	return copy;
}

/* The contents of the file, or NULL with errno set. */
static char *read_file(const char *path, size_t *length)
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *bytes = NULL;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &about) == 0 && S_ISFIFO(about.st_mode))
		errno = ESPIPE;
	else if (fstat(fd, &about) == 0 && (size_t)about.st_size > SIZE_LIMIT)
		errno = EFBIG;
	else
		bytes = heddle__map(SIZE_LIMIT + 1);
	ssize_t n = 0;
	*length = 0;
	while (bytes && *length < SIZE_LIMIT && (n = read(fd, bytes + *length, SIZE_LIMIT - *length)) > 0)
		*length += (size_t)n;
	if (bytes && n < 0) {
		heddle__unmap(bytes, SIZE_LIMIT + 1);
		bytes = NULL;
	}
	close(fd);
	return bytes;
}

void heddle__selection_read(const char *path)
{
	if (!*path)
		return;
	file_name = path;
	text = *path == '!' ? copy_names(path, &size) : read_file(path, &size);
	if (!text) {
		heddle__warn("cannot read the events to measure from %s: %s; all are measured", path, strerror(errno));
		return;
	}
	used = heddle__map(size + 1);
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '#')
			while (i < size && text[i] != '\n')
				text[i++] = '\0';
		if (i < size && (text[i] == '\n' || strchr(BLANKS, text[i])))
			text[i] = '\0';
	}
	for (size_t at = 0; at < size; at += strlen(text + at) + 1)
		names_some |= text[at] && text[at] != '!';
}

enum heddle_selection heddle__selection_of(const char *name)
{
	enum heddle_selection selection = HEDDLE_NOT_NAMED;
	for (size_t at = 0; text && at < size; at += strlen(text + at) + 1) {
		bool excludes = text[at] == '!';
		if (strcmp(text + at + excludes, name) != 0)
			continue;
		selection = excludes ? HEDDLE_EXCLUDED : HEDDLE_NAMED;
		if (used)
			used[at] = true;
	}
	return selection;
}

bool heddle__is_selected(enum heddle_selection selection)
{
	return selection == HEDDLE_NAMED || (selection == HEDDLE_NOT_NAMED && !names_some);
}

bool heddle__selects(const char *name)
{
	return heddle__is_selected(heddle__selection_of(name));
}

void heddle__selection_check(void)
{
	for (size_t at = 0; text && used && at < size; at += strlen(text + at) + 1) {
		if (text[at] && !used[at])
			heddle__warn("%s: no event is named '%s'; docs/gasp.md lists the names", file_name,
				text + at + (text[at] == '!'));
	}
}
