/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A disk that fails: a library that intercepts pwrite for files named *-trace. TRACE_DISK is one of:
 *   short     writes only a part of the data, alternately one byte and some hundred
 *   eintr     every second call is interrupted
 *   slow      each call takes 20 ms
 *   N ERROR   (ENOSPC, EIO, EDQUOT) fails from byte N of the file on; the part before N is written
 *   N hang    from byte N on, a call does not return
 *   N remove  at byte N, renames the file's directory to NAME.gone
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int is_trace(int fd, char *path, size_t size)
{
	char link[64];
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, path, size - 1);
	path[length > 0 ? length : 0] = '\0';
	return length > 6 && strcmp(path + length - 6, "-trace") == 0;
}

static ssize_t fail(int error)
{
	errno = error;
	return -1;
}

/* Handles a call at or beyond the limit. */
static ssize_t give_up(const char *how)
{
	static const struct {
		const char *name;
		int error;
	} errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO}, {"EDQUOT", EDQUOT}};
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (strcmp(how, errors[i].name) == 0)
			return fail(errors[i].error);
	while (strcmp(how, "hang") == 0)
		sleep(1000);
	return fail(EINVAL);
}

static void rename_directory(char *path)
{
	char gone[4096];
	*strrchr(path, '/') = '\0';
	snprintf(gone, sizeof(gone), "%.4000s.gone", path);
	rename(path, gone);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
	static _Atomic unsigned int calls;
	const char *what = getenv("TRACE_DISK");
	char path[4096], *how;
	unsigned int call = calls++;
	if (!what || !is_trace(fd, path, sizeof(path)))
		return syscall(SYS_pwrite64, fd, bytes, count, offset);
	if (strcmp(what, "short") == 0)
		count = call % 2 || count < 700 ? 1 : count / 3;
	if (strcmp(what, "eintr") == 0 && call % 2)
		return fail(EINTR);
	if (strcmp(what, "slow") == 0)
		usleep(20000);
	long limit = strtol(what, &how, 10);
	if (*how == ' ' && offset + (long)count > limit) {
		if (strcmp(how + 1, "remove") == 0)
			rename_directory(path);
		else if (offset >= limit)
			return give_up(how + 1);
		else
			count = (size_t)(limit - offset);
	}
	return syscall(SYS_pwrite64, fd, bytes, count, offset);
}
