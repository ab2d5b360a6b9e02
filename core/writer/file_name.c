/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs in signal handlers: makes system calls only, and only those that core/wrappers/host_filter.c tries. Creating a
 * file that must not exist is the only step that is atomic on all file systems. A lock would stay if its holder is
 * killed; a name that stays is only skipped.
 */
#include "core/writer/file_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/process_info.h"
#include "format/ids.h"
#include "format/trace.h"

#define NAME_SIZE 256
#define LOCK_NAP_NS 200000u
#define LOCK_TRIES 5000   /* a second */
#define MOST_NAMES 100000 /* tried; then the directory is assumed to be broken */

static _Atomic bool busy;         /* lock of the following variables, held with all signals blocked */
static char file_name[NAME_SIZE]; /* claimed, or owned by the process; empty: none yet */
static unsigned int asides;       /* number of temporary files; while there are any, the name stays */
static bool owned;                /* the process has a file of that name */
static struct stat published;     /* the last profile written; st_ino 0: none */

/* Acquires the lock, or gives up after a second: then the thread that holds it has died. */
static void lock(void)
{
	for (int i = 0; i < LOCK_TRIES && atomic_exchange(&busy, true); i++)
		heddle__clock_nap(LOCK_NAP_NS);
}

static void unlock(void)
{
	atomic_store(&busy, false);
}

void heddle__file_forget_name(void)
{
	file_name[0] = '\0';
	published.st_ino = 0;
	asides = 0;
	owned = false;
	unlock();
}

const char *heddle__file_name(void)
{
	return file_name;
}

void heddle__file_keep_name(void)
{
	lock();
	owned = true;
	unlock();
}

/* `heddle run` removes the directory if it is empty when the program ends; a longer process creates it again. */
int heddle__output_open(void)
{
	int directory = open(heddle__process.output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0 && errno == ENOENT && mkdir(heddle__process.output, 0777) == 0)
		directory = open(heddle__process.output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return directory < 0 ? -errno : directory;
}

static char *append(char *at, const char *end, const char *text)
{
	while (*text && at + 1 < end)
		*at++ = *text++;
	*at = '\0';
	return at;
}

static char *append_number(char *at, const char *end, unsigned long number)
{
	char digits[24];
	char *first = digits + sizeof(digits) - 1;
	*first = '\0';
	do {
		*--first = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	return append(at, end, first);
}

static unsigned int digits(uint32_t number)
{
	unsigned int count = 1;
	for (; number >= 10; number /= 10)
		count++;
	return count;
}

/* Appends the rank with leading zeros, ".rank03" for ranks 0 to 99, so that names sort. */
static char *append_rank(char *at, const char *end)
{
	uint32_t rank = atomic_load(&heddle__process.rank), last = atomic_load(&heddle__process.ranks);
	if (!rank)
		return at;
	rank--;
	last = last > rank ? last - 1 : rank;
	at = append(at, end, ".rank");
	for (unsigned int zeros = digits(last) - digits(rank); zeros; zeros--)
		at = append(at, end, "0");
	return append_number(at, end, rank);
}

static void make_name(unsigned long n)
{
	const char *program = strrchr(heddle__process.program, '/'), *end = file_name + sizeof(file_name);
	char *at = append(file_name, file_name + 100, program ? program + 1 : heddle__process.program);
	at = append_rank(at, end);
	at = append(at, end, ".");
	at = append(at, end, heddle__process.host);
	at = append(at, end, ".");
	at = append_number(at, end, (unsigned long)getpid());
	if (n > 1) {
		at = append(at, end, ".");
		at = append_number(at, end, n);
	}
	append(at, end, HEDDLE_FILE_SUFFIX);
}

/* Makes the name .NAME.part, or .NAME.2.part and so on: another thread of the process may have died while it wrote. */
static void make_aside(char aside[HEDDLE_ASIDE_SIZE], unsigned long n)
{
	const char *end = aside + HEDDLE_ASIDE_SIZE;
	char *at = append(append(aside, end, "."), end, file_name);
	if (n > 1) {
		at = append(at, end, ".");
		at = append_number(at, end, n);
	}
	append(at, end, ".part");
}

/* True if a profile has the name, or a trace, which a killed process may have left without a profile. */
static bool is_taken(int directory)
{
	char trace[NAME_SIZE + sizeof(HEDDLE_TRACE_SUFFIX)], *end = trace + sizeof(trace);
	struct stat there;
	append(append(trace, end, file_name), end, HEDDLE_TRACE_SUFFIX);
	return fstatat(directory, file_name, &there, AT_SYMLINK_NOFOLLOW) == 0 ||
	       fstatat(directory, trace, &there, AT_SYMLINK_NOFOLLOW) == 0;
}

static int create(int directory, const char *name)
{
	int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	return fd < 0 ? -errno : fd;
}

static int claim(int directory, char aside[HEDDLE_ASIDE_SIZE])
{
	int fd = -EEXIST;
	published.st_ino = 0;
	owned = false;
	for (unsigned long n = 1; fd == -EEXIST && n <= MOST_NAMES; n++) {
		make_name(n);
		if (is_taken(directory)) /* saves creating most files */
			continue;
		make_aside(aside, 1);
		fd = create(directory, aside);
		if (fd >= 0 && is_taken(directory)) {
			unlinkat(directory, aside, 0);
			close(fd);
			fd = -EEXIST;
		}
	}
	if (fd < 0)
		file_name[0] = '\0';
	return fd;
}

/* True if another process has the name by now: the user may have removed the files of this process. */
static bool is_another(int directory)
{
	struct stat there;
	return published.st_ino && fstatat(directory, file_name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       (there.st_ino != published.st_ino || there.st_dev != published.st_dev);
}

static int create_another(int directory, char aside[HEDDLE_ASIDE_SIZE])
{
	int fd = -EEXIST;
	for (unsigned long n = 1; fd == -EEXIST && n <= MOST_NAMES; n++) {
		make_aside(aside, n);
		fd = create(directory, aside);
	}
	return fd;
}

int heddle__file_create_aside(int directory, char aside[HEDDLE_ASIDE_SIZE])
{
	lock();
	bool stays = asides > 0 || (owned && !is_another(directory));
	int fd = stays ? create_another(directory, aside) : claim(directory, aside);
	asides += fd >= 0;
	unlock();
	return fd;
}

void heddle__file_remove_aside(int directory, const char *aside)
{
	unlinkat(directory, aside, 0);
	lock();
	asides -= asides > 0;
	unlock();
}

int heddle__file_publish(int directory, const char *aside)
{
	struct stat about = {0};
	bool known = fstatat(directory, aside, &about, AT_SYMLINK_NOFOLLOW) == 0;
	if (renameat(directory, aside, directory, file_name))
		return -errno;
	lock();
	published.st_ino = known ? about.st_ino : 0;
	published.st_dev = about.st_dev;
	owned = true;
	asides -= asides > 0;
	unlock();
	return 0;
}
