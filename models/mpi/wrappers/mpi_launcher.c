/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When MPICH and its derivatives end a job, by MPI_Abort or after a fatal error, they notify the launcher by a line of
 * its protocol (PMI-1 and 2), on a descriptor that the launcher has opened. The launcher then kills all ranks by
 * SIGKILL, so the profile is written before the line. This may happen in a signal handler: for other calls, only the
 * descriptor is checked.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "core/host/host_functions.h"
#include "models/mpi/wrappers/mpi_effects.h"

#define LENGTH_DIGITS 6 /* before each line of PMI-2 */

typedef ssize_t write_function(int descriptor, const void *data, size_t size);

static write_function *real; /* NULL: not known yet */
static int launcher = -1;    /* the descriptor; -1: none, and write(-1, ...) has to fail as without it */

__attribute__((constructor)) static void at_load(void)
{
	const char *number = getenv("PMI_FD");
	char *end;
	real = (write_function *)dlsym(RTLD_NEXT, "write");
	long descriptor = number ? strtol(number, &end, 10) : -1;
	if (descriptor > STDERR_FILENO && *end == '\0')
		launcher = (int)descriptor;
}

static bool begins_abort(const char *line, size_t size)
{
	static const char word[] = "cmd=abort";
	return size >= sizeof word - 1 && memcmp(line, word, sizeof word - 1) == 0;
}

static bool is_abort(const char *line, size_t size)
{
	return begins_abort(line, size) ||
	       (size > LENGTH_DIGITS && begins_abort(line + LENGTH_DIGITS, size - LENGTH_DIGITS));
}

HEDDLE_EXPORT ssize_t write(int descriptor, const void *data, size_t size)
{
	if (launcher >= 0 && descriptor == launcher && heddle__mpi && is_abort(data, size))
		heddle__mpi->end_job();
	return real ? real(descriptor, data, size) : syscall(SYS_write, descriptor, data, size);
}
