/* SPDX-License-Identifier: BSD-3-Clause */
/* A process forks after it has had a team of OpenMP threads; parent and child continue to work. */
#include "burn.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE void work(void)
{
	burn_ms(2);
}

int main(void)
{
	int status = 1;
#pragma omp parallel num_threads(2)
	work();
	pid_t child = fork();
	if (child == 0) {
		work();
		_exit(0);
	}
	waitpid(child, &status, 0);
	work();
	return status;
}
