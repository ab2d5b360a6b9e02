/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A failure leaves a mark that `heddle run` finds even if standard error is closed: a symbolic link in the
 * measurement's directory, whose target is the error number. It needs no descriptor and hardly any space, both of which
 * may have run out. Runs in signal handlers: system calls only, besides the formatting that core/base/log.c does.
 */
#include "core/writer/outcome.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/process_info.h"
#include "core/host/host_signal.h"
#include "format/ids.h"
#include "format/job_marks.h"
#include "format/shell_word.h"

#define MARKS_MOST 4096 /* number of ranks whose marks are removed */
#define PAUSE_NS 1000000
#define MOST_PAUSES 2000 /* the reader of standard error may not read */

static bool made_output;
static uid_t user_at_start;
static _Atomic bool marked;

void heddle__outcome_init(bool made)
{
	made_output = made;
	user_at_start = geteuid();
}

bool heddle__outcome_reports(void)
{
	return made_output;
}

void heddle__outcome_after_fork(void)
{
	made_output = false;
	atomic_store(&marked, false);
}

static const char *advice(int error)
{
	switch (error) {
	case ENOSPC:
	case EDQUOT:
		return "free space or choose another directory with -o (HEDDLE_OUTPUT)";
	case EMFILE:
	case ENFILE:
		return "too many open files: raise the limit (ulimit -n)";
	case EFBIG:
		return "raise the limit of file sizes (ulimit -f)";
	case ENOENT:
	case ENOTDIR:
		return "the directory was removed or renamed while the program ran, or is outside its root directory "
		       "(chroot)";
	case ENOMEM:
		return "raise the limit of address space (ulimit -v), or write before memory is short "
		       "(--flush-seconds)";
	case EACCES:
	case EPERM:
	case EROFS:
		if (geteuid() != user_at_start)
			return "the program runs as another user now: make a directory that this user can write "
			       "(mkdir -m 777 DIR), and choose it with -o (HEDDLE_OUTPUT)";
		return "look at the owner and mode of the directory, or choose another with -o (HEDDLE_OUTPUT)";
	default:
		return "choose another directory with -o (HEDDLE_OUTPUT)";
	}
}

/* Returns the path of the mark. Not on the stack, which may be a signal handler's; all threads write the same text. */
static const char *mark_path(void)
{
	static char path[sizeof(heddle__process.output)];
	if (snprintf(path, sizeof(path), "%s/" HEDDLE_FAILED_PREFIX "%d", heddle__process.output, (int)getpid()) >=
		(int)sizeof(path))
		return "";
	return path;
}

void heddle__outcome_failed(int error)
{
	char number[16];
	struct heddle_signal_guard guard; /* standard error may be a pipe without a reader */
	int saved = errno;
	snprintf(number, sizeof(number), "%d", -error);
	if (symlink(number, mark_path()) == 0)
		atomic_store(&marked, true);
	heddle__guard_signals(&guard);
	heddle__warn(
		"cannot write the profile to %s: %s; %s", heddle__process.output, strerror(-error), advice(-error));
	heddle__release_signals(&guard);
	errno = saved;
}

/* The path as seen from the shell that started the program. */
static const char *short_name(const char *path)
{
	size_t length = strlen(heddle__process.directory);
	bool below = length > 1 && strncmp(path, heddle__process.directory, length) == 0 && path[length] == '/';
	return below ? path + length + 1 : path;
}

static void name_output(void)
{
	const char *program = strrchr(heddle__process.program, '/');
	static char output[HEDDLE_SHELL_WORD_SIZE(sizeof(heddle__process.output))]; /* static: used once */
	struct heddle_signal_guard guard;
	heddle__shell_word(output, sizeof(output), short_name(heddle__process.output));
	heddle__guard_signals(&guard);
	heddle__warn("measured %s: %s; see: heddle report %s", program ? program + 1 : heddle__process.program, output,
		output);
	heddle__release_signals(&guard);
}

/* Only one `heddle run` of the job prints the summary: the one that removes its mark. */
static bool take_summary(const char *job, uint32_t ranks)
{
	char path[sizeof(heddle__process.output) + NAME_MAX];
	if (snprintf(path, sizeof(path), "%s/" HEDDLE_JOB_PREFIX "%s", heddle__process.output, job) >=
			(int)sizeof(path) ||
		unlink(path) != 0)
		return false;
	for (uint32_t rank = 0; rank < ranks && rank < MARKS_MOST; rank++) {
		snprintf(path, sizeof(path), "%s/" HEDDLE_ENDED_PREFIX "%s-%u", heddle__process.output, job, rank);
		unlink(path);
	}
	return true;
}

/* Waits until standard error, if a pipe, was read: a launcher that ends the job does not show what is left in it. */
static void wait_until_read(void)
{
	static const struct timespec pause = {0, PAUSE_NS};
	struct stat about;
	int unread = 0;
	if (fstat(STDERR_FILENO, &about) != 0 || !S_ISFIFO(about.st_mode))
		return;
	for (int i = 0; i < MOST_PAUSES && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; i++)
		nanosleep(&pause, NULL);
}

void heddle__outcome_job_ends(void)
{
	const char *job = getenv("HEDDLE_JOB"); /* `heddle run` of this rank sets it */
	uint32_t rank = atomic_load(&heddle__process.rank), ranks = atomic_load(&heddle__process.ranks);
	int saved = errno;
	if (job && rank > 0 && ranks > 1 && take_summary(job, ranks)) {
		name_output();
		heddle__warn(
			"incomplete: rank %u of %u ends the job, and the launcher kills the others: they leave the "
			"profiles that were written last, if any; `--flush-seconds N` writes them every N seconds",
			rank - 1, ranks);
		wait_until_read();
	}
	errno = saved;
}

void heddle__outcome_written(bool last)
{
	int saved = errno;
	if (atomic_exchange(&marked, false))
		unlink(mark_path());
	if (last && made_output)
		name_output();
	errno = saved;
}
