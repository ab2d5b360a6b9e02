/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the profile contains about the process. Set at the start and after a fork, not in signal handlers; read in any
 * context.
 */
#include "core/base/process_info.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"

struct heddle_process heddle__process = {.sample_source = "none", .sample_clock = "", .unwinder = "none"};

static void read_link(const char *path, char *text, size_t size)
{
	ssize_t n = readlink(path, text, size - 1);
	text[n > 0 ? n : 0] = '\0';
}

static void read_arguments(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	ssize_t n = read(fd, heddle__process.arguments, sizeof(heddle__process.arguments) - 1);
	heddle__process.arguments_size = n > 0 ? (uint32_t)n : 0;
	close(fd);
}

static void read_processors(void)
{
	struct heddle_process *process = &heddle__process;
	long size = syscall(SYS_sched_getaffinity, 0, sizeof(process->processors), process->processors);
	while (size > 0 && process->processors[size - 1] == 0)
		size--;
	process->processors_size = size > 0 ? (uint32_t)size : 0;
}

void heddle__process_describe(void)
{
	struct heddle_process *process = &heddle__process;
	struct utsname names;
	read_link("/proc/self/exe", process->program, sizeof(process->program));
	read_arguments();
	read_processors();
	if (uname(&names) == 0) {
		snprintf(process->host, sizeof(process->host), "%.64s", names.nodename);
		snprintf(process->machine, sizeof(process->machine), "%.64s", names.machine);
	}
	if (!getcwd(process->directory, sizeof(process->directory)))
		process->directory[0] = '\0';
	process->pid = getpid();
	process->start_unix_ns = heddle__clock_ns(CLOCK_REALTIME);
	process->start_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	process->start_ticks = heddle__ticks();
}

bool heddle__is_own_process(void)
{
	return heddle__process.pid == getpid();
}

void heddle__process_after_fork(void)
{
	struct heddle_process *process = &heddle__process;
	process->pid = getpid();
	process->start_unix_ns = heddle__clock_ns(CLOCK_REALTIME);
	process->start_ns = heddle__clock_ns(CLOCK_MONOTONIC);
	process->start_cpu_ns = process->before_cpu_ns = 0; /* the child's CPU clock starts at 0 */
	process->start_ticks = heddle__ticks();
	process->samples_paused = process->samples_late = 0;
	for (unsigned int i = 0; i < HEDDLE_SAMPLE_SOURCES; i++)
		process->sample_sources[i].signals = process->sample_sources[i].cpu_ns = 0;
}
