/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and tests the output directory before the program starts, since the results of a long run must not be lost. */
#include "cli/output.h"

#include "format/ids.h"
#include "format/job_marks.h"
#include "format/shell_word.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int say(const struct heddle_output *output, const char *directory, const char *what, int error)
{
	if (!output->silent)
		fprintf(stderr, "heddle: run: output directory %s: %s: %s; choose another with -o DIR\n", directory,
			what, strerror(error));
	return -error;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), size = strlen(suffix);
	return length > size && strcmp(name + length - size, suffix) == 0;
}

static bool holds_profiles(const char *directory)
{
	DIR *entries = opendir(directory);
	bool found = false;
	struct dirent *entry;
	if (!entries)
		return false;
	while (!found && (entry = readdir(entries)) != NULL)
		found = has_suffix(entry->d_name, HEDDLE_FILE_SUFFIX);
	closedir(entries);
	return found;
}

void heddle__output_tidy(const struct heddle_output *output, pid_t pid)
{
	DIR *entries = opendir(output->absolute);
	struct dirent *entry;
	char suffix[sizeof output->job + 1];
	if (!entries)
		return;
	if (*output->job != '\0')
		snprintf(suffix, sizeof suffix, ".%s", output->job);
	else
		snprintf(suffix, sizeof suffix, ".%ld", (long)pid);
	while ((entry = readdir(entries)) != NULL) {
		if (strncmp(entry->d_name, ".blame.", strlen(".blame.")) == 0 && has_suffix(entry->d_name, suffix))
			unlinkat(dirfd(entries), entry->d_name, 0);
	}
	closedir(entries);
}

/* Makes a directory with all missing parents. Returns 0 (*made: the last one is new) or a negative errno. */
static int make_directories(const char *name, bool *made)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof path, "%s", name) >= (int)sizeof path)
		return -ENAMETOOLONG;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	*made = mkdir(path, 0777) == 0;
	if (*made)
		return 0;
	/* The loop has made "a/b/". */
	return errno == EEXIST ? 0 : -errno;
}

/* Writes everything, or returns the errno: after a short write, the next write fails. */
static int write_all(int descriptor, const char *data, size_t size)
{
	while (size > 0) {
		ssize_t written = write(descriptor, data, size);

		if (written < 0 && errno != EINTR)
			return -errno;
		if (written > 0) {
			data += written;
			size -= (size_t)written;
		}
	}
	return 0;
}

/* Writes and removes a small file, so that a full or read-only file system is detected now, not at the end. */
static int try_writing(const char *directory)
{
	static const char block[4096];
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	char path[PATH_MAX];
	int descriptor, error;
	if (snprintf(path, sizeof path, "%s/.heddle-try-%ld", directory, (long)getpid()) >= (int)sizeof path ||
		strlen(directory) + HEDDLE_FILE_ROOM > sizeof path)
		return -ENAMETOOLONG;
	descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (descriptor < 0)
		return -errno;
	sigaction(SIGXFSZ, &ignore, &before); /* a limit on file sizes (ulimit -f) then causes EFBIG */
	error = write_all(descriptor, block, sizeof block);
	sigaction(SIGXFSZ, &before, NULL);
	if (close(descriptor) != 0 && error == 0)
		error = -errno;
	unlink(path);
	return error;
}

char *heddle__output_mark(const struct heddle_output *output)
{
	char *path;
	return asprintf(&path, "%s/" HEDDLE_JOB_PREFIX "%s", output->absolute, output->job) < 0 ? NULL : path;
}

/* Marks the directory. True if only ranks of the same job use it. */
static bool joins(const struct heddle_output *output)
{
	char *mark = *output->job != '\0' ? heddle__output_mark(output) : NULL;
	bool marked = mark && access(mark, F_OK) == 0;
	if (mark && !marked && !holds_profiles(output->absolute)) {
		int descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
		marked = descriptor >= 0;
		if (marked)
			close(descriptor);
	}
	free(mark);
	return marked;
}

static int set_up(struct heddle_output *output, const char *name)
{
	struct stat status;
	int error = make_directories(name, &output->made_here);
	if (error == 0 && stat(name, &status) == 0 && !S_ISDIR(status.st_mode))
		error = -ENOTDIR;
	if (error != 0)
		return say(output, name, "cannot be made", -error);
	if (!realpath(name, output->absolute))
		return say(output, name, "cannot be used", errno);
	if (!joins(output) && holds_profiles(output->absolute)) {
		if (!output->silent)
			fprintf(stderr,
				"heddle: run: output directory %s already holds a measurement, which is never "
				"overwritten; "
				"choose "
				"another with -o DIR\n",
				name);
		return -EEXIST;
	}
	error = try_writing(output->absolute);
	if (error == 0)
		return 0;
	say(output, name, "cannot be written to", -error);
	heddle__output_remove_if_empty(output);
	return error;
}

int heddle__output_check(
	struct heddle_output *output, const char *name, const char *program, const struct heddle_ranks *ranks)
{
	const char *slash = strrchr(program, '/');
	memset(output, 0, sizeof *output);
	output->silent = ranks && ranks->rank > 0;
	if (ranks && ranks->count > 1)
		heddle__ranks_job(ranks, output->job, sizeof output->job);
	output->given = name || *output->job != '\0';
	if (name)
		snprintf(output->name, sizeof output->name, "%s", name);
	else if (output->given)
		snprintf(output->name, sizeof output->name, "heddle-%.200s-%s", slash ? slash + 1 : program,
			output->job);
	if (output->given)
		return set_up(output, output->name);
	snprintf(output->name, sizeof output->name, "heddle-%.200s-", slash ? slash + 1 : program);
	return 0;
}

static void default_name(const struct heddle_output *output, pid_t pid, char name[PATH_MAX])
{
	snprintf(name, PATH_MAX, "%.250s%ld", output->name, (long)pid);
}

int heddle__output_make(struct heddle_output *output, pid_t pid)
{
	char name[PATH_MAX];
	if (output->given)
		return 0;
	default_name(output, pid, name);
	return set_up(output, name);
}

int heddle__output_resolve(struct heddle_output *output, pid_t pid)
{
	char name[PATH_MAX];
	if (output->given) {
		heddle__shell_word(output->quoted, sizeof output->quoted, output->name);
		return 0;
	}
	default_name(output, pid, name);
	heddle__shell_word(output->quoted, sizeof output->quoted, name);
	output->made_here = true;
	return realpath(name, output->absolute) ? 0 : -ENOENT;
}

bool heddle__output_holds_profiles(const struct heddle_output *output)
{
	return holds_profiles(output->absolute);
}

bool heddle__output_holds_profile_of(const struct heddle_output *output, pid_t pid)
{
	char host[HOST_NAME_MAX + 1] = "", part[HOST_NAME_MAX + 32];
	DIR *entries = opendir(output->absolute);
	struct dirent *entry;
	bool found = false;
	gethostname(host, sizeof host - 1);
	snprintf(part, sizeof part, ".%s.%ld.", host, (long)pid);
	while (entries && !found && (entry = readdir(entries)) != NULL)
		found = strstr(entry->d_name, part) && has_suffix(entry->d_name, HEDDLE_FILE_SUFFIX);
	if (entries)
		closedir(entries);
	return found;
}

void heddle__output_remove_if_empty(const struct heddle_output *output)
{
	if (output->made_here && output->absolute[0] != '\0')
		rmdir(output->absolute);
}
