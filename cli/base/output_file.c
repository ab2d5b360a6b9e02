/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream records that writing failed, but not why. */
#include "cli/base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the error of another write. An error before the last write, such as a full disk, occurs again then. */
static int error_again(FILE *out)
{
	clearerr(out);
	errno = 0;
	return (putc('\n', out) == EOF || fflush(out) != 0) && errno ? errno : EIO;
}

int heddle__output_file_flush(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? errno : error_again(out);
}

/* Opening a FIFO without a reader returns ENXIO and does not wait. */
static int open_existing(const char *path)
{
	struct stat status;
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &status) != 0 || S_ISREG(status.st_mode)) {
		errno = fd < 0 ? errno : EEXIST;
		if (fd >= 0)
			close(fd);
		return -1;
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

FILE *heddle__output_file_create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		fd = open_existing(path);
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (fd >= 0 && !stream)
		close(fd);
	return stream;
}

/* Removes only regular files, not a device or a pipe. */
int heddle__output_file_close(FILE *out, const char *path, bool failed)
{
	struct stat status;
	bool regular = fstat(fileno(out), &status) == 0 && S_ISREG(status.st_mode);
	int why = heddle__output_file_flush(out);
	if (fclose(out) != 0 && !why)
		why = errno;
	if ((why || failed) && regular)
		unlink(path);
	return why;
}
