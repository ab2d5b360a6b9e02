/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spent COMMAND...: the CPU and elapsed seconds of a command, including all processes that it started, such as
 * profilers. The command's output goes to standard error. Exits with its exit status.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clocks.h"

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status = 0;
	double wall = wall_seconds();
	pid_t child = argc > 1 ? fork() : -1;
	if (child == 0) {
		dup2(STDERR_FILENO, STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || getrusage(RUSAGE_CHILDREN, &usage))
		return 2;
	printf("cpu_s %.4f\nwall_s %.4f\n", seconds(&usage.ru_utime) + seconds(&usage.ru_stime), wall_seconds() - wall);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
