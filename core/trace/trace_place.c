/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opening and moving run in signal handlers: they make system calls only, and only those that
 * core/wrappers/host_filter.c tries, as a program may have restricted them.
 */
#include "core/trace/trace_place.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/process_info.h"
#include "core/base/settings.h"
#include "core/writer/file_name.h"
#include "core/writer/outcome.h"
#include "format/ids.h"
#include "format/trace.h"

#define LONGEST PATH_MAX

static char path[LONGEST];    /* where the file is written */
static char target[LONGEST];  /* beside the profile */
static char folder[LONGEST];  /* of the measurement, below HEDDLE_TRACE_DIR; "": none */
static char outside[LONGEST]; /* HEDDLE_TRACE_DIR as an absolute path */

/* Names the directory after the measurement and its inode, as measurements of the same name may write there, too. */
static void choose_folder(const char *wanted)
{
	const char *name = strrchr(heddle__process.output, '/');
	struct stat about = {0};
	fstatat(AT_FDCWD, heddle__process.output, &about, 0);
	const uint64_t identity[] = {about.st_dev, about.st_ino};
	bool relative = *wanted != '/';
	int n = snprintf(outside, sizeof(outside), "%s%s%s", relative ? heddle__process.directory : "",
		relative ? "/" : "", wanted);
	bool fits = n >= 0 && (size_t)n < sizeof(outside);
	n = snprintf(folder, sizeof(folder), "%s/%s-%016" PRIx64, outside, name ? name + 1 : "heddle",
		heddle_trace_sum(identity, sizeof(identity)));
	if (!fits || n < 0 || (size_t)n >= sizeof(folder) - HEDDLE_FILE_ROOM)
		folder[0] = '\0';
}

void heddle__trace_choose_place(void)
{
	const char *wanted = heddle__setting_text(HEDDLE_SETTING_TRACE_DIR);
	folder[0] = path[0] = '\0';
	if (*wanted)
		choose_folder(wanted);
}

static const char *directory_of_file(void)
{
	return folder[0] ? folder : heddle__process.output;
}

const char *heddle__trace_path(void)
{
	return path[0] ? path : directory_of_file();
}

static int set_paths(void)
{
	const char *name = heddle__file_name();
	int size = (int)sizeof(path);
	bool fits = snprintf(target, sizeof(target), "%s/%s" HEDDLE_TRACE_SUFFIX, heddle__process.output, name) < size;
	fits = snprintf(path, sizeof(path), "%s/%s" HEDDLE_TRACE_SUFFIX, directory_of_file(), name) < size && fits;
	return fits ? 0 : -ENAMETOOLONG;
}

static void make_folder(void)
{
	if (folder[0] && mkdirat(AT_FDCWD, folder, 0777) && errno == ENOENT && mkdirat(AT_FDCWD, outside, 0777) == 0)
		mkdirat(AT_FDCWD, folder, 0777);
}

/* Creates the file and a link to it. Without the link, `heddle run` does not find the file, which stays there. */
static int create_named(void)
{
	int error = set_paths();
	if (error)
		return error;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	if (folder[0] && symlinkat(path, AT_FDCWD, target))
		return fd;
	return fd;
}

/* Creates the file; until it exists, a temporary file prevents other processes from claiming the name. */
static int create_claimed(int directory)
{
	char aside[HEDDLE_ASIDE_SIZE];
	int claim = heddle__file_create_aside(directory, aside);
	if (claim < 0)
		return claim;
	int fd = create_named();
	if (fd >= 0)
		heddle__file_keep_name();
	heddle__file_remove_aside(directory, aside);
	close(claim);
	return fd;
}

static int create(void)
{
	make_folder();
	int directory = heddle__output_open();
	if (directory < 0)
		return directory;
	int fd = create_claimed(directory);
	close(directory);
	return fd;
}

int heddle__trace_open(bool new)
{
	if (new)
		return create();
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

/* The file is opened for each chunk, so the new user must be able to write what the former one has created. */
void heddle__trace_give_to(uid_t user)
{
	int saved = errno;
	if (path[0] && geteuid() == 0)
		syscall(SYS_fchownat, AT_FDCWD, path, user, -1, AT_SYMLINK_NOFOLLOW); /* else the trace ends there */
	errno = saved;
}

void heddle__trace_remove(void)
{
	unlinkat(AT_FDCWD, path, 0);
	if (folder[0])
		unlinkat(AT_FDCWD, target, 0);
}

/* If it is on another file system, `heddle run` copies it. Without `heddle run`, it stays in its place. */
void heddle__trace_move(void)
{
	if (!folder[0])
		return;
	if (renameat(AT_FDCWD, path, AT_FDCWD, target) == 0)
		unlinkat(AT_FDCWD, folder, AT_REMOVEDIR);
	else if (errno == EXDEV && heddle__outcome_reports())
		heddle__warn("the trace stays in %s, on another file system; %s is a link to it", path, target);
}
