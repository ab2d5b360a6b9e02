/* SPDX-License-Identifier: BSD-3-Clause */
/* The type of a file is checked on the open descriptor: a moment later, the name may refer to another file. */
#include "profile/base/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int profile_open_regular(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	int error = fstat(fd, &status) != 0    ? -errno
		    : S_ISDIR(status.st_mode)  ? -EISDIR
		    : !S_ISREG(status.st_mode) ? -ENOTSUP
					       : 0;
	if (!error)
		return fd;
	close(fd);
	return error;
}

FILE *profile_open_stream(const char *path)
{
	int fd = profile_open_regular(path);
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
	if (fd < 0)
		errno = -fd;
	else if (!stream)
		close(fd);
	return stream;
}
