/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs in signal handlers and before constructors: system calls only. Must not signal or wait for the process. */
#include "upc/runtime/base/starved.h"

#include <fcntl.h>
#include <string.h>

#include "upc/runtime/base/say.h"
#include "upc/runtime/base/system.h"

/* The CPU clock of a process, in the kernel's encoding. */
static long cpu_clock_of(long process)
{
	return (long)(int)(~(unsigned int)process << 3 | 2);
}

static bool can_run(long process)
{
	char path[32], text[128];
	hupc__format(path, sizeof path, "/proc/%ld/stat", process);
	long file = hupc__system(openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	long length = hupc__system(read, file, text, sizeof text - 1);
	hupc__system(close, file);
	text[length > 0 ? length : 0] = '\0';
	const char *name_end = strrchr(text, ')');
	return name_end && strncmp(name_end, ") R", 3) == 0;
}

bool hupc__is_starved(long process, int step_ms, uint64_t *cpu_ns)
{
	struct timespec cpu;
	if (hupc__system(clock_gettime, cpu_clock_of(process), &cpu) != 0)
		return false;
	uint64_t now = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
	if (now - *cpu_ns < (uint64_t)step_ms * 500000 && can_run(process))
		return true;
	*cpu_ns = now;
	return false;
}
