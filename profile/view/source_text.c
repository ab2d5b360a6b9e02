/* SPDX-License-Identifier: BSD-3-Clause */
/* Compilers record the names of files as they were given, which may not be valid where a program runs. */
#include "profile/view/source_text.h"

#include "profile/base/base_name.h"
#include "profile/base/intern.h"
#include "profile/base/regular_file.h"
#include "profile/view/source_owner.h"
#include "profile/view/view.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST ((long)64 << 20)

static char **allowed;
static size_t allowed_count, allowed_capacity;

int profile_source_allow(const char *directory)
{
	struct stat status;
	char *path = realpath(directory, NULL);
	int error = !path || stat(path, &status) != 0 ? -errno : S_ISDIR(status.st_mode) ? 0 : -ENOTDIR;
	if (!error)
		error = profile_reserve(&allowed, &allowed_capacity, allowed_count + 1, sizeof(*allowed));
	if (error) {
		free(path);
		return error;
	}
	allowed[allowed_count++] = path;
	return 0;
}

/* What a search has found, and what it is for. */
struct search {
	const struct profile_measurement *measurement;
	enum profile_source_use use;
	struct profile_source found;
};

static bool is_allowed(const struct search *search, const char *path)
{
	for (size_t i = 0; i < allowed_count; i++)
		if (profile_is_below(path, allowed[i]))
			return true;
	if (search->use != HEDDLE_SOURCE_EMBEDDED) {
		char here[PATH_MAX];
		if (getcwd(here, sizeof(here)) && profile_is_below(path, here))
			return true;
	}
	if (search->use == HEDDLE_SOURCE_SEARCHED &&
		profile_source_is_owned(search->measurement, path, HEDDLE_CLAIM_NAMED))
		return true;
	return profile_source_is_owned(search->measurement, path,
		search->use == HEDDLE_SOURCE_EMBEDDED ? HEDDLE_CLAIM_BOTH : HEDDLE_CLAIM_BESIDE);
}

/* Returns the path of an open file; its name may refer to another one a moment later. NULL: unknown, or removed. */
static char *path_of(FILE *stream)
{
	char name[64], path[PATH_MAX];
	struct stat open, there;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fileno(stream));
	ssize_t length = readlink(name, path, sizeof(path) - 1);
	path[length > 0 ? length : 0] = '\0';
	if (fstat(fileno(stream), &open) != 0 || stat(path, &there) != 0 || open.st_ino != there.st_ino ||
		open.st_dev != there.st_dev)
		return NULL;
	return strdup(path);
}

static char *read_stream(FILE *stream)
{
	struct stat status;
	if (fstat(fileno(stream), &status) != 0 || status.st_size > LARGEST)
		return NULL;
	char *text = malloc((size_t)status.st_size + 1);
	if (text)
		text[fread(text, 1, (size_t)status.st_size, stream)] = '\0';
	return text;
}

/* Tries one path; true ends the search. If a file is barred, the search continues, because another may be allowed. */
static bool try_path(struct search *search, const char *path)
{
	FILE *stream = profile_open_stream(path);
	char *real = stream ? path_of(stream) : NULL;
	struct profile_source one = {HEDDLE_SOURCE_MISSING, NULL, real};
	if (real && !is_allowed(search, real))
		one.status = HEDDLE_SOURCE_BARRED;
	else if (real && (one.text = read_stream(stream)))
		one.status = HEDDLE_SOURCE_READ;
	if (stream)
		fclose(stream);
	bool better = one.status == HEDDLE_SOURCE_READ ||
		      (one.status == HEDDLE_SOURCE_BARRED && search->found.status == HEDDLE_SOURCE_MISSING);
	if (better) {
		profile_source_free(&search->found);
		search->found = one;
	} else {
		profile_source_free(&one);
	}
	return search->found.status == HEDDLE_SOURCE_READ;
}

/* directory/file */
static bool try(struct search *search, const char *directory, size_t length, const char *file)
{
	char path[PATH_MAX];
	int size = snprintf(path, sizeof(path), "%.*s/%s", (int)length, directory, file);
	return size > 0 && (size_t)size < sizeof(path) && try_path(search, path);
}

static bool try_process(struct search *search, const Heddle__Profile__Process *info, const char *file)
{
	const char *start = info->start_directory, *slash = strrchr(info->program, '/');
	size_t length = slash ? (size_t)(slash - info->program) : 0;
	if (*start && try(search, start, strlen(start), file))
		return true;
	return slash && (try(search, info->program, length, file) ||
				try(search, info->program, length, profile_base_name(file)));
}

struct profile_source profile_source_find(
	const struct profile_measurement *measurement, const char *file, enum profile_source_use use)
{
	struct search search = {measurement, use, {HEDDLE_SOURCE_MISSING, NULL, NULL}};
	bool done = !*file || try_path(&search, file);
	for (size_t p = 0; !done && *file != '/' && p < measurement->process_count; p++)
		done = !measurement->processes[p].error && try_process(&search, measurement->processes[p].info, file);
	for (size_t i = 0; !done && i < allowed_count; i++)
		done = (*file != '/' && try(&search, allowed[i], strlen(allowed[i]), file)) ||
		       try(&search, allowed[i], strlen(allowed[i]), profile_base_name(file));
	return search.found;
}

void profile_source_free(struct profile_source *source)
{
	free(source->text);
	free(source->path);
	*source = (struct profile_source){HEDDLE_SOURCE_MISSING, NULL, NULL};
}

char *profile_source_read(const struct profile_measurement *measurement, const char *file, enum profile_source_use use)
{
	struct profile_source source = profile_source_find(measurement, file, use);
	char *text = source.text;
	source.text = NULL;
	profile_source_free(&source);
	return text;
}
