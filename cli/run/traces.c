/* SPDX-License-Identifier: BSD-3-Clause */
/* A trace is copied under a temporary name, which replaces the link when the copy is complete. */
#include "cli/run/traces.h"

#include "cli/run/descent.h"
#include "format/ids.h"
#include "format/kernel_clock.h"
#include "format/trace.h"
#include "profile/base/regular_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 20)
#define PATIENCE_NS UINT64_C(1000000000) /* before progress is shown */

struct bringing {
	const char *directory;
	char from[PATH_MAX], to[PATH_MAX], part[PATH_MAX + 32];
	uint8_t *block;
	uint64_t done, size; /* bytes of the current file */
	uint64_t start_ns;
	bool shown; /* a line of progress is shown, to be erased */
	int error;  /* errno of the first failure */
	char kept[PATH_MAX];
};

/* ---- progress ---- */

static uint64_t now_ns(void)
{
	return heddle__kernel_clock_ns(CLOCK_MONOTONIC);
}

static void show_progress(struct bringing *bringing)
{
	if (!isatty(STDERR_FILENO) || now_ns() - bringing->start_ns < PATIENCE_NS || bringing->size == 0)
		return;
	fprintf(stderr, "\rheddle: moving traces: %s: %3" PRIu64 " %% of %" PRIu64 " MiB",
		strrchr(bringing->from, '/') + 1, bringing->done * 100 / bringing->size, bringing->size >> 20);
	bringing->shown = true;
}

static void end_progress(struct bringing *bringing)
{
	if (bringing->shown)
		fputs("\r\033[K", stderr);
	bringing->shown = false;
}

/* ---- copying; results are 0 or errno ---- */

static int write_whole(int fd, const uint8_t *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Reads all of `from`, and copies it to `to` unless `to` is -1; stores the sum of its blocks in *sum. */
static int pass(struct bringing *bringing, int from, int to, uint64_t *sum)
{
	uint64_t blocks = 0;
	for (bringing->done = 0;;) {
		ssize_t n = pread(from, bringing->block, BLOCK, (off_t)bringing->done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			break;
		int error = to < 0 ? 0 : write_whole(to, bringing->block, (size_t)n);
		if (error)
			return error;
		const uint64_t both[] = {blocks, heddle_trace_sum(bringing->block, (uint64_t)n)};
		blocks = heddle_trace_sum(both, sizeof(both));
		bringing->done += (uint64_t)n;
		if (to >= 0)
			show_progress(bringing);
	}
	*sum = blocks;
	return 0;
}

/* Copies and compares: the copy is read again, from the disk rather than from memory if possible. */
static int copy_and_compare(struct bringing *bringing, int from, int to)
{
	uint64_t sent = 0, kept = 0;
	int error = pass(bringing, from, to, &sent);
	if (!error && fsync(to))
		error = errno;
	if (!error) {
		posix_fadvise(to, 0, 0, POSIX_FADV_DONTNEED);
		error = pass(bringing, to, -1, &kept);
	}
	if (!error && sent != kept)
		error = EIO;
	return error;
}

static int copy(struct bringing *bringing)
{
	struct stat about;
	int from = profile_open_regular(bringing->from), error = 0;
	if (from < 0)
		return -from;
	bringing->size = fstat(from, &about) == 0 ? (uint64_t)about.st_size : 0;
	unlink(bringing->part); /* of an earlier copy that was interrupted */
	int to = open(bringing->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (to < 0) {
		error = errno;
	} else {
		error = copy_and_compare(bringing, from, to);
		if (close(to) && !error)
			error = errno;
		if (!error && rename(bringing->part, bringing->to))
			error = errno;
		if (error)
			unlink(bringing->part);
	}
	close(from);
	return error;
}

/* ---- selection of traces ---- */

static bool ends_with(const char *text, const char *tail)
{
	size_t length = strlen(text), size = strlen(tail);
	return length > size && strcmp(text + length - size, tail) == 0;
}

/*
 * True if the process of a trace (PROGRAM.HOST.PID.heddle-trace, or PROGRAM.HOST.PID.N.heddle-trace) has ended on this
 * machine: one that still runs may write more.
 */
static bool has_ended_here(const char *name)
{
	char own[HOST_NAME_MAX + 1] = "", host[HOST_NAME_MAX + 3];
	gethostname(own, HOST_NAME_MAX);
	snprintf(host, sizeof(host), ".%s.", own);
	const char *at = NULL, *next = name;
	while ((next = strstr(next, host)))
		at = next++;
	long pid = at ? strtol(at + strlen(host), NULL, 10) : 0;
	return pid > 0 && !heddle__may_be_measured((pid_t)pid);
}

static bool is_elsewhere(struct bringing *bringing, const char *name)
{
	struct stat about;
	if (!ends_with(name, HEDDLE_FILE_SUFFIX HEDDLE_TRACE_SUFFIX) ||
		snprintf(bringing->to, sizeof(bringing->to), "%s/%s", bringing->directory, name) >= PATH_MAX)
		return false;
	ssize_t length = readlink(bringing->to, bringing->from, sizeof(bringing->from) - 1);
	if (length <= 0)
		return false;
	bringing->from[length] = '\0';
	return *bringing->from == '/' && lstat(bringing->from, &about) == 0 && S_ISREG(about.st_mode);
}

static void remove_source(struct bringing *bringing)
{
	unlink(bringing->from);
	*strrchr(bringing->from, '/') = '\0';
	rmdir(bringing->from); /* the directory of this measurement, if it is empty */
}

static void bring(struct bringing *bringing)
{
	if (rename(bringing->from, bringing->to) == 0) {
		remove_source(bringing);
		return;
	}
	snprintf(bringing->part, sizeof(bringing->part), "%s.%d.part", bringing->to, (int)getpid());
	int error = copy(bringing);
	if (!error) {
		remove_source(bringing);
	} else if (error != ENOENT && bringing->error == 0) { /* else another rank's command has moved it */
		bringing->error = error;
		memcpy(bringing->kept, bringing->from, sizeof(bringing->kept));
		*strrchr(bringing->kept, '/') = '\0';
	}
}

void heddle__traces_bring(const char *directory)
{
	struct bringing bringing = {.directory = directory, .start_ns = now_ns(), .block = malloc(BLOCK)};
	DIR *entries = bringing.block ? opendir(directory) : NULL;
	struct dirent *entry;
	while (entries && (entry = readdir(entries)) != NULL)
		if (is_elsewhere(&bringing, entry->d_name) && has_ended_here(entry->d_name))
			bring(&bringing);
	if (entries)
		closedir(entries);
	free(bringing.block);
	end_progress(&bringing);
	if (bringing.error)
		fprintf(stderr, "heddle: traces stay in %s: they could not be copied to %s: %s; it has links to them\n",
			bringing.kept, directory, strerror(bringing.error));
}
