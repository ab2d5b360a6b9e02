/* SPDX-License-Identifier: BSD-3-Clause */
/* start COUNT PROGRAM [ARGUMENT]...: runs PROGRAM COUNT times, one after the other; prints the CPU time of one run. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[1]) : 0, status = 0;
	struct rusage used;
	pid_t child;
	for (int i = 0; i < count; i++) {
		if (posix_spawn(&child, argv[2], NULL, NULL, argv + 2, environ) || waitpid(child, &status, 0) < 0 ||
			status)
			return 1;
	}
	getrusage(RUSAGE_CHILDREN, &used);
	if (count > 0)
		printf("ms %.4f\n", ((double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
					    (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-3) /
					    count);
	return 0;
}
