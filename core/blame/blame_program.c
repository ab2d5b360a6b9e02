/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The board and lock table of a program of several processes: a file in the measurement's directory, mapped by all
 * processes with the same parent on this host (its number is unique in a namespace of process ids), or of one
 * launcher's job. The last to leave removes it. Without the file, each process accounts for its own threads only.
 */
#include "core/blame/blame_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mapping.h"
#include "core/base/notes.h"
#include "core/base/process_info.h"
#include "core/blame/blame_board.h"

struct shared {
	struct heddle_board board;
	_Atomic uint32_t processes;
	_Alignas(64) char buckets[];
};

static struct shared *shared; /* NULL: not shared with other processes */
static char file_name[PATH_MAX + 384];

static int map_file(size_t size)
{
	int file = open(file_name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (file < 0)
		return -errno;
	void *memory = ftruncate(file, (off_t)size)
			       ? NULL
			       : heddle__mapping(size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	int error = memory ? 0 : -errno;
	close(file);
	shared = memory;
	return error;
}

void heddle__blame_share_program(size_t buckets_size)
{
	const struct heddle_process *process = &heddle__process;
	const char *job = getenv("HEDDLE_JOB"); /* `heddle run` is each rank's parent, and sets it */
	char parent[40];
	struct stat space = {0};
	fstatat(AT_FDCWD, "/proc/self/ns/pid", &space, 0);
	snprintf(parent, sizeof(parent), "%lx.%d", (unsigned long)space.st_ino, (int)getppid());
	int length = snprintf(file_name, sizeof(file_name), "%s/.blame.%s.%s", process->output, process->host,
		job && strlen(job) < 200 ? job : parent);
	if (length >= (int)sizeof(file_name) || map_file(sizeof(*shared) + buckets_size)) {
		heddle__note("blame between processes is missing: cannot create their shared file in the measurement's "
			     "directory");
		return;
	}
	atomic_fetch_add(&shared->processes, 1);
	heddle__scopes[HEDDLE_SCOPE_PROGRAM].board = &shared->board;
	heddle__scopes[HEDDLE_SCOPE_PROGRAM].buckets = (struct heddle_blame_bucket *)(void *)shared->buckets;
}

void heddle__blame_leave_program(void)
{
	if (shared && atomic_fetch_sub(&shared->processes, 1) == 1)
		unlink(file_name);
}

void heddle__blame_program_after_fork(void)
{
	shared = NULL;
}
